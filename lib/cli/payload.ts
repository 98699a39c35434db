// Reads the JSON payload or template that a command names, from a file or standard input.
import { readFileSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseJson } from '../contract/json/parse.js';
import { CodedError, RenderError, ServiceError } from '../errors.js';
import { systemReason } from './errors.js';
import type { CliContext } from './stdio.js';

export interface LoadedPayload {
  readonly value: unknown;
  /** Absolute path of the folder that the payload's local paths are relative to. */
  readonly baseDirectory: string;
}

/** Reads `source`, a path or `-`. Throws RenderError `invalid_json`, which names the source. */
export async function readPayload(source: string, context: CliContext): Promise<LoadedPayload> {
  const name = source === '-' ? 'standard input' : source;
  try {
    if (source === '-') return { value: parseJson(await readAll(context.input)), baseDirectory: context.directory };
    const path = resolve(context.directory, source);
    // Node's asynchronous files take some milliseconds to load; a pipe may wait
    const bytes = statSync(path).isFile() ? readFileSync(path) : await readFile(path);
    return { value: parseJson(bytes), baseDirectory: dirname(path) };
  } catch (cause) {
    const reason = cause instanceof CodedError ? cause.message : (hintFor(source) ?? systemReason(cause));
    throw new ServiceError('invalid_json', `${name}: ${reason}`, { cause });
  }
}

/** Reads a file of markup as UTF-8. Throws RenderError `render_failed`, which names it. */
export async function readText(
  source: string,
  context: CliContext,
): Promise<{ readonly text: string; readonly baseDirectory: string }> {
  const path = resolve(context.directory, source);
  try {
    return { text: new TextDecoder().decode(await readFile(path)), baseDirectory: dirname(path) };
  } catch (cause) {
    throw new RenderError('render_failed', `${source}: ${systemReason(cause)}`, { cause });
  }
}

/** Advice for a source that is clearly not a file name. */
function hintFor(source: string): string | undefined {
  if (/^https?:\/\//i.test(source)) return 'URLs are not fetched; pipe the payload instead: curl -s URL | platen -';
  if (/^\s*[{[]/.test(source)) return 'expected a file name; pipe JSON to standard input instead: platen -';
  return undefined;
}

async function readAll(input: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks);
}
