// The sample sets of a template: named variables to look at it with. Renders ignore them. Without zod: pages use it.
import { isObject } from '../json/is-object.js';

export interface SampleSet {
  readonly name: string;
  readonly variables: Readonly<Record<string, unknown>>;
  /** The size that it is for; undefined for any. */
  readonly size?: string;
}

/** A sample set with its place in the record. */
export interface PlacedSample extends SampleSet {
  /** `samples[1]`. */
  readonly path: string;
}

/** The sample sets of a record, which need not be valid, in its order. Leaves out those that are malformed or repeat a name. */
export function listSamples(record: unknown): PlacedSample[] {
  if (!isObject(record) || !Array.isArray(record.samples)) return [];
  const names = new Set<string>();
  return record.samples.flatMap((each: unknown, index): PlacedSample[] => {
    if (!isObject(each) || !isObject(each.variables)) return [];
    const { name, variables, size } = each;
    if (typeof name !== 'string' || name === '' || names.has(name)) return [];
    names.add(name);
    return [{ path: `samples[${index}]`, name, variables, ...(typeof size === 'string' && { size }) }];
  });
}
