// Formats numbers, sizes and times for people.

const integers = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const decimals = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const dates = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', year: 'numeric' });
const times = new Intl.DateTimeFormat('en', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});
const fullTimes = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' });
const days = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** `12,345`. */
export const formatNumber = (value: number) => integers.format(value);
/** Formats a number with a decimal if it is small: `324`, `0.3`. */
export const formatMean = (value: number) => (value < 10 ? decimals : integers).format(value);
/** Formats a share between 0 and 1: `0.4 %`. */
export const formatPercent = (share: number) => percents.format(share);
/** `12.3 ms`, `1.2 s`, `14.5 min`, `3.2 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${decimals.format(ms)} ms`;
  if (ms < 120_000) return `${decimals.format(ms / 1000)} s`;
  return ms < 7_200_000 ? `${decimals.format(ms / 60_000)} min` : `${decimals.format(ms / 3_600_000)} h`;
}
/** `1 render`, `2,000 renders`. */
export const formatCount = (count: number, one: string, several = `${one}s`) =>
  `${formatNumber(count)} ${count === 1 ? one : several}`;

/** `812 B`, `48.2 KB`, `1.3 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1e6) return `${decimals.format(bytes / 1000)} KB`;
  return `${decimals.format(bytes / 1e6)} MB`;
}

/** Formats a time in ISO 8601: `Nov 22, 2026`. */
export const formatDate = (time: string) => dates.format(new Date(time));
/** `Nov 22, 21:14:09`. */
export const formatTime = (time: string) => times.format(new Date(time));
/** `Sunday, November 22, 2026 at 21:14:09 UTC`. */
export const formatFullTime = (time: string) => fullTimes.format(new Date(time));
/** Formats a day in UTC such as `2026-11-22`: `Nov 22`. */
export const formatDay = (day: string) => days.format(new Date(`${day.slice(0, 10)}T00:00:00Z`));

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
/** Older times are shown as dates. */
const MAX_RELATIVE_DAYS = 14;

/** Formats a time by its age: `3 min ago`, `2 h ago`, `5 days ago`; a date if it is long ago. */
export function formatAgo(time: string, now = Date.now()): string {
  const seconds = (now - Date.parse(time)) / 1000;
  if (seconds < MINUTE) return 'just now';
  if (seconds < HOUR) return `${Math.floor(seconds / MINUTE)} min ago`;
  if (seconds < DAY) return `${Math.floor(seconds / HOUR)} h ago`;
  if (seconds < MAX_RELATIVE_DAYS * DAY) return `${formatCount(Math.floor(seconds / DAY), 'day')} ago`;
  return formatDate(time);
}
