// Parts of layers: a layer is written as plain data, with the fields that differ from their defaults.
import type { CssLength } from '../css/length.js';
import { rounded } from '../css/length.js';

/** A layer of a payload that is being written. */
export type LayerFields = Record<string, unknown>;

/** A length of a payload: pixels, a percentage, or both. */
export function lengthField({ px, percent }: CssLength): number | string {
  if (percent === 0) return rounded(px);
  const share = `${rounded(percent)}%`;
  if (rounded(px) === 0) return share;
  return `calc(${share} ${px < 0 ? '-' : '+'} ${rounded(Math.abs(px))}px)`;
}

/** One to four values as short as they can be written. */
export function shortestFour<Value>(values: readonly Value[]): Value | readonly Value[] {
  const [top, right, bottom, left] = values;
  if (left !== right) return values;
  if (bottom !== top) return [top, right, bottom];
  return right === top ? top : [top, right];
}

/** The fields that have a value. */
export function definedOnly(fields: LayerFields): LayerFields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
