// Reads the two data structures of CFF (Adobe 5176) and CFF2 tables: INDEX, a list of byte strings, and DICT, operators with
// numeric operands. Returned offsets are inside the table.
import { assertInside, malformedFont } from './errors.js';

/** A list of byte strings: entry i extends from offsetOf(i) to offsetOf(i + 1). */
export interface CffIndex {
  readonly count: number;
  /** The offset of the end of the list. */
  readonly end: number;
  offsetOf(entry: number): number;
}

/** Reads the INDEX at `at`; in CFF2 its count has four bytes. Offsets never decrease. */
export function readIndex(view: DataView, at: number, isCff2: boolean, name: string): CffIndex {
  const count = isCff2 ? view.getUint32(at) : view.getUint16(at);
  const header = at + (isCff2 ? 4 : 2);
  if (count === 0) return { count, end: header, offsetOf: () => header };
  const size = view.getUint8(header);
  if (size < 1 || size > 4) throw malformedFont(`its ${name} have offsets of ${size} bytes`);
  const offsets = header + 1;
  assertInside(view, offsets, (count + 1) * size);
  const base = offsets + (count + 1) * size - 1;
  const read = (entry: number) => {
    let offset = 0;
    for (let i = 0; i < size; i++) offset = offset * 256 + view.getUint8(offsets + entry * size + i);
    return offset;
  };
  let previous = read(0);
  if (previous !== 1) throw malformedFont(`its ${name} have a first offset other than 1`);
  for (let entry = 1; entry <= count; entry++) {
    const offset = read(entry);
    if (offset < previous) throw malformedFont(`its ${name} have decreasing offsets`);
    previous = offset;
  }
  assertInside(view, base, previous);
  return { count, end: base + previous, offsetOf: (entry) => base + read(entry) };
}

/** Operator → operands. Two-byte operators are 1200 + the second byte. Real numbers are NaN: no check reads them. */
export type Dict = ReadonlyMap<number, readonly number[]>;

/** The limit of CFF2, because of `blend`; CFF allows 48. */
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

/** The offset operand of `operator`; undefined if it is absent. Throws RangeError if it is outside the table. */
export function offsetIn(dict: Dict, operator: number, view: DataView, index = 0): number | undefined {
  const offset = dict.get(operator)?.at(index);
  if (offset === undefined) return undefined;
  if (!(offset >= 0)) throw new RangeError('outside the table');
  assertInside(view, offset, 0);
  return offset;
}
