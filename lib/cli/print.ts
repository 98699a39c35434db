// What an admin command found → a table for people, or JSON for programs.
import { oneLine } from './stdio.js';

/** A thing with fields, such as a workspace or a log entry. */
export type Fields = Readonly<Record<string, unknown>>;

/** Indented, a line feed at its end. */
export function asJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Rows in columns under a heading; `nothing` when there are none. */
export function asTable(rows: readonly Fields[], columns: readonly string[], nothing: string): string {
  if (rows.length === 0) return `${nothing}\n`;
  const cells = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((line) => [...line[at]].length)));
  const lines = cells.map((line) =>
    line
      .map((text, at) => padded(text, widths[at]))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** One thing, a field a line. */
export function asList(fields: Fields): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${padded(name, width)}  ${cell(value)}\n`)
    .join('');
}

const padded = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - [...text].length));

/** Whatever a name holds, it can't write over the terminal. */
function cell(value: unknown): string {
  if (value === undefined) return '';
  const text = Array.isArray(value)
    ? value.join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return oneLine(text).trimEnd();
}
