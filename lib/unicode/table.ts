// Tables of Unicode character properties, packed as text (data.ts) and unpacked as far as it is needed. The engine's own (`\p{…}`,
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

/** The index of each sign. */
const INDICES = new Uint8Array(FURTHER_SIGNS);
for (let index = 0; index < SIGNS.length; index++) INDICES[SIGNS.charCodeAt(index)] = index;

/**
 * The function from a code point to its value in the table. It unpacks the runs up to the largest code point that it has been
 * asked for, and untouched pages of the zeroed array take no memory: most texts are in scripts at the start of Unicode.
 */
export function lookupOf<Values extends string | readonly unknown[]>({
  values,
  runs,
}: PackedTable<Values>): (codePoint: number) => Value<Values> {
  const list = (typeof values === 'string' ? values.split(' ') : values) as readonly Value<Values>[];
  let indices = new Uint8Array(0);
  /** The first code point that is not unpacked, and the place of its run. */
  let end = 0;
  let at = 0;

  function unpack(codePoint: number): void {
    if (end === 0) indices = new Uint8Array(CODE_POINTS);
    while (end <= codePoint && at < runs.length) {
      const sign = runs.charCodeAt(at++);
      const index = sign < FURTHER_SIGNS ? INDICES[sign] : sign - FURTHER_SIGNS + SIGNS.length;
      let length = 0;
      for (; at < runs.length; at++) {
        const digit = runs.charCodeAt(at);
        if (digit >= 0x30 && digit <= 0x39) length = 36 * length + digit - 0x30;
        else if (digit >= 0x61 && digit <= 0x7a) length = 36 * length + digit - 0x61 + 10;
        else break;
      }
      // most runs are of one code point
      if (length === 0) indices[end++] = index;
      else {
        if (index > 0) indices.fill(index, end, end + length);
        end += length;
      }
    }
  }

  return (codePoint) => {
    if (codePoint >= end) unpack(codePoint);
    return list[indices[codePoint]];
  };
}
