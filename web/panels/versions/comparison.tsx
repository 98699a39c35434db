// Compares a version of a template with the editor's document: their pictures, the pixels that differ, or their JSON.
import { useMemo, useState } from 'preact/hooks';
import type { VersionAnswer } from '../../../lib/contract/api/templates.js';
import { diffPixels } from '../../../lib/templates/pixel-diff.js';
import { useQuery } from '../../app/query.js';
import { inWorkspace } from '../../app/session.js';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { written } from '../../document/text.js';
import { Difference } from '../../preview/difference.js';
import { SideBySide, SideFrame, Sides } from '../../preview/side-by-side.js';
import { Alert, Loaded, Skeleton } from '../../ui/feedback.js';
import { Segmented } from '../../ui/field.js';
import { DrawnPicture } from './drawn-picture.js';
import { type Drawn, usePictures } from './use-pictures.js';

interface ComparisonProps {
  readonly editor: OpenEditor;
  readonly id: string;
  readonly version: number;
}

const OTHER = 'In the editor';

export function Comparison({ editor, id, version }: ComparisonProps) {
  const path = `templates/${encodeURIComponent(id)}/versions/${version}`;
  const answer = useQuery<VersionAnswer>(inWorkspace(path));
  return (
    <Loaded query={answer} loading={<Skeleton height="12rem" />}>
      {({ record }) => <Compared editor={editor} title={`Version ${version}`} record={record} />}
    </Loaded>
  );
}

const KINDS = [
  { value: 'pictures', label: 'Pictures' },
  { value: 'difference', label: 'Difference' },
  { value: 'json', label: 'JSON' },
];

interface ComparedProps {
  readonly editor: OpenEditor;
  readonly title: string;
  readonly record: unknown;
}

function Compared({ editor, title, record }: ComparedProps) {
  const [kind, setKind] = useState('pictures');
  const { engine, variables, store } = editor;
  const document = store.document.value;
  const { size } = document;
  const drawn = usePictures({ engine, left: record, right: document.record, variables: variables.value, size });
  return (
    <div class="stack">
      <Segmented label={`Compare ${title} by`} value={kind} options={KINDS} onChange={setKind} />
      {kind === 'pictures' && (
        <Sides>
          <PictureSide title={title} drawn={drawn?.[0]} />
          <PictureSide title={OTHER} drawn={drawn?.[1]} />
        </Sides>
      )}
      {kind === 'difference' && <PictureDifference drawn={drawn} />}
      {kind === 'json' && (
        <SideBySide
          left={{ title, text: written(record as object) }}
          right={{ title: OTHER, text: written(document.record) }}
        />
      )}
    </div>
  );
}

function PictureSide({ title, drawn }: { readonly title: string; readonly drawn: Drawn | undefined }) {
  const note = drawn && !(drawn instanceof Error) ? `${drawn.width} × ${drawn.height}` : undefined;
  return (
    <SideFrame title={title} {...(note && { note })}>
      <DrawnPicture drawn={drawn} label={`Picture: ${title}`} />
    </SideFrame>
  );
}

function PictureDifference({ drawn }: { readonly drawn: readonly [Drawn, Drawn] | undefined }) {
  const difference = useMemo(() => {
    if (!drawn) return undefined;
    const [left, right] = drawn;
    return left instanceof Error || right instanceof Error ? undefined : diffPixels(left, right);
  }, [drawn]);
  if (!drawn) return <Skeleton height="10rem" />;
  if (!difference) {
    const failed = drawn.find((each) => each instanceof Error);
    return <Alert>Can’t be drawn: {failed?.message}</Alert>;
  }
  if (difference.differing === 0) return <p>No pixel differs.</p>;
  return (
    <div class="stack">
      <Difference difference={difference} />
    </div>
  );
}
