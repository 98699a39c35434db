// The row above the canvas: the template's name and state, and the actions on the whole template.
import { useId, useState } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { textOf } from '../../document/json.js';
import { sizeNames } from '../../document/sizes.js';
import type { Verification } from '../../preview/verification.js';
import { VerifyBadge } from '../../preview/verify-badge.js';
import { Badge } from '../../ui/badge.js';
import { Button, IconButton } from '../../ui/button.js';
import { Select } from '../../ui/field.js';
import { RenameInput } from '../../ui/rename-input.js';
import type { EditedTemplate } from './use-template.js';

interface TemplateStateProps {
  readonly editor: OpenEditor;
  readonly saved: EditedTemplate;
  readonly isChanged: boolean;
}

/** The name, which can be edited in place, and the version. */
export function TemplateState({ editor, saved, isChanged }: TemplateStateProps) {
  const { version, publishedVersion } = saved.template;
  return (
    <span class="editor-state">
      <TemplateName editor={editor} />
      <Badge>Version {version}</Badge>
      {publishedVersion === null ? (
        <Badge kind="warning">Not published</Badge>
      ) : (
        <Badge kind="success">Published: {publishedVersion}</Badge>
      )}
      {isChanged && <Badge kind="accent">Unsaved changes</Badge>}
    </span>
  );
}

/** Largest length of a name. */
const MAX_NAME_LENGTH = 200;

function TemplateName({ editor: { store, canEdit } }: { readonly editor: OpenEditor }) {
  const [isRenaming, setRenaming] = useState(false);
  const name = textOf(store.document.value.record.name) ?? '';
  if (!canEdit) return <strong class="editor-name">{name}</strong>;
  if (!isRenaming) {
    return (
      <button
        type="button"
        class="editor-name"
        title="Rename: double click, or Enter"
        // a click by keyboard has no count
        onClick={({ detail }) => detail !== 1 && setRenaming(true)}
      >
        {name || 'No name'}
      </button>
    );
  }
  const end = (next: string | undefined) => {
    setRenaming(false);
    const value = next?.trim();
    if (value) store.dispatch({ type: 'setRecord', path: ['name'], value }, { label: `Rename template to ${value}` });
  };
  return (
    <span class="editor-name-field">
      <RenameInput label="Template name" name={name} maxLength={MAX_NAME_LENGTH} onEnd={end} />
    </span>
  );
}

interface ToolbarProps {
  readonly editor: OpenEditor;
  readonly saved: EditedTemplate;
  readonly verification: Verification;
  readonly onVersions: () => void;
  readonly onExport: () => void;
  readonly onShortcuts: () => void;
}

export function Toolbar({ editor, saved, verification, onVersions, onExport, onShortcuts }: ToolbarProps) {
  const { busy, isPublished, isChanged } = saved;
  const isBroken = editor.brokenText.value !== undefined;
  return (
    <>
      <SizeChoice editor={editor} />
      {editor.canEdit && <UndoButtons editor={editor} />}
      <IconButton icon="keyboard" label="Keyboard shortcuts" tip="Keyboard shortcuts (?)" onClick={onShortcuts} />
      {editor.canEdit && <VerifyWithService editor={editor} verification={verification} />}
      <Button onClick={onVersions}>Versions</Button>
      <Button onClick={onExport}>Export</Button>
      {editor.canEdit && (
        <>
          <Button
            isBusy={busy === 'save'}
            disabled={!isChanged || isBroken}
            title="Save (Ctrl+S)"
            aria-keyshortcuts="Control+S"
            onClick={() => saved.save()}
          >
            Save
          </Button>
          <Button kind="primary" isBusy={busy === 'publish'} disabled={isPublished || isBroken} onClick={saved.publish}>
            Publish
          </Button>
        </>
      )}
    </>
  );
}

function SizeChoice({ editor: { store } }: { readonly editor: OpenEditor }) {
  const { record, size } = store.document.value;
  const sizes = sizeNames(record);
  const id = useId();
  if (sizes.length === 0) return null;
  return (
    <span class="editor-size">
      <label for={id}>Size</label>
      <Select
        id={id}
        value={size ?? ''}
        options={[{ value: '', label: 'The template’s own' }, ...sizes.map((each) => ({ value: each, label: each }))]}
        onChange={(value) => store.dispatch({ type: 'chooseSize', size: value || undefined }, { label: 'Choose size' })}
      />
    </span>
  );
}

function UndoButtons({ editor: { store } }: { readonly editor: OpenEditor }) {
  const { past, future } = store.history.value;
  const [last, next] = [past.at(-1)?.label, future.at(-1)?.label];
  return (
    <span class="editor-undo">
      <IconButton
        icon="undo"
        label="Undo"
        tip={last && `Undo: ${last} (Ctrl+Z)`}
        disabled={last === undefined}
        onClick={() => store.undo()}
      />
      <IconButton
        icon="redo"
        label="Redo"
        tip={next && `Redo: ${next} (Ctrl+Shift+Z)`}
        disabled={next === undefined}
        onClick={() => store.redo()}
      />
    </span>
  );
}

interface VerifyProps {
  readonly editor: OpenEditor;
  readonly verification: Verification;
}

/** Says **Identical** beside the button; the panel Output shows where the pictures differ, or the error. */
function VerifyWithService({ editor, verification: { outcome, isBusy, isReady, run } }: VerifyProps) {
  const result = outcome.value;
  const verify = async () => {
    const done = await run();
    if (done && !('answer' in done && done.isIdentical)) editor.panel.value = 'output';
  };
  return (
    <>
      {result && 'answer' in result && <VerifyBadge isIdentical={result.isIdentical} />}
      <Button icon="verify" isBusy={isBusy.value} disabled={!isReady.value} onClick={verify}>
        Verify with service
      </Button>
    </>
  );
}
