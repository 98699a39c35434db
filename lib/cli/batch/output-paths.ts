// `out/{team}/{name}.png` and a row → the file that the row's picture goes to. Whatever the row holds, the file lies where
// the pattern says: a value never adds a folder or leaves one.
import { resolve } from 'node:path';
import { closestMatch } from '../../contract/closest-match.js';
import { formatReceived } from '../../contract/issues.js';
import { UsageError } from '../parse-options.js';
import type { Row } from './rows.js';

/** `{#}`, or `{name}` with a column's name. */
const PLACEHOLDER = /\{([^{}]+)\}/g;
const NUMBER = '#';
/** Separators, and what Windows allows in no file name. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}/\\<>:"|?*]+/gu;

/** The columns that the pattern names. */
export function columnsIn(pattern: string): Set<string> {
  return new Set([...pattern.matchAll(PLACEHOLDER)].map(([, name]) => name).filter((name) => name !== NUMBER));
}

/** Throws UsageError when the pattern names a column that is none of `columns`. */
export function checkPattern(pattern: string, columns: readonly string[]): void {
  for (const name of columnsIn(pattern)) {
    if (columns.includes(name)) continue;
    const meant = closestMatch(name, columns);
    const hint = meant === undefined ? `, expected one of ${columns.join(', ')}` : `; did you mean {${meant}}?`;
    throw new UsageError(`--output: {${name}} is no column of the rows${hint}`);
  }
}

/** The pattern with the row's values in place. Throws RowError when one is missing or empty. */
export function fileName(pattern: string, { number, values }: Extract<Row, { values: object }>): string {
  return pattern.replace(PLACEHOLDER, (_placeholder, name: string) => {
    if (name === NUMBER) return String(number);
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const text = typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
    const safe = typeof text === 'string' ? safePart(text) : '';
    if (safe === '')
      throw new RowError(`{${name}} of the file's name: received ${formatReceived(value)}, expected a text`);
    return safe;
  });
}

/** `text` as a part of a file's name: no separator, no leading dot (`..`, hidden files), no blanks around it. */
function safePart(text: string): string {
  return text.normalize('NFC').replace(UNSAFE, '-').trim().replace(/^\.+/, '-');
}

/** Thrown for what is wrong with one row alone. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

/** Files that are spoken for, so that no row overwrites another row's picture or what the batch is made from. */
export class OutputPaths {
  readonly #owners = new Map<string, string>();
  readonly #directory: string;

  /** Relative paths start from `directory`. */
  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The absolute path of `file`, from now on `owner`'s ("row 3"). Throws RowError when it is somebody's already. */
  reserve(file: string, owner: string): string {
    const path = resolve(this.#directory, file);
    // Names that differ in case alone are one file on some systems; a batch does the same on all of them.
    const key = path.toLowerCase();
    const earlier = this.#owners.get(key);
    if (earlier !== undefined) {
      throw new RowError(`${file} is that of ${earlier} already; {#} in the name tells rows apart`);
    }
    this.#owners.set(key, owner);
    return path;
  }
}
