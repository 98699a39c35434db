// The page Editor: a template's record as JSON with its picture, and a form for its variables.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import type { TemplateAnswer } from '../../../lib/contract/api/templates.js';
import { useAction } from '../../app/action.js';
import { toast } from '../../app/announce.js';
import { ApiError, api } from '../../app/api.js';
import { useQuery } from '../../app/query.js';
import { type PageProps, query, setQuery } from '../../app/router.js';
import { canEdit, inWorkspace, workspace } from '../../app/session.js';
import type { JsonEditor } from '../../json/editor.js';
import { CopyCode } from '../../preview/copy-code.js';
import { hotspotFields, type Values, valuesOf, variablesOf } from '../../preview/hotspots.js';
import type { Format } from '../../preview/live-preview.js';
import { usePreview } from '../../preview/use-preview.js';
import { Workbench } from '../../preview/workbench.js';
import { Button } from '../../ui/button.js';
import { ErrorAlert } from '../../ui/dialog.js';
import { Alert, Loaded, Skeleton } from '../../ui/feedback.js';
import { Page } from '../../ui/page.js';
import { Badge } from '../../ui/value.js';
import { Versions } from '../templates/versions.js';
import { Comparison } from './comparison.js';
import { Conflict } from './conflict.js';
import { forgetDraft, keepDraft, keptDraft, written } from './template-text.js';
import { VariablesForm } from './variables-form.js';

export default function Editor({ params }: PageProps) {
  const template = useQuery<TemplateAnswer>(inWorkspace(`templates/${encodeURIComponent(params.id ?? '')}`));
  // what is saved later comes from the answers of the operations
  const [opened, setOpened] = useState<TemplateAnswer>();
  useEffect(() => {
    if (template.data && !opened) setOpened(template.data);
  }, [template.data]);
  if (opened) return <OpenTemplate opened={opened} />;
  return (
    <Page title="Editor">
      <Loaded query={template} loading={<Skeleton height="24rem" />}>
        {() => null}
      </Loaded>
    </Page>
  );
}

/** Calls `onEntry` with the render that the address names, as **Open in editor** does. A reload keeps what is changed since. */
function useRenderOfAddress(onEntry: (entry: RenderLogEntry) => void, onError: (error: ApiError) => void): void {
  useEffect(() => {
    const id = query.value.get('render');
    if (!id) return;
    setQuery({ render: undefined });
    api.get<RenderLogEntry>(inWorkspace(`renders/${encodeURIComponent(id)}`)).then(onEntry, (error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
      onError(error);
    });
  }, []);
}

