// Serializes a table to the text of its file and back: JSON with one row per line, a format version and a checksum of the
// rows and the header. Unknown fields of rows and of the file are kept; a file that fails a check is rejected with the reason.
import { createHash } from 'node:crypto';
import { parseJson } from '../../contract/json/parse.js';
import { isObject } from '../../contract/schema/fields.js';
import { CodedError } from '../../errors.js';

/** The format version that this program writes, and the newest that it reads. It reads all earlier ones. */
export const FORMAT_VERSION = 2;

/** All rows of a table at one moment, by id, in order of creation. Rows are immutable: a change replaces the row. */
export interface Snapshot<Row> {
  readonly rows: ReadonlyMap<string, Row>;
  /** The other fields of the file, known or not. */
  readonly header: Readonly<Record<string, unknown>>;
}

/** A snapshot that was read from a file. */
export interface StoredSnapshot<Row> extends Snapshot<Row> {
  /** The file's format version. */
  readonly version: number;
}

/** Thrown when a file has no valid snapshot. The message is the reason, worded to follow the file's name and a colon. */
export class CorruptSnapshot extends Error {
  override readonly name = 'CorruptSnapshot';
  /** The file is not corrupt; its format is newer than this program. */
  readonly isNewerFormat: boolean;

  constructor(message: string, isNewerFormat = false, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.isNewerFormat = isNewerFormat;
  }
}

export interface TableDefinition<Row> {
  /** The table's name, such as `keys`; its file is `keys.json`. */
  readonly table: string;
  /** `version` is the format version of the file; rows of an older one are upgraded after they are loaded. */
  readonly isRow: (value: unknown, version: number) => value is Row;
}

/** Serializes snapshots of one table. Caches the line of each row, since most rows do not change between snapshots. */
export class SnapshotWriter<Row extends object> {
  readonly #lines = new WeakMap<Row, string>();
  readonly #table: string;

  constructor(table: string) {
    this.#table = table;
  }

  serialize({ rows, header }: Snapshot<Row>): string {
    const lines = Array.from(rows.values(), (row) => this.#lineOf(row)).join(',\n');
    const head = { table: this.#table, version: FORMAT_VERSION, checksum: checksumOf(header, lines), ...header };
    return `${JSON.stringify(head).slice(0, -1)},"rows":[\n${lines}\n]}\n`;
  }

  #lineOf(row: Row): string {
    const cached = this.#lines.get(row);
    if (cached !== undefined) return cached;
    const line = JSON.stringify(row);
    this.#lines.set(row, line);
    return line;
  }
}

/** A checksum has 64 characters; a bit flip may join two of them to an escape sequence. */
const MIN_CHECKSUM_LENGTH = 60;

/** Parses the content of a table's file. Throws CorruptSnapshot. */
export function readSnapshot<Row extends { readonly id: string }>(
  bytes: Uint8Array,
  { table, isRow }: TableDefinition<Row>,
): StoredSnapshot<Row> {
  const file = parse(bytes);
  if (!isObject(file) || file.table !== table) throw new CorruptSnapshot(`it is not the table "${table}"`);
  const { table: _table, version, checksum, rows: list, ...header } = file;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1) {
    throw new CorruptSnapshot('it has no version');
  }
  if (version > FORMAT_VERSION) {
    throw new CorruptSnapshot(
      `a later version of the program wrote it (format ${version}): this one reads ${FORMAT_VERSION}`,
      true,
    );
  }
  if (!Array.isArray(list)) throw new CorruptSnapshot('it has no rows');
  const rows = new Map<string, Row>();
  for (const [index, row] of list.entries()) {
    if (!isRow(row, version)) throw new CorruptSnapshot(`row ${index + 1} is not a valid row of "${table}"`);
    if (rows.has(row.id)) throw new CorruptSnapshot(`row ${index + 1} has the id of an earlier row`);
    rows.set(row.id, row);
  }
  // A user who edits a file by hand removes the checksum. If bit flips damaged the name of that field instead, and perhaps its
  // value, there is still a long text in third place.
  const third = Object.values(file)[2];
  if (checksum === undefined && typeof third === 'string' && third.length >= MIN_CHECKSUM_LENGTH) {
    throw new CorruptSnapshot('the name of its checksum field is damaged');
  }
  // Format 1 checksums only the rows.
  const covered = version === 1 ? undefined : header;
  if (checksum !== undefined && checksum !== checksumOf(covered, list.map((row) => JSON.stringify(row)).join(',\n'))) {
    throw new CorruptSnapshot('its rows do not match its checksum');
  }
  return { rows, header, version };
}

function parse(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes);
  } catch (cause) {
    if (cause instanceof CodedError) throw new CorruptSnapshot(cause.message, false, cause);
    throw cause;
  }
}

function checksumOf(header: Readonly<Record<string, unknown>> | undefined, lines: string): string {
  const hash = createHash('sha256');
  if (header) hash.update(`${JSON.stringify(header)}\n`);
  return hash.update(lines).digest('hex');
}
