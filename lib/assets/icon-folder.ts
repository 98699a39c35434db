// Reads sets of icons from a folder, on Node.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError } from '../errors.js';
import { reasonOf } from '../fonts/user-fonts.js';

/** A set of icons that is not checked yet, and its file. */
export interface IconFile {
  readonly name: string;
  readonly json: unknown;
}

/**
 * The sets of icons in a folder in the order of their names: its JSON files, and the `icons.json` of each folder in it, as in
 * `node_modules/@iconify-json`. Throws RenderError `invalid_request`.
 */
export async function readIconFolder(folder: string): Promise<IconFile[]> {
  let entries: readonly { readonly name: string; isDirectory(): boolean; isSymbolicLink(): boolean }[];
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (cause) {
    throw new RenderError('invalid_request', `${folder}: ${reasonOf(cause)}`, { cause });
  }
  const files: IconFile[] = [];
  for (const entry of [...entries].sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const mayBeFolder = entry.isDirectory() || entry.isSymbolicLink();
    if (entry.name.endsWith('.json') && !entry.isDirectory()) files.push(await readSet(path));
    else if (mayBeFolder) files.push(...(await readSetIn(path)));
  }
  if (files.length > 0) return files;
  throw new RenderError('invalid_request', `${folder}: has no JSON files with sets of icons`);
}

/** The set of a package of Iconify; empty for another folder. */
async function readSetIn(folder: string): Promise<IconFile[]> {
  const names: readonly string[] = await readdir(folder).catch(() => []);
  return names.includes('icons.json') ? [await readSet(join(folder, 'icons.json'))] : [];
}

async function readSet(path: string): Promise<IconFile> {
  try {
    return { name: path, json: JSON.parse(await readFile(path, 'utf8')) };
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? `is no JSON: ${cause.message}` : reasonOf(cause);
    throw new RenderError('invalid_request', `${path}: ${reason}`, { cause });
  }
}
