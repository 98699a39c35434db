// The state of an open editor: its history as a signal, and the single way to change it.
import { computed, type ReadonlySignal, signal } from '@preact/signals';
import type { Command } from './commands.js';
import type { EditorDocument } from './document.js';
import { createHistory, type History, redo, run, type StepOptions, undo } from './history.js';

export interface EditorStore {
  readonly history: ReadonlySignal<History>;
  readonly document: ReadonlySignal<EditorDocument>;
  /** Runs a command. `label` says in words, for the history and screen readers, what it does: "Move Title". */
  dispatch(command: Command, options: StepOptions): void;
  select(ids: readonly number[]): void;
  undo(): void;
  redo(): void;
  /** Opens another history: a stored one, or the history of another record. */
  open(history: History): void;
  /** Ends the present step, so that the next command begins another: a field lost the focus, a drag ended. */
  endStep(): void;
}

/** Creates the store. `announce` lets screen readers say what was done. */
export function createEditorStore(document: EditorDocument, announce: (message: string) => void): EditorStore {
  const history = signal(createHistory(document));
  const change = (next: History, message: (label: string) => string, label: string | undefined) => {
    if (next === history.value) return;
    history.value = next;
    if (label !== undefined) announce(message(label));
  };
  return {
    history,
    document: computed(() => history.value.present),
    dispatch(command, options) {
      const { past } = history.value;
      const next = run(history.value, command, options);
      // the moves of a drag and the keys of a text give one message
      change(next, (label) => label, next.past !== past ? options.label : undefined);
    },
    select(ids) {
      change(run(history.value, { type: 'select', ids }, { label: 'Select' }), () => '', undefined);
    },
    undo() {
      change(undo(history.value), (label) => `Undone: ${label}`, history.value.past.at(-1)?.label);
    },
    redo() {
      change(redo(history.value), (label) => `Redone: ${label}`, history.value.future.at(-1)?.label);
    },
    open(next) {
      history.value = next;
    },
    endStep() {
      const { merging } = history.value;
      if (merging !== undefined) history.value = { ...history.value, merging: undefined };
    },
  };
}
