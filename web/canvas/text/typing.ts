// What the keys did: the part of a text that was replaced, and which keys are one step of undo.
import type { TextRange } from '../../document/text-style.js';

export interface Replacement extends TextRange {
  readonly text: string;
}

/** What turns `before` into `after`, in which the caret is at `caret`; undefined if they are the same. */
export function replacementOf(before: string, after: string, caret: number): Replacement | undefined {
  if (before === after) return undefined;
  // what is typed ends at the caret: of equal characters in a row, those are new that are before it
  const rest = after.length - caret;
  const isAtCaret = rest <= before.length && before.endsWith(after.slice(caret));
  const limit = isAtCaret ? Math.min(before.length - rest, caret) : Math.min(before.length, after.length);
  let start = 0;
  while (start < limit && before[start] === after[start]) start++;
  let kept = isAtCaret ? rest : 0;
  const room = Math.min(before.length, after.length) - start;
  if (!isAtCaret) while (kept < room && before.at(-1 - kept) === after.at(-1 - kept)) kept++;
  return { start, end: before.length - kept, text: after.slice(start, after.length - kept) };
}

/** A character that is deleted whole, whatever is around it. */
const SIMPLE = /^[ -~]$/;

/** What an event does to a text, if it is known without a text field: a character more, or one less. */
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
  /** Milliseconds of the event. */
  readonly time: number;
}

/** Whether a change is one step of undo with the one before: words are one each, and so is what is deleted in a row. */
export function isSameRun(last: Typed | undefined, next: Typed): boolean {
  if (!last || next.time - last.time > PAUSE_MS) return false;
  const isDeletion = next.text === '';
  if (isDeletion !== (last.text === '')) return false;
  if (isDeletion) return next.end === last.start || next.start === last.start;
  // a composition replaces what it put there
  const isComposed = next.start >= last.start && next.end === last.start + last.text.length && next.end > next.start;
  if (isComposed) return true;
  const isNext = next.start === next.end && next.start === last.start + last.text.length;
  const beginsWord = /^\s/.test(next.text) && !/^\s/.test(last.text);
  return isNext && !beginsWord && !next.text.includes('\n');
}
