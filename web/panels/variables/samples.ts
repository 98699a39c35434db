// Chooses, saves, renames and deletes the sample sets of a document.
import { listSamples, type PlacedSample, type SampleSet } from '../../../lib/contract/template/samples.js';
import type { EditorDocument } from '../../document/document.js';
import { isList, type Json, valueAt, withField, withFields } from '../../document/json.js';
import type { EditorStore } from '../../document/store.js';
import type { Variables } from '../../preview/hotspots.js';

export { listSamples, type PlacedSample, type SampleSet };

/** The contract's limit. */
export const MAX_SAMPLES = 50;
const MAX_NAME_LENGTH = 200;

/** Says why a sample set can't have this name; undefined if it can. `own` is its present name. */
export function nameFault(document: EditorDocument, name: string, own?: string): string | undefined {
  const trimmed = name.trim();
  if (trimmed === '') return 'Give it a name';
  if (trimmed.length > MAX_NAME_LENGTH)
    return `Received ${trimmed.length} characters, expected at most ${MAX_NAME_LENGTH}`;
  const isTaken = listSamples(document.record).some((sample) => sample.name === trimmed && sample.name !== own);
  return isTaken ? 'Another sample set has this name' : undefined;
}

const count = ({ record }: EditorDocument): number => (isList(record.samples) ? record.samples.length : 0);

export const hasRoom = (document: EditorDocument): boolean => count(document) < MAX_SAMPLES;

/** Adds a sample set. `size` is the size that the picture shows. */
export function addSample(store: EditorStore, name: string, variables: Variables, size: string | undefined): void {
  const document = store.document.peek();
  const sample = withFields({ name, variables }, { size });
  const path = ['samples', count(document)];
  store.dispatch({ type: 'setRecord', path, value: sample }, { label: `Save sample ${name}` });
}

/** Finds its index in `samples`, which may hold malformed ones. */
function indexOf(document: EditorDocument, name: string): number | undefined {
  const path = listSamples(document.record).find((sample) => sample.name === name)?.path;
  return path === undefined ? undefined : Number(/\d+/.exec(path)?.[0]);
}

/** Changes a sample set and keeps its unknown fields; undefined deletes it. */
function change(store: EditorStore, name: string, label: string, to: (sample: Json) => Json | undefined): void {
  const document = store.document.peek();
  const index = indexOf(document, name);
  if (index === undefined) return;
  const value = to(valueAt(document.record, ['samples', index]) as Json);
  // a record without samples drops the field instead of keeping an empty list
  const isLast = value === undefined && count(document) === 1;
  const path = isLast ? ['samples'] : ['samples', index];
  store.dispatch({ type: 'setRecord', path, value }, { label });
}

export function updateSample(store: EditorStore, name: string, variables: Variables, size: string | undefined): void {
  change(store, name, `Update sample ${name}`, (sample) => withFields(sample, { variables, size }));
}

export function renameSample(store: EditorStore, name: string, next: string): void {
  change(store, name, `Rename sample ${name} to ${next}`, (sample) => withField(sample, 'name', next));
}

export function deleteSample(store: EditorStore, name: string): void {
  change(store, name, `Delete sample ${name}`, () => undefined);
}

/** Returns a name that no sample set has: `Sample 3`. */
export function freeName(document: EditorDocument, wanted = 'Sample'): string {
  const taken = new Set(listSamples(document.record).map(({ name }) => name));
  let free = wanted === 'Sample' ? `${wanted} ${taken.size + 1}` : wanted;
  for (let i = taken.size + 2; taken.has(free); i++) free = `${wanted} ${i}`;
  return free;
}
