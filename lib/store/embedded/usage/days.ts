// Days and months in UTC as text.

export const DAY_MS = 86_400_000;

/** `2026-11-22`. */
export function dayOf(time: Date | string): string {
  return (typeof time === 'string' ? new Date(time) : time).toISOString().slice(0, 10);
}

/** `2026-11`. */
export function monthOf(time: Date | string): string {
  return dayOf(time).slice(0, 7);
}

/** The days from `from` to `to`, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let time = Date.parse(from); time <= Date.parse(to); time += DAY_MS) days.push(dayOf(new Date(time)));
  return days;
}
