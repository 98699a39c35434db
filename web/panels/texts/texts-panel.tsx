// The panel Text: a field for the text of every text layer, for windows too small for handles.
import { useMemo } from 'preact/hooks';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { replacementOf } from '../../canvas/text/typing.js';
import { layerAt } from '../../document/commands.js';
import { isLocked, type Located, nameOf, walk } from '../../document/document.js';
import { plainText, richTextOf, typeText, withContent } from '../../document/rich-text.js';
import { Field } from '../../ui/field.js';

/** Largest number of lines that a field shows. */
const MAX_ROWS = 6;

export function TextsPanel({ editor }: { readonly editor: OpenEditor }) {
  const document = editor.store.document.value;
  const { record } = document;
  const texts = useMemo(() => [...walk(document)].filter(({ node }) => node.raw.type === 'text'), [record]);
  if (texts.length === 0) return <p class="faint">The template has no text layers.</p>;
  return (
    <div class="stack">
      {texts.map((located) => (
        <TextOfLayer key={located.node.id} editor={editor} located={located} />
      ))}
    </div>
  );
}

interface TextOfLayerProps {
  readonly editor: OpenEditor;
  readonly located: Located;
}

function TextOfLayer({ editor: { store, canEdit }, located }: TextOfLayerProps) {
  const { node } = located;
  const { id } = node;
  const document = store.document.value;
  const isFixed = !canEdit || isLocked(document, located);
  const text = plainText(richTextOf(layerAt(document, id)));
  const name = nameOf(node);
  const change = (next: string, caret: number) => {
    const raw = layerAt(store.document.peek(), id);
    const content = richTextOf(raw);
    const replaced = replacementOf(plainText(content), next, caret);
    if (!replaced) return;
    const { text: ownText, spans } = withContent(raw, typeText(content, replaced.start, replaced.end, replaced.text));
    const changes = [{ id, fields: { text: ownText, spans } }];
    store.dispatch({ type: 'change', changes }, { label: `Change text of ${name}`, merge: `text ${id}` });
  };
  return (
    <Field label={name} {...(canEdit && isFixed && { hint: 'The layer is locked.' })}>
      {(control) => (
        <textarea
          {...control}
          class="input variable-text"
          rows={Math.min(MAX_ROWS, text.split('\n').length)}
          readOnly={isFixed}
          value={text}
          onInput={({ currentTarget: { value, selectionEnd } }) => change(value, selectionEnd)}
          onBlur={() => store.endStep()}
        />
      )}
    </Field>
  );
}
