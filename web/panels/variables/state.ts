// State of the panel Variables that outlives its visit to another panel.
import { batch, type Signal, signal } from '@preact/signals';
import type { OpenEditor } from '../../canvas/open-editor.js';
import { sizeNames } from '../../document/sizes.js';
import type { Variables } from '../../preview/hotspots.js';
import { type ParsedRows, parseRows } from './rows.js';
import { listSamples } from './samples.js';

/** A filling of the picture: the record's own values, a sample set, a stress set, or a row of a file. */
export interface VariableSet {
  readonly kind: 'own' | 'sample' | 'stress' | 'row';
  readonly name: string;
  readonly variables: Variables;
  /** The size that it is for; undefined for any size. */
  readonly size?: string | undefined;
}

/** The file whose rows are on screen. */
export type RowsFile =
  | { readonly name: string; readonly parsed: ParsedRows }
  | { readonly name: string; readonly error: string }
  | { readonly name: string; readonly isLoading: true };

export interface VariablesState {
  /** The set that the variables were last taken from. */
  readonly chosen: Signal<VariableSet | undefined>;
  readonly file: Signal<RowsFile | undefined>;
}

const states = new WeakMap<OpenEditor, VariablesState>();

export function variablesState(editor: OpenEditor): VariablesState {
  let state = states.get(editor);
  if (!state) {
    state = { chosen: signal(undefined), file: signal(undefined) };
    states.set(editor, state);
  }
  return state;
}

/** Fills the picture with a set, in the set's size. */
export function fillWith(editor: OpenEditor, set: VariableSet): void {
  const { store, variables } = editor;
  const { size } = set;
  batch(() => {
    variablesState(editor).chosen.value = set;
    variables.value = set.variables;
    if (size !== undefined && sizeNames(store.document.peek().record).includes(size)) {
      store.dispatch({ type: 'chooseSize', size }, { label: `Choose size ${size}` });
    }
  });
}

/** Fills the picture with the first sample set of the template. */
export function fillWithFirstSample(editor: OpenEditor): void {
  const [first] = listSamples(editor.store.document.peek().record);
  if (first) fillWith(editor, { kind: 'sample', ...first });
}

/** Fills the picture with the variables of a logged render. */
export function fillWithRender(editor: OpenEditor, variables: Variables): void {
  variablesState(editor).chosen.value = undefined;
  editor.variables.value = variables;
}

/** Larger files are refused, because files are read as a whole. */
const MAX_FILE_BYTES = 20 * 2 ** 20;

export const isRowsFile = ({ name, type }: Pick<File, 'name' | 'type'>): boolean =>
  /\.(?:csv|tsv|json|jsonl|ndjson)$/i.test(name) || type === 'text/csv';

/** Reads a file of rows and shows them in the panel Variables. */
export async function openRows(editor: OpenEditor, file: File): Promise<void> {
  const { name } = file;
  const currentFile = variablesState(editor).file;
  const loading: RowsFile = { name, isLoading: true };
  currentFile.value = loading;
  const read = async (): Promise<RowsFile> => {
    if (file.size > MAX_FILE_BYTES) return { name, error: 'is larger than 20 MB' };
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
      const parsed = parseRows(name, text);
      return parsed.rows.length > 0 ? { name, parsed } : { name, error: 'has no rows' };
    } catch (error) {
      const isEncoding = error instanceof TypeError;
      return { name, error: isEncoding ? 'is not UTF-8' : (error as Error).message };
    }
  };
  const next = await read();
  // another file may have been chosen since
  if (currentFile.value === loading) currentFile.value = next;
}
