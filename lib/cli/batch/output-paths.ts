// Builds the output path of a row from a pattern such as `out/{team}/{name}.png`. Row values are sanitized: a value never
// adds a folder or escapes one.
import { resolve } from 'node:path';
import { closestMatch } from '../../contract/closest-match.js';
import { formatReceived } from '../../contract/issues.js';
import { UsageError } from '../parse-options.js';
import type { Row } from './rows.js';

/** `{#}`, or `{name}` with a column's name. */
const PLACEHOLDER = /\{([^{}]+)\}/g;
const NUMBER = '#';
/** Control characters, path separators, and characters that Windows forbids in file names. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}/\\<>:"|?*]+/gu;

/** The columns that the pattern names. */
export function columnsIn(pattern: string): Set<string> {
  return new Set([...pattern.matchAll(PLACEHOLDER)].map(([, name]) => name).filter((name) => name !== NUMBER));
}

/** Throws UsageError if the pattern names a column that is not in `columns`. */
export function checkPattern(pattern: string, columns: readonly string[]): void {
  for (const name of columnsIn(pattern)) {
    if (columns.includes(name)) continue;
    const suggestion = closestMatch(name, columns);
    const hint =
      suggestion === undefined ? `, expected one of ${columns.join(', ')}` : `; did you mean {${suggestion}}?`;
    throw new UsageError(`--output: {${name}} is not a column of the rows${hint}`);
  }
}

/** Fills in the pattern's placeholders. Throws RowError if a value is missing or empty. */
export function fileName(pattern: string, { number, values }: Extract<Row, { values: object }>): string {
  return pattern.replace(PLACEHOLDER, (_placeholder, name: string) => {
    if (name === NUMBER) return String(number);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    const safe = typeof text === 'string' ? sanitize(text) : '';
    if (safe === '')
      throw new RowError(`{${name}} in the file name: received ${formatReceived(value)}, expected non-empty text`);
    return safe;
  });
}

/** Makes `text` safe within a file name: no separators, no leading dots (`..`, hidden files), no surrounding blanks. */
function sanitize(text: string): string {
  return text.normalize('NFC').replace(UNSAFE, '-').trim().replace(/^\.+/, '-');
}

/** An error that concerns one row only. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

/** Reserves output paths, so that no row overwrites another row's image or the batch's own input files. */
export class OutputPaths {
  readonly #owners = new Map<string, string>();
  readonly #directory: string;

  /** Relative paths start from `directory`. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Reserves `file` for `owner` ("row 3") and returns its absolute path. Throws RowError if it is reserved already. */
  reserve(file: string, owner: string): string {
    const path = resolve(this.#directory, file);
    // Case-insensitive, as some file systems are: a batch behaves the same on all of them.
    const key = path.toLowerCase();
    const earlier = this.#owners.get(key);
    if (earlier !== undefined) {
      throw new RowError(`${file} is already used by ${earlier}; add {#} to the name to make it unique`);
    }
    this.#owners.set(key, owner);
    return path;
  }
}
