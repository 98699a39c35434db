// Collects the colours that a record uses.
import { isList, isObject } from '../../../document/json.js';
import { parseColor } from '../values/color.js';

const MAX_SWATCHES = 20;

let last: { readonly record: unknown; readonly swatches: readonly string[] } | undefined;

/** Returns the colours, most frequent first. */
export function swatchesOf(record: unknown): readonly string[] {
  if (last && last.record === record) return last.swatches;
  const counts = new Map<string, number>();
  const look = (value: unknown, key: string): void => {
    if (typeof value === 'string') {
      if (/color/i.test(key) && parseColor(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    } else if (isList(value)) for (const each of value) look(each, key);
    else if (isObject(value)) for (const [name, each] of Object.entries(value)) look(each, name);
  };
  look(record, '');
  const swatches = [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, MAX_SWATCHES)
    .map(([text]) => text);
  last = { record, swatches };
  return swatches;
}
