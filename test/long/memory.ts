// Whether memory is flat over a long run: the median of the last quarter of the samples against that of the first settled
// quarter, which is the second.

/** Resident bytes at one time: of the server, and of its render processes together. */
export interface Sample {
  readonly server: number;
  readonly processes: number;
}

/** Caches fill and processes warm up in the first quarter; fewer samples have no quarters to compare. */
const MIN_SAMPLES = 16;
/** A figure may grow by this share and these bytes. Render processes come and go, so theirs varies more. */
export const MARGINS = {
  server: { share: 0.1, bytes: 32 * 2 ** 20 },
  processes: { share: 0.2, bytes: 64 * 2 ** 20 },
} as const;

/** Describes each figure that grew by more than its margin. */
export function growthOf(samples: readonly Sample[]): string[] {
  if (samples.length < MIN_SAMPLES) return [];
  const quarter = Math.floor(samples.length / 4);
  const settled = samples.slice(quarter, 2 * quarter);
  const last = samples.slice(-quarter);
  return (['server', 'processes'] as const).flatMap((figure) => {
    const before = median(settled.map((sample) => sample[figure]));
    const after = median(last.map((sample) => sample[figure]));
    const limit = before * (1 + MARGINS[figure].share) + MARGINS[figure].bytes;
    return after <= limit ? [] : [`memory of the ${figure} grew from ${mebibytes(before)} to ${mebibytes(after)}`];
  });
}

export const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}
