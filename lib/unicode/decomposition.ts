// Letters without their marks. Normalization of assigned characters never changes (Unicode's stability policy), so that engines
// agree about all characters that they know.

/** The blocks of combining marks that compatibility decomposition takes from letters. */
const MARKS = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]+/g;

/** The compatibility decomposition (NFKD) of `text` without combining marks: `crème ﬁn` becomes `creme fin`. */
export function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(MARKS, '');
}
