// How the editing of a text begins: where it was clicked, and what is typed before the code that edits it is there.
import type { NodeId } from '../../document/document.js';
import type { CanvasState } from '../canvas-state.js';
import type { Point } from '../geometry/frames.js';
import type { OpenEditor } from '../open-editor.js';

export interface EditedTextProps {
  readonly state: CanvasState;
  readonly id: NodeId;
}

/** Where a double click begins to edit a text: on the canvas. */
const points = new WeakMap<OpenEditor, Point>();

/** Edits a text from the word at a point of the canvas on. */
export function editTextAt(editor: OpenEditor, id: NodeId, at: Point): void {
  points.set(editor, at);
  editor.editedText.value = id;
}

export const openingPoint = (editor: OpenEditor): Point | undefined => points.get(editor);

/** The point, once. */
export function takeOpeningPoint(editor: OpenEditor): Point | undefined {
  const at = points.get(editor);
  points.delete(editor);
  return at;
}

/** A text field as it was typed in. */
export interface TypedText {
  readonly id: NodeId;
  readonly value: string;
  readonly selectionEnd: number;
}

const typed = new WeakMap<OpenEditor, TypedText>();

export const keepTyped = (editor: OpenEditor, text: TypedText): void => void typed.set(editor, text);

/** What was typed in the layer meanwhile, once. */
export function takeTyped(editor: OpenEditor, id: NodeId): TypedText | undefined {
  const text = typed.get(editor);
  typed.delete(editor);
  return text?.id === id ? text : undefined;
}
