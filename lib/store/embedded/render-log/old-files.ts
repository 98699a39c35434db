// The names that files of the render log had in older versions.
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { logFile, logFileNumbers } from '../json-lines/log-files.js';

/** The name of the render log's files. */
export const RENDERS = 'renders';
/** `renders.jsonl`, and `renders.N.jsonl` for a file that was rotated N times. */
const OLD_FILE_NAME = /^renders(?:\.([1-9]\d?))?\.jsonl$/;

/**
 * Gives the files of older versions the next numbers, the oldest first: after a crash in between, the next call continues.
 * Throws the system's error.
 */
export async function renameOldLogFiles(folder: string): Promise<void> {
  const names = await readdir(folder);
  const ageOf = (name: string) => Number(OLD_FILE_NAME.exec(name)?.[1] ?? 0);
  const old = names.filter((name) => OLD_FILE_NAME.test(name)).sort((a, b) => ageOf(b) - ageOf(a));
  let number = (await logFileNumbers(folder, RENDERS)).at(-1) ?? 0;
  for (const name of old) await rename(join(folder, name), join(folder, logFile(RENDERS, ++number)));
}
