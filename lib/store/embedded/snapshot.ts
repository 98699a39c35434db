// A table's rows ↔ the text of its file: JSON, a row a line, with a version and a checksum of the rows.
// What a reader does not know (fields of rows or of the file) is kept; what it can't trust is refused with a reason.
import { createHash } from 'node:crypto';
import { parseJson } from '../../contract/json.js';
import { RenderError } from '../../errors.js';

/** The version of the files that this program writes, and the newest that it reads. */
const VERSION = 1;

/** All rows of a table at one moment, by id, in the order of their making. Rows are never changed, only replaced. */
export interface Snapshot<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** Fields of the file that this program does not know. */
  readonly others: Readonly<Record<string, unknown>>;
}

/** Thrown when a text is no generation; the message says why, and reads on from the file's name and a colon. */
export class BrokenSnapshot extends Error {
  override readonly name = 'BrokenGeneration';
  /** Whole, but of a later format: nothing to repair. */
  readonly newer: boolean;

  constructor(message: string, newer = false, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.newer = newer;
  }
}

/** What tells one table's rows from anything else. */
export interface RowKind<Row> {
  /** The table's name, `keys`, and its file's: `keys.json`. */
  readonly table: string;
  readonly isRow: (value: unknown) => value is Row;
}

/** Writes generations of one table; remembers the line of every row that stays, as most of them do. */
export class SnapshotWriter<Row extends object> {
  readonly #lines = new WeakMap<Row, string>();
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  textOf({ rows, others }: Snapshot<Row>): string {
    const lines = Array.from(rows.values(), (row) => this.#lineOf(row)).join(',\n');
    const head = { table: this.#table, version: VERSION, checksum: checksumOf(lines), ...others };
    return `${JSON.stringify(head).slice(0, -1)},"rows":[\n${lines}\n]}\n`;
  }

  #lineOf(row: Row): string {
    const known = this.#lines.get(row);
    if (known !== undefined) return known;
    const line = JSON.stringify(row);
    this.#lines.set(row, line);
    return line;
  }
}

/** The generation that `bytes` hold. Throws BrokenGeneration. */
export function readSnapshot<Row extends { readonly id: string }>(
  bytes: Uint8Array,
  { table, isRow }: RowKind<Row>,
): Snapshot<Row> {
  const file = parse(bytes);
  if (!isObject(file) || file.table !== table) throw new BrokenSnapshot(`it is not the table "${table}"`);
  const { table: _table, version, checksum, rows: list, ...others } = file;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new BrokenSnapshot('it has no version');
  }
  if (version > VERSION) {
    throw new BrokenSnapshot(
      `a later version of the program wrote it (format ${version}): this one reads ${VERSION}`,
      true,
    );
  }
  if (!Array.isArray(list)) throw new BrokenSnapshot('it has no rows');
  const rows = new Map<string, Row>();
  for (const [index, row] of list.entries()) {
    if (!isRow(row)) throw new BrokenSnapshot(`row ${index + 1} is not one of "${table}"`);
    if (rows.has(row.id)) throw new BrokenSnapshot(`row ${index + 1} has the id of an earlier one`);
    rows.set(row.id, row);
  }
  // Whoever edits a file by hand takes the checksum out; one whose name was flipped still stands in its place.
  const third = Object.values(file)[2];
  if (checksum === undefined && typeof third === 'string' && /^[0-9a-f]{64}$/.test(third)) {
    throw new BrokenSnapshot('its checksum has lost its name');
  }
  if (checksum !== undefined && checksum !== checksumOf(list.map((row) => JSON.stringify(row)).join(',\n'))) {
    throw new BrokenSnapshot('its rows do not match its checksum');
  }
  return { rows, others };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    if (cause instanceof RenderError) throw new BrokenSnapshot(cause.message, false, cause);
    throw cause;
  }
}

function checksumOf(lines: string): string {
  return createHash('sha256').update(lines).digest('hex');
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
