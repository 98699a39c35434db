// The file of rows that a command names → its rows; whatever goes wrong with it is said with its name.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { RenderError } from '../../errors.js';
import type { CliContext } from '../stdio.js';
import { systemReason } from '../system-errors.js';
import { type Row, type Rows, readRows } from './rows.js';

/** Opens `source`, a path or `-`. Throws RenderError naming it, here and from the rows, when it can't be read. */
export async function openRows(source: string, { input, directory }: CliContext): Promise<Rows> {
  const name = source === '-' ? 'standard input' : source;
  const bytes = source === '-' ? input : createReadStream(resolve(directory, source));
  try {
    const { columns, each } = await readRows(source, bytes);
    return { columns, each: named(name, each) };
  } catch (error) {
    throw naming(name, error);
  }
}

/** Whether `source` can be read twice: a file can, a pipe can't. */
export async function isRepeatable(source: string, { directory }: CliContext): Promise<boolean> {
  if (source === '-') return false;
  const found = await stat(resolve(directory, source)).catch(() => undefined);
  return found?.isFile() ?? false;
}

async function* named(name: string, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    yield* rows;
  } catch (error) {
    throw naming(name, error);
  }
}

function naming(name: string, cause: unknown): unknown {
  const isSystem = cause instanceof Error && 'syscall' in cause;
  if (!isSystem && !(cause instanceof RenderError)) return cause;
  return new RenderError('invalid_request', `${name}: ${systemReason(cause)}`, { cause });
}
