// The key that makes a layer a hotspot, and its label.
import { useComputed, useSignal } from '@preact/signals';
import { useContext, useId } from 'preact/hooks';
import { layerAt } from '../../../document/commands.js';
import { type NodeId, walk } from '../../../document/document.js';
import { ownValue, textOf } from '../../../document/json.js';
import { FieldView } from '../controls/field-view.js';
import type { FormField } from '../form/controls.js';
import { EditorContext } from '../form/editor-context.js';
import type { FormTarget } from '../form/target.js';

/** The main field, which a variable fills if it isn't an object. */
const MAIN: Readonly<Record<string, string>> = {
  text: 'the text',
  image: 'the picture’s URL',
  qrcode: 'what the code says',
  barcode: 'what the code says',
};

interface NamingProps {
  readonly target: FormTarget;
  readonly id: NodeId;
  readonly label: FormField | undefined;
}

export function Naming({ target, id, label }: NamingProps) {
  const { store } = useContext(EditorContext);
  const inputId = useId();
  const typed = useSignal<string | undefined>(undefined);
  const layer = layerAt(store.document.value, id);
  const key = textOf(layer.key) ?? '';
  const other = (name: string): boolean =>
    name !== '' && [...walk(store.document.value)].some(({ node }) => node.id !== id && node.raw.key === name);
  const findings = useComputed(() => target.findings(['key'])).value;
  const visibleName = typed.value ?? key;
  const fault = other(visibleName.trim())
    ? `Another layer has the key ${visibleName.trim()}`
    : findings.map(({ message }) => message).join(' ');
  const finish = () => {
    const next = typed.value?.trim();
    typed.value = undefined;
    if (next === undefined || next === key) return;
    store.dispatch({ type: 'setKey', id, key: next === '' ? undefined : next }, { label: 'Change key' });
  };
  const noteId = `${inputId}-note`;
  const main = ownValue(MAIN, layer.type);
  return (
    <>
      <div class="prop" data-field="key">
        <div class="prop-line">
          <label class="prop-label" for={inputId} title="the name of the variable that fills the layer">
            Key
          </label>
          <div class="prop-control">
            <input
              id={inputId}
              class="prop-input"
              type="text"
              spellcheck={false}
              autocomplete="off"
              placeholder="None: a fixed layer"
              disabled={!target.canEdit}
              aria-describedby={noteId}
              aria-invalid={fault !== '' ? true : undefined}
              value={visibleName}
              onInput={({ currentTarget }) => {
                typed.value = currentTarget.value;
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter') finish();
                else if (event.key === 'Escape' && typed.value !== undefined) {
                  event.stopPropagation();
                  typed.value = undefined;
                }
              }}
              onBlur={finish}
            />
          </div>
        </div>
        <div class="prop-notes" id={noteId}>
          {fault !== '' && <p class="prop-error">{fault}</p>}
          {fault === '' && key !== '' && (
            <p class="prop-note">
              {main ? `The variable “${key}” is ${main}, ` : `The variable “${key}” is `}
              {main ? 'or an object of any fields.' : 'an object of any fields.'}
            </p>
          )}
        </div>
      </div>
      {key !== '' && label && <FieldView target={target} field={label} path={['label']} />}
    </>
  );
}
