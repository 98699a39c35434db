// Tables of Unicode character properties, packed as text (data.ts) and unpacked on first use. The engine's own (`\p{…}`,
// Intl, toUpperCase) depend on its version of Unicode, and pixels must not.

/** The words of a text. */
export type Word<Text extends string, Found = never> = Text extends `${infer First} ${infer Rest}`
  ? Word<Rest, Found | First>
  : Found | Text;

/** Runs of code points from U+0000 on, each as the sign of its value and its length in base 36 (none for 1). */
export interface PackedTable<Values> {
  /** A list, or the words of a text. The most frequent value comes first. */
  readonly values: Values;
  readonly runs: string;
}

type Value<Values> = Values extends string ? Word<Values> : Values extends readonly (infer V)[] ? V : never;

const CODE_POINTS = 0x110000;

/** The sign of each value, in order; then come the characters from FURTHER_SIGNS on. */
const SIGNS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%&()*+,-./:;<=>?@[]^_{|}~';
const FURTHER_SIGNS = 0xc0;

/** The index of each code point's value. Untouched pages of the zeroed array take no memory. */
function unpack(runs: string): Uint8Array {
  const indices = new Uint8Array(CODE_POINTS);
  const ofSign = new Uint8Array(FURTHER_SIGNS);
  for (let index = 0; index < SIGNS.length; index++) ofSign[SIGNS.charCodeAt(index)] = index;
  let start = 0;
  for (let i = 0; i < runs.length; ) {
    const sign = runs.charCodeAt(i++);
    const index = sign < FURTHER_SIGNS ? ofSign[sign] : sign - FURTHER_SIGNS + SIGNS.length;
    let length = 0;
    for (; i < runs.length; i++) {
      const digit = runs.charCodeAt(i);
      if (digit >= 0x30 && digit <= 0x39) length = 36 * length + digit - 0x30;
      else if (digit >= 0x61 && digit <= 0x7a) length = 36 * length + digit - 0x61 + 10;
      else break;
    }
    // most runs are of one code point
    if (length === 0) indices[start++] = index;
    else {
      if (index > 0) indices.fill(index, start, start + length);
      start += length;
    }
  }
  return indices;
}

/** The function from a code point to its value in the table. */
export function lookupOf<Values extends string | readonly unknown[]>({
  values,
  runs,
}: PackedTable<Values>): (codePoint: number) => Value<Values> {
  const list = (typeof values === 'string' ? values.split(' ') : values) as readonly Value<Values>[];
  let indices: Uint8Array | undefined;
  return (codePoint) => {
    indices ??= unpack(runs);
    return list[indices[codePoint]];
  };
}
