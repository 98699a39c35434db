// Undo and redo: the documents before and after the present one. Documents share what they have in common, so that many steps
// take little memory.
import { apply, type Command } from './commands.js';
import type { EditorDocument } from './document.js';

/** Steps that can be undone. */
export const MAX_STEPS = 500;

export interface Step {
  readonly document: EditorDocument;
  /** The command that led from this document to the next, in words: "Move Title". */
  readonly label: string;
}

export interface History {
  readonly past: readonly Step[];
  readonly present: EditorDocument;
  /** Steps that can be redone; the next one is last. */
  readonly future: readonly Step[];
  /**
   * Name of the step that is growing: consecutive commands with the same name, such as the keys typed in a field or the moves
   * of a drag, become one step.
   */
  readonly merging: string | undefined;
}

export const createHistory = (present: EditorDocument): History => ({
  past: [],
  present,
  future: [],
  merging: undefined,
});

export interface StepOptions {
  /** The step in words: "Move Title". */
  readonly label: string;
  readonly merge?: string | undefined;
}

/** Commands that don't change the record. They make no step; undo restores what they set together with the document. */
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
