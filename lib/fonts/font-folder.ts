// Finds the font files of a folder, on Node.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { RenderError } from '../errors.js';
import { FONT_EXTENSION, type FontSource, reasonOf } from './user-fonts.js';

/** The font files of a folder, by their extensions, in the order of their names. Throws RenderError `invalid_request`. */
export async function listFontFiles(folder: string): Promise<FontSource[]> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (cause) {
    throw new RenderError('invalid_request', `${folder}: ${reasonOf(cause)}`, { cause });
  }
  const files = names.filter((name) => FONT_EXTENSION.test(name)).sort();
  if (files.length === 0) throw new RenderError('invalid_request', `${folder}: has no TTF, OTF, WOFF or WOFF2 files`);
  return files.map((name) => ({ path: join(folder, name) }));
}
