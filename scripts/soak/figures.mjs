// Statistics for the reports, and reproducible random numbers.

/** The value that `share` (0–1) of the numbers do not exceed; 0 if there are none. */
export function quantile(numbers, share) {
  if (numbers.length === 0) return 0;
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)];
}

/** Slope of the least-squares line through the points [x, y]. */
export function slope(points) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const x = mean(points.map(([first]) => first));
  const y = mean(points.map(([, second]) => second));
  const across = points.reduce((sum, [first]) => sum + (first - x) ** 2, 0);
  return across === 0 ? 0 : points.reduce((sum, [first, second]) => sum + (first - x) * (second - y), 0) / across;
}

/** Random numbers in [0, 1) that depend on the seed only (mulberry32). */
export function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export const mebibytes = (bytes) => Math.round((bytes / 2 ** 20) * 10) / 10;

/** Counts each value: returns an object with a count per value. */
export function countValues(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return Object.fromEntries([...counts].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1)));
}