function OpenTemplate({ opened }: { readonly opened: TemplateAnswer }) {
  const workspaceId = workspace.value?.id ?? '';
  const { id } = opened;
  const [template, setTemplate] = useState(opened);
  const [draft] = useState(() => keptDraft(workspaceId, id));
  /** The version that the text changes, for If-Match. */
  const base = useRef(draft?.version ?? opened.version);
  const [savedText, setSavedText] = useState(() => written(opened.record));
  const [text, setText] = useState(draft?.text ?? savedText);
  const [values, setValues] = useState<Values>({});
  const [output, setOutput] = useState<{ readonly format: Format; readonly quality: number }>({
    format: 'png',
    quality: 90,
  });
  const { busy, error, setError, run } = useAction<'save' | 'publish'>();
  const [theirs, setTheirs] = useState<TemplateAnswer>();
  const [isShowingVersions, setShowingVersions] = useState(false);
  useRenderOfAddress((entry) => {
    if (entry.variables) setValues(valuesOf(hotspotFields(opened.record), entry.variables));
    setOutput((before) => ({ ...before, format: entry.format as Format }));
  }, setError);
  const editor = useRef<JsonEditor>(null);
  const parts = usePreview();
  const { preview } = parts;

  const fields = hotspotFields(preview.payload.value);
  const variables = variablesOf(fields, values);
  const variablesText = JSON.stringify(variables);
  const isChanged = text !== savedText;
  const path = inWorkspace(`templates/${encodeURIComponent(id)}`);

  useEffect(() => preview.update(text, variables), [preview, text, variablesText]);
  // also what is written while an earlier text is being saved
  useEffect(() => {
    if (isChanged) keepDraft(workspaceId, id, { version: base.current, text });
    else forgetDraft(workspaceId, id);
  }, [text, savedText]);

  /** Takes over an answer of the server: its record is what the text is compared with from now on. */
  const take = (next: TemplateAnswer, nextText: string) => {
    base.current = next.version;
    setTemplate(next);
    setSavedText(nextText);
  };

  const replace = (next: TemplateAnswer) => {
    const nextText = written(next.record);
    take(next, nextText);
    editor.current?.replace(nextText);
    setText(nextText);
  };

  /** Saves the text as the next version. undefined if somebody else saved one since `version`. */
  const put = async (version: number): Promise<TemplateAnswer | undefined> => {
    const saved = text;
    try {
      const headers = { 'if-match': `"${version}"` };
      const next = await api.put<TemplateAnswer>(`${path}?publish=false`, JSON.parse(saved), { headers });
      take(next, saved);
      return next;
    } catch (failure) {
      if (!(failure instanceof ApiError) || failure.status !== 412) throw failure;
      setTheirs(await api.get<TemplateAnswer>(path));
      return undefined;
    }
  };

  const save = (version = base.current) =>
    run('save', async () => {
      const next = await put(version);
      if (!next) return;
      setTheirs(undefined);
      toast(`Version ${next.version} saved`);
    });

  const publish = () =>
    run('publish', async () => {
      const next = isChanged ? await put(base.current) : template;
      if (!next) return;
      setTemplate(await api.post<TemplateAnswer>(`${path}/publish`, { version: next.version }));
      toast(`Version ${next.version} published`);
    });

  const isParsed = !preview.findings.value.some(({ position }) => position !== undefined);
  const isPublished = !isChanged && template.publishedVersion === template.version;
  const body = { templateId: id, ...(Object.keys(variables).length > 0 && { variables }), ...outputFields(output) };

  return (
    <Page
      title="Editor"
      description={
        <span class="editor-state">
          <strong>{template.name}</strong>
          <Badge>Version {template.version}</Badge>
          {template.publishedVersion === null ? (
            <Badge kind="warning">Not published</Badge>
          ) : (
            <Badge kind="success">Published: {template.publishedVersion}</Badge>
          )}
          {isChanged && <Badge kind="accent">Unsaved changes</Badge>}
        </span>
      }
      actions={
        <>
          <Button onClick={() => setShowingVersions(true)}>Versions</Button>
          {canEdit.value && (
            <>
              <Button isBusy={busy === 'save'} disabled={!isChanged || !isParsed} onClick={() => save()}>
                Save
              </Button>
              <Button kind="primary" isBusy={busy === 'publish'} disabled={isPublished || !isParsed} onClick={publish}>
                Publish
              </Button>
            </>
          )}
        </>
      }
    >
      {error && <ErrorAlert error={error} />}
      {draft && isChanged && (
        <Alert kind="note">These are your changes to version {draft.version}, which were not saved.</Alert>
      )}
      <Workbench
        parts={parts}
        label="Record and code"
        json={{ label: 'JSON', kind: 'template', initialText: text, isReadOnly: !canEdit.value, onChange: setText }}
        editor={editor}
        output={{
          name: fileName(template.name),
          chosen: output,
          onFormat: (format) => setOutput({ ...output, format }),
          onQuality: (quality) => setOutput({ ...output, quality }),
        }}
        bar={<CopyCode body={() => body} isReady />}
        canVerify={canEdit.value}
      >
        <VariablesForm fields={fields} values={values} onChange={setValues} />
      </Workbench>
      {theirs && (
        <Conflict
          text={text}
          theirs={theirs}
          isBusy={busy === 'save'}
          onKeepYours={() => save(theirs.version)}
          onTakeTheirs={() => {
            replace(theirs);
            setTheirs(undefined);
          }}
          onClose={() => setTheirs(undefined)}
        />
      )}
      {isShowingVersions && (
        <Versions
          template={template}
          onChanged={(next) => (next.version === template.version ? setTemplate(next) : replace(next))}
          compare={(version) => <Comparison id={id} version={version} text={text} />}
          onClose={() => setShowingVersions(false)}
        />
      )}
    </Page>
  );
}

/** What differs from what a render has without it. */
function outputFields({ format, quality }: { readonly format: Format; readonly quality: number }) {
  return { format, ...(format !== 'png' && { quality }) };
}

/** A name that every system takes. */
const fileName = (name: string): string => name.replace(/[^\p{L}\p{N} ._-]+/gu, '-').trim() || 'picture';
