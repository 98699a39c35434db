// The two containers that CFF (Adobe 5176) and CFF2 tables are made of: INDEX, a list of byte strings, and DICT, operators
// with numbers before them. What is returned lies within the table.
import { malformedFont, within } from './errors.js';

/** A list of byte strings: entry i lies from offsetOf(i) to offsetOf(i + 1). */
export interface CffIndex {
  readonly count: number;
  /** Where the list ends. */
  readonly end: number;
  offsetOf(entry: number): number;
}

/** Reads the INDEX at `at`; `wide`: its count has four bytes, as in CFF2. Its offsets never run backwards. */
export function readIndex(view: DataView, at: number, wide: boolean, name: string): CffIndex {
  const count = wide ? view.getUint32(at) : view.getUint16(at);
  const head = at + (wide ? 4 : 2);
  if (count === 0) return { count, end: head, offsetOf: () => head };
  const size = view.getUint8(head);
  if (size < 1 || size > 4) throw malformedFont(`its ${name} have offsets of ${size} bytes`);
  const offsets = head + 1;
  within(view, offsets, (count + 1) * size);
  const base = offsets + (count + 1) * size - 1;
  const read = (entry: number) => {
    let offset = 0;
    for (let i = 0; i < size; i++) offset = offset * 256 + view.getUint8(offsets + entry * size + i);
    return offset;
  };
  let last = read(0);
  if (last !== 1) throw malformedFont(`its ${name} do not begin where they should`);
  for (let entry = 1; entry <= count; entry++) {
    const offset = read(entry);
    if (offset < last) throw malformedFont(`its ${name} run backwards`);
    last = offset;
  }
  within(view, base, last);
  return { count, end: base + last, offsetOf: (entry) => base + read(entry) };
}

/** Operators → the numbers before them; those of two bytes as 1200 + the second. Real numbers are NaN: none is looked at. */
export type Dict = ReadonlyMap<number, readonly number[]>;

/** CFF2's bound, for `blend`; CFF has 48. */
const MAX_OPERANDS = 513;

/** Reads the DICT from `start` to `end`. */
export function readDict(view: DataView, start: number, end: number): Dict {
  const dict = new Map<number, number[]>();
  let operands: number[] = [];
  for (let at = start; at < end; ) {
    const byte = view.getUint8(at++);
    if (byte <= 24) {
      dict.set(byte === 12 ? 1200 + view.getUint8(at++) : byte, operands);
      operands = [];
    } else if (byte === 28) {
      operands.push(view.getInt16(at));
      at += 2;
    } else if (byte === 29) {
      operands.push(view.getInt32(at));
      at += 4;
    } else if (byte === 30) {
      while (at < end && (view.getUint8(at) & 15) !== 15) at++;
      at++;
      operands.push(Number.NaN);
    } else if (byte >= 32 && byte <= 246) operands.push(byte - 139);
    else if (byte >= 247 && byte <= 250) operands.push((byte - 247) * 256 + view.getUint8(at++) + 108);
    else if (byte >= 251 && byte <= 254) operands.push(-(byte - 251) * 256 - view.getUint8(at++) - 108);
    if (operands.length > MAX_OPERANDS) throw malformedFont(`a DICT has more than ${MAX_OPERANDS} numbers in a row`);
  }
  return dict;
}

/** The one offset that `operator` gives, undefined without it. Throws RangeError when it is outside the table. */
export function offsetIn(dict: Dict, operator: number, view: DataView, index = 0): number | undefined {
  const offset = dict.get(operator)?.at(index);
  if (offset === undefined) return undefined;
  if (!(offset >= 0)) throw new RangeError('outside the table');
  within(view, offset, 0);
  return offset;
}
