// Opens the rows of a batch, a file or standard input. Errors name it.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Row, type RowSource, readRows } from '../../batch/rows.js';
import { CodedError, RenderError } from '../../errors.js';
import type { BatchCommand } from '../args.js';
import { systemReason } from '../errors.js';
import type { CliContext } from '../stdio.js';
import { checkPattern } from './output-paths.js';

/** Opens `source`, a path or `-`. Errors name it, here and while the rows are read. */
export async function openRows(source: string, { input, directory }: CliContext): Promise<RowSource> {
  const name = source === '-' ? 'standard input' : source;
  const bytes = source === '-' ? input : createReadStream(resolve(directory, source));
  try {
    const { columns, rows } = await readRows(source, bytes);
    return { columns, rows: withName(name, rows) };
  } catch (error) {
    throw withSourceName(name, error);
  }
}

/** Whether `source` can be read twice: a regular file can, a pipe can't. */
export async function isRepeatable(source: string, { directory }: CliContext): Promise<boolean> {
  if (source === '-') return false;
  const stats = await stat(resolve(directory, source)).catch(() => undefined);
  return stats?.isFile() ?? false;
}

/** Reads all rows once, so that a malformed file is rejected before anything is rendered. */
export async function countRows({ rows: source, output }: BatchCommand, terminal: CliContext): Promise<number> {
  const { columns, rows } = await openRows(source, terminal);
  if (columns) checkPattern(output, columns);
  let count = 0;
  for await (const _row of rows) count++;
  return count;
}

async function* withName(name: string, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw withSourceName(name, error);
  }
}

function withSourceName(name: string, cause: unknown): unknown {
  const isSystemError = cause instanceof Error && 'syscall' in cause;
  if (!isSystemError && !(cause instanceof CodedError)) return cause;
  return new RenderError('invalid_request', `${name}: ${systemReason(cause)}`, { cause });
}
