// Finds the part of a text that keys replaced, and which keys make up one step of undo.
import type { TextRange } from '../../document/text-style.js';

export interface Replacement extends TextRange {
  readonly text: string;
}

/** Returns the replacement that turns `before` into `after`, whose caret is at `caret`; undefined if they are equal. */
export function replacementOf(before: string, after: string, caret: number): Replacement | undefined {
  if (before === after) return undefined;
  // typed text ends at the caret: among equal characters in a row, those before it are new
  const rest = after.length - caret;
  const isAtCaret = rest <= before.length && before.endsWith(after.slice(caret));
  const limit = isAtCaret ? Math.min(before.length - rest, caret) : Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start++;
  let restLength = isAtCaret ? rest : 0;
  const room = Math.min(before.length, after.length) - start;
  if (!isAtCaret) while (restLength < room && before.at(-1 - restLength) === after.at(-1 - restLength)) restLength++;
  return { start, end: before.length - restLength, text: after.slice(start, after.length - restLength) };
}

/** A character that is deleted as a whole, whatever is around it. */
const SIMPLE = /^[ -~]$/;

/** Returns the change that an event makes, if it is clear without a text field: one character more or less. */
export function plainChange(
  { inputType, data, isComposing }: Pick<InputEvent, 'inputType' | 'data' | 'isComposing'>,
  text: string,
  { start, end }: TextRange,
): Replacement | undefined {
  if (isComposing) return undefined;
  if (inputType === 'insertText' && data) return { start, end, text: data };
  if (inputType !== 'deleteContentBackward') return undefined;
  if (start < end) return { start, end, text: '' };
  return SIMPLE.test(text.slice(start - 1, start)) ? { start: start - 1, end, text: '' } : undefined;
}

/** Milliseconds without a key that end a step of undo. */
const PAUSE_MS = 1000;

export interface Typed extends Replacement {
  /** Time of the event in milliseconds. */
  readonly time: number;
}

/** Whether a change joins the previous one in a step of undo: each word is a step, and so are deletions in a row. */
export function isSameRun(last: Typed | undefined, next: Typed): boolean {
  if (!last || next.time - last.time > PAUSE_MS) return false;
  const isDeletion = next.text === '';
  if (isDeletion !== (last.text === '')) return false;
  if (isDeletion) return next.end === last.start || next.start === last.start;
  // a composition replaces its earlier text
  const isComposed = next.start >= last.start && next.end === last.start + last.text.length && next.end > next.start;
  if (isComposed) return true;
  const isNext = next.start === next.end && next.start === last.start + last.text.length;
  const beginsWord = /^\s/.test(next.text) && !/^\s/.test(last.text);
  return isNext && !beginsWord && !next.text.includes('\n');
}
