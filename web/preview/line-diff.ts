// Finds the lines in which two texts differ.

export interface DiffLine {
  readonly text: string;
  readonly isChanged: boolean;
}

/**
 * Number of lines between the common beginning and end up to which lines are compared; if there are more, all count as changed.
 */
const MAX_COMPARED = 2000;

/** Returns the lines of both texts; lines that the other text lacks are marked as changed. */
export function diffLines(left: string, right: string): readonly [readonly DiffLine[], readonly DiffLine[]] {
  const [a, b] = [left.split('\n'), right.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [keptA, keptB] = common(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const marked = (lines: readonly string[], commonLines: ReadonlySet<number>) =>
    lines.map((text, i) => ({
      text,
      isChanged: i >= start && i < lines.length - end && !commonLines.has(i - start),
    }));
  return [marked(a, keptA), marked(b, keptB)];
}

/** Returns the indexes of a longest common subsequence in both. */
function common(a: readonly string[], b: readonly string[]): readonly [ReadonlySet<number>, ReadonlySet<number>] {
  const [keptA, keptB] = [new Set<number>(), new Set<number>()];
  if (a.length > MAX_COMPARED || b.length > MAX_COMPARED) return [keptA, keptB];
  const width = b.length + 1;
  /** Lengths of the longest common subsequence of the remaining lines, from each pair of lines on. */
  const lengths = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const at = i * width + j;
      lengths[at] = a[i] === b[j] ? lengths[at + width + 1]! + 1 : Math.max(lengths[at + width]!, lengths[at + 1]!);
    }
  }
  for (let i = 0, j = 0; i < a.length && j < b.length; ) {
    const at = i * width + j;
    if (a[i] === b[j]) {
      keptA.add(i++);
      keptB.add(j++);
    } else if (lengths[at + width]! >= lengths[at + 1]!) i++;
    else j++;
  }
  return [keptA, keptB];
}
