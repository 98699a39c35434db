// The dialog that imports records from files or the clipboard. It shows faults by file and field.
import { useId, useState } from 'preact/hooks';
import { ApiError } from '../../app/api.js';
import { FormDialog } from '../../ui/dialog.js';
import { Alert } from '../../ui/feedback.js';
import { Checkbox, Field } from '../../ui/field.js';
import { Icon } from '../../ui/icon.js';
import { createTemplate } from './records.js';

/** A record to import, or an imported one. */
interface Item {
  readonly name: string;
  readonly text: string;
  /** Faults that prevented the import; empty after it succeeded. */
  readonly faults?: readonly { readonly path: string; readonly message: string }[];
}

const PASTED = 'Pasted JSON';

export interface ImportTemplatesProps {
  readonly onClose: () => void;
  /** Called with the number of new templates. */
  readonly onImported: (count: number) => void;
}

export function ImportTemplates({ onClose, onImported }: ImportTemplatesProps) {
  const [files, setFiles] = useState<readonly Item[]>([]);
  const [pasted, setPasted] = useState<Item>({ name: PASTED, text: '' });
  const [isPublished, setPublished] = useState(true);
  const items = [...files, ...(pasted.text.trim() === '' ? [] : [pasted])];
  const open = items.filter(({ faults }) => faults?.length !== 0);
  const failed = open.filter(({ faults }) => faults !== undefined);

  const addFiles = async (list: FileList | null | undefined) => {
    const added = await Promise.all(
      Array.from(list ?? [], async (file): Promise<Item> => ({ name: file.name, text: await file.text() })),
    );
    const isNew = ({ name }: Item) => !added.some((one) => one.name === name);
    setFiles((before) => [...before.filter(isNew), ...added]);
  };

  const submit = async () => {
    let count = 0;
    const tried = new Map<Item, Item>();
    for (const item of open) {
      const faults = await importOne(item, isPublished);
      if (faults.length === 0) count++;
      tried.set(item, { ...item, faults });
    }
    setFiles((before) => before.map((item) => tried.get(item) ?? item));
    setPasted((before) => tried.get(before) ?? before);
    if (count > 0) onImported(count);
    if (count === open.length) onClose();
  };

  return (
    <FormDialog
      title="Import"
      confirm="Import"
      size="medium"
      isReady={open.length > 0}
      onConfirm={submit}
      onClose={onClose}
    >
      <FileDrop onFiles={addFiles} />
      {files.length > 0 && (
        <ul class="import-files" aria-label="Chosen files">
          {files.map(({ name, faults }) => (
            <li key={name}>
              <Icon name={faults === undefined ? 'file' : faults.length > 0 ? 'alert' : 'check'} />
              <span class="import-name">{name}</span>
              {faults && <span class="faint">{faults.length > 0 ? 'not imported' : 'imported'}</span>}
            </li>
          ))}
        </ul>
      )}
      <Field label="JSON" hint="A template’s record, as Export saves it.">
        {(control) => (
          <textarea
            {...control}
            class="input mono import-text"
            rows={6}
            spellcheck={false}
            value={pasted.text}
            onInput={(event) => setPasted({ name: PASTED, text: event.currentTarget.value })}
          />
        )}
      </Field>
      <Checkbox
        label="Publish"
        hint="Renders can use it at once; otherwise it is a draft."
        checked={isPublished}
        onChange={setPublished}
      />
      {failed.length > 0 && (
        <Alert>
          {failed.map(({ name, faults = [] }) => (
            <div key={name} class="import-faults">
              <strong>{name}</strong>
              <ul>
                {faults.map(({ path, message }) => (
                  <li key={`${path} ${message}`}>
                    {path && <code class="code">{path}</code>} {message}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </Alert>
      )}
    </FormDialog>
  );
}

/** Imports a record and returns its faults; none if it succeeded. */
async function importOne({ text }: Item, publish: boolean): Promise<NonNullable<Item['faults']>> {
  try {
    JSON.parse(text);
  } catch (error) {
    return [{ path: '', message: `is no JSON: ${(error as Error).message}` }];
  }
  try {
    await createTemplate(text, publish);
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.details.length > 0 ? error.details : [{ path: '', message: error.message }];
  }
}

function FileDrop({ onFiles }: { readonly onFiles: (files: FileList | null | undefined) => void }) {
  const id = useId();
  const [isOver, setOver] = useState(false);
  return (
    <div
      class={`file-drop ${isOver ? 'is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onFiles(event.dataTransfer?.files);
      }}
    >
      <Icon name="upload" size={20} />
      <label for={id}>Files</label>
      <span class="faint">Choose JSON files, or drop them here.</span>
      <input
        id={id}
        type="file"
        accept=".json,application/json"
        multiple
        onChange={(event) => onFiles(event.currentTarget.files)}
      />
    </div>
  );
}
