// Begins the editing of a text: remembers where it was clicked, and what is typed before the editing code has loaded.
import type { NodeId } from '../../document/document.js';
import type { CanvasState } from '../canvas-state.js';
import type { Point } from '../geometry/frames.js';
import type { OpenEditor } from '../open-editor.js';

export interface EditedTextProps {
  readonly state: CanvasState;
  readonly id: NodeId;
}

/** The point on the canvas where a double click began to edit a text. */
const points = new WeakMap<OpenEditor, Point>();

/** Begins to edit a text with the word at a point of the canvas. */
export function editTextAt(editor: OpenEditor, id: NodeId, at: Point): void {
  points.set(editor, at);
  editor.editedText.value = id;
}

export const openingPoint = (editor: OpenEditor): Point | undefined => points.get(editor);

/** Returns the point and forgets it. */
export function takeOpeningPoint(editor: OpenEditor): Point | undefined {
  const at = points.get(editor);
  points.delete(editor);
  return at;
}

/** The state of the text field before the editing code has loaded. */
export interface TypedText {
  readonly id: NodeId;
  readonly value: string;
  readonly selectionEnd: number;
}

const typed = new WeakMap<OpenEditor, TypedText>();

export const keepTyped = (editor: OpenEditor, text: TypedText): void => void typed.set(editor, text);

/** Returns what was typed in the layer meanwhile, and forgets it. */
export function takeTyped(editor: OpenEditor, id: NodeId): TypedText | undefined {
  const text = typed.get(editor);
  typed.delete(editor);
  return text?.id === id ? text : undefined;
}
