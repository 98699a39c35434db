// Builds the output path of a row from a pattern such as `out/{team}/{name}.png`. Row values are sanitized: a value never
// adds a folder or escapes one.
import { resolve } from 'node:path';
import { safeName } from '../../batch/file-names.js';
import { type Row, RowError } from '../../batch/rows.js';
import { formatReceived } from '../../contract/json/describe.js';
import { closestMatch } from '../../contract/messages/closest-match.js';
import { makeFolders } from '../../store/make-folders.js';
import { systemReason } from '../errors.js';
import { UsageError } from '../parse-options.js';

/** `{#}`, or `{name}` with a column's name. */
const PLACEHOLDER = /\{([^{}]+)\}/g;
const NUMBER = '#';

/** Whether the pattern gives each row a file of its own. */
export function hasPlaceholder(pattern: string): boolean {
  return pattern.search(PLACEHOLDER) >= 0;
}

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
    const safe = typeof text === 'string' ? safeName(text) : '';
    if (safe === '')
      throw new RowError(`{${name}} in the file name: received ${formatReceived(value)}, expected non-empty text`);
    return safe;
  });
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

/** Throws RowError. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await makeFolders(path);
  } catch (error) {
    throw new RowError(`the folder ${path} can't be made: ${systemReason(error)}`);
  }
}
