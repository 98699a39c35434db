// The payload that a command names → its JSON value, and the folder that its local paths start from.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseJson } from '../contract/json.js';
import { RenderError } from '../errors.js';
import { systemReason } from './errors.js';
import type { CliContext } from './stdio.js';

export interface Source {
  readonly value: unknown;
  /** Absolute. */
  readonly baseDirectory: string;
}

/** Reads `source`, a path or `-`. Throws RenderError `invalid_json` naming the source when it can't be read or is no JSON. */
export async function readPayload(source: string, { input, directory }: CliContext): Promise<Source> {
  const name = source === '-' ? 'standard input' : source;
  try {
    if (source === '-') return { value: parseJson(await readAll(input)), baseDirectory: directory };
    const path = resolve(directory, source);
    return { value: parseJson(await readFile(path)), baseDirectory: dirname(path) };
  } catch (cause) {
    const reason = cause instanceof RenderError ? cause.message : (hintFor(source) ?? systemReason(cause));
    throw new RenderError('invalid_json', `${name}: ${reason}`, { cause });
  }
}

/** What to do instead, for what is clearly no file's name. */
function hintFor(source: string): string | undefined {
  if (/^https?:\/\//i.test(source)) return 'a URL is not read; pipe what is there: curl -s URL | render -';
  if (/^\s*[{[]/.test(source)) return 'expected the name of a file; JSON itself goes to standard input: render -';
  return undefined;
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
}
