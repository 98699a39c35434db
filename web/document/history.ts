// Undo and redo: the documents before and after the present one. Documents share what they have in common, so that many steps
// take little memory.
import { apply, type Command } from './commands.js';
import type { EditorDocument } from './document.js';

/** Steps that can be undone. */
export const MAX_STEPS = 500;

export interface Step {
  readonly document: EditorDocument;
  /** What made the next document from this one, in words: "Move Title". */
  readonly label: string;
}

export interface History {
  readonly past: readonly Step[];
  readonly present: EditorDocument;
  /** The next one last. */
  readonly future: readonly Step[];
  /** Commands in a row with the same name here are one step: the keys typed in a field, the moves of a drag. */
  readonly merging: string | undefined;
}

export const createHistory = (present: EditorDocument): History => ({
  past: [],
  present,
  future: [],
  merging: undefined,
});

export interface StepOptions {
  /** What is done, in words: "Move Title". */
  readonly label: string;
  readonly merge?: string | undefined;
}

/** What is no change of the record can't be undone, but is restored with the document that it was made in. */
const UNRECORDED: readonly Command['type'][] = ['select', 'chooseSize'];

export function run(history: History, command: Command, { label, merge }: StepOptions): History {
  const { past, present, merging } = history;
  const next = apply(present, command);
  if (next === present) return history;
  if (UNRECORDED.includes(command.type)) return { ...history, present: next, merging: undefined };
  const isSameStep = merge !== undefined && merge === merging;
  const steps = isSameStep ? past : [...past, { document: present, label }].slice(-MAX_STEPS);
  return { past: steps, present: next, future: [], merging: merge };
}

export function undo(history: History): History {
  const step = history.past.at(-1);
  if (!step) return history;
  const { past, present, future } = history;
  const undone = { document: present, label: step.label };
  return { past: past.slice(0, -1), present: step.document, future: [...future, undone], merging: undefined };
}

export function redo(history: History): History {
  const step = history.future.at(-1);
  if (!step) return history;
  const { past, present, future } = history;
  const redone = { document: present, label: step.label };
  return { past: [...past, redone], present: step.document, future: future.slice(0, -1), merging: undefined };
}
