// Loads the code for editing a text on the canvas when it is first needed; what is typed meanwhile is not lost.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { layerAt } from '../../document/commands.js';
import { locate, nameOf } from '../../document/document.js';
import { plainText, richTextOf } from '../../document/rich-text.js';
import { lazy } from '../../ui/lazy.js';
import type { CanvasState } from '../canvas-state.js';
import { type EditedTextProps, keepTyped, openingPoint } from './opening.js';

const EditedText = lazy(
  () => import('./edited-text.js'),
  (module) => module.EditedText,
  { meanwhile: TypedMeanwhile },
);

export const prefetchTextEditing = EditedText.prefetch;

/** Edits the text that the editor has open, if any. */
export function TextEditing({ state }: { readonly state: CanvasState }) {
  const id = state.editor.editedText.value;
  return id === undefined ? null : <EditedText key={id} state={state} id={id} />;
}

/** Takes the keys in an invisible text field, like the one of the editing code. */
function TypedMeanwhile({ state: { editor }, id }: EditedTextProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const document = editor.store.document.value;
  const node = locate(document, id)?.node;
  useLayoutEffect(() => {
    const element = field.current!;
    element.focus({ preventScroll: true });
    // starts as editing does: with all of the text selected, or with the caret at its end after a click
    if (openingPoint(editor)) element.setSelectionRange(element.value.length, element.value.length);
    else element.select();
  }, []);
  /** Ends editing, unless the editing code is about to take over the text. */
  const end = () => {
    const isTyped = field.current!.value !== field.current!.defaultValue;
    if (!isTyped && editor.editedText.peek() === id) editor.editedText.value = undefined;
  };
  return (
    <textarea
      ref={field}
      class="text-input"
      aria-label={`Text of ${node ? nameOf(node) : ''}`}
      wrap="off"
      spellcheck={false}
      autocomplete="off"
      defaultValue={plainText(richTextOf(layerAt(document, id)))}
      onInput={({ currentTarget: { value, selectionEnd } }) => keepTyped(editor, { id, value, selectionEnd })}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        event.stopPropagation();
        end();
      }}
      onBlur={({ relatedTarget }) => relatedTarget && end()}
    />
  );
}
