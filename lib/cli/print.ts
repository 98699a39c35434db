// Formats command results: tables and lists for people, JSON for programs.
import type { ExitCode } from './errors.js';
import { oneLine } from './stdio.js';

/** A result in both forms: `value` is printed as JSON, `text` on a terminal. */
export interface CommandOutput {
  readonly value: unknown;
  readonly text: string;
  /** Exit code; EXIT.done by default. */
  readonly code?: ExitCode;
}

/** A record with named fields, such as a workspace or a log entry. */
export type PrintedFields = Readonly<Record<string, unknown>>;

/** Indented JSON with a trailing line feed. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Aligned columns below a heading; `emptyText` if there are no rows. */
export function formatTable(rows: readonly PrintedFields[], columns: readonly string[], emptyText: string): string {
  if (rows.length === 0) return `${emptyText}\n`;
  const cells = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  const widths = columns.map((_, i) => Math.max(...cells.map((line) => [...line[i]].length)));
  const lines = cells.map((line) =>
    line
      .map((text, i) => pad(text, widths[i]))
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}

/** Formats a record, one field per line. */
export function formatRecord(fields: PrintedFields): string {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields)
    .map(([name, value]) => `${pad(name, width)}  ${formatCell(value)}\n`)
    .join('');
}

/** Pads to `width` code points. */
const pad = (text: string, width: number) => text + ' '.repeat(Math.max(0, width - [...text].length));

/** Formats a cell without control characters, which could overwrite the terminal. */
function formatCell(value: unknown): string {
  if (value === undefined) return '';
  const text = Array.isArray(value)
    ? value.join(',')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return oneLine(text).trimEnd();
}
