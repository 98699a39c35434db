// **Make a variable**: asks for the key by which renders fill a layer.
import { useState } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { keyFault, keyStep } from '../../document/actions.js';
import { type EditorDocument, locate, type NodeId, nameOf } from '../../document/document.js';
import { textOf } from '../../document/json.js';
import { FormDialog } from '../../ui/dialog.js';
import { TextField } from '../../ui/field.js';

export function VariableDialog({ editor }: { readonly editor: OpenEditor }) {
  const id = editor.keyedLayer.value;
  const located = id === undefined ? undefined : locate(editor.store.document.value, id);
  return located ? <KeyDialog key={id} editor={editor} id={located.node.id} /> : null;
}

function KeyDialog({ editor: { store, keyedLayer }, id }: { readonly editor: OpenEditor; readonly id: NodeId }) {
  const document = store.document.value;
  const { node } = locate(document, id)!;
  const own = textOf(node.raw.key);
  const [key, setKey] = useState(own ?? suggestedKey(document, id));
  const fault = keyFault(document, id, key);
  const close = () => {
    keyedLayer.value = undefined;
  };
  return (
    <FormDialog
      title={own === undefined ? 'Make a variable' : 'Change key'}
      confirm={own === undefined ? 'Make a variable' : 'Change key'}
      isReady={fault === undefined && key !== own}
      onClose={close}
      onConfirm={async () => {
        const { command, label } = keyStep(node, key);
        store.dispatch(command, { label });
        close();
      }}
    >
      <p>
        Each render can fill “{nameOf(node)}” with a value of its own. What it contains now is used where a render has
        none.
      </p>
      <TextField
        label="Key"
        value={key}
        onInput={setKey}
        error={fault}
        hint="The name of the variable in requests, such as title."
      />
    </FormDialog>
  );
}

/** Suggests a unique key from the layer's name. */
function suggestedKey(document: EditorDocument, id: NodeId): string {
  const words = nameOf(locate(document, id)!.node)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_');
  const base = words.slice(0, 40).replace(/^_+|_+$/g, '') || 'variable';
  let key = base;
  for (let i = 2; keyFault(document, id, key) !== undefined; i++) key = `${base}_${i}`;
  return key;
}
