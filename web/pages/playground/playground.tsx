// The page Playground: a payload, and its picture while it is written.
import { useComputed } from '@preact/signals';
import { useEffect, useRef, useState } from 'preact/hooks';
import { announce } from '../../app/announce.js';
import { ApiError } from '../../app/api.js';
import { query, setQuery } from '../../app/router.js';
import { workspace } from '../../app/session.js';
import { keepText, keptText } from '../../app/storage.js';
import type { JsonEditor } from '../../json/editor.js';
import { CopyCode } from '../../preview/copy-code.js';
import type { Format } from '../../preview/live-preview.js';
import { kindOf, requestBody } from '../../preview/payload-kind.js';
import { usePreview } from '../../preview/use-preview.js';
import { Workbench } from '../../preview/workbench.js';
import { Button } from '../../ui/button.js';
import { Alert, Skeleton } from '../../ui/feedback.js';
import { Select } from '../../ui/field.js';
import { Page } from '../../ui/page.js';
import { openAddress } from './opening.js';
import { SAMPLES } from './samples.js';
import { SaveAsTemplate } from './save-as-template.js';

interface Start {
  readonly text: string;
  readonly note?: string | undefined;
}

const storageKey = () => `playground.${workspace.value?.id}`;

export default function Playground() {
  const [start, setStart] = useState<Start>();
  useEffect(() => {
    const text = keptText(storageKey()) ?? SAMPLES[0]!.text;
    openAddress(query.value).then(
      (opened) => setStart({ text: opened?.text ?? text, note: opened?.note }),
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
        const what = error.status === 404 ? 'There is no such render or template.' : error.message;
        setStart({ text, note: what });
      },
    );
  }, []);
  useEffect(() => {
    // so that a reload shows later changes
    if (start) setQuery({ render: undefined, template: undefined, version: undefined });
  }, [start]);
  return start ? (
    <Started start={start} />
  ) : (
    <Page title="Playground">
      <Skeleton height="24rem" />
    </Page>
  );
}

function Started({ start }: { readonly start: Start }) {
  const parts = usePreview();
  const { preview } = parts;
  const editor = useRef<JsonEditor>(null);
  const [isSaving, setSaving] = useState(false);

  const update = (text: string) => {
    preview.update(text);
    keepText(storageKey(), text);
  };
  useEffect(() => update(start.text), [preview]);

  // the page changes with the payload's kind alone, not with every key
  const kind = useComputed(() => kindOf(preview.payload.value)).value;
  const isRequest = kind === 'canvas' || kind === 'request';

  const choose = (name: string) => {
    const sample = SAMPLES.find((each) => each.name === name);
    if (!sample) return;
    editor.current?.replace(sample.text);
    announce(`${name} opened`);
  };

  return (
    <Page
      title="Playground"
      description="Write a payload and see what the API returns, pixel for pixel."
      actions={
        <>
          <Select
            aria-label="Start from"
            value=""
            options={[
              { value: '', label: 'Start from…' },
              ...SAMPLES.map(({ name }) => ({ value: name, label: name })),
            ]}
            onChange={choose}
          />
          <Button disabled={kind !== 'canvas' && kind !== 'record'} onClick={() => setSaving(true)}>
            Save as template
          </Button>
        </>
      }
    >
      {start.note && <Alert kind="note">{start.note}</Alert>}
      <Workbench
        parts={parts}
        label="Payload and code"
        json={{ label: 'Payload', kind: 'payload', initialText: start.text, onChange: update }}
        editor={editor}
        output={{
          name: 'picture',
          ...(isRequest && {
            onFormat: (format: Format) => editor.current?.setField('format', format),
            onQuality: (quality: number) => editor.current?.setField('quality', quality),
          }),
        }}
        bar={<CopyCode body={() => requestBody(preview.payload.peek())} isReady={isRequest} />}
        canVerify
      />
      {isSaving && <SaveAsTemplate payload={preview.payload.peek()} onClose={() => setSaving(false)} />}
    </Page>
  );
}
