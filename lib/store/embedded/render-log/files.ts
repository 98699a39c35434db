// The files of the render log: renders-000001.jsonl and so on. Numbers only increase, so a position in a file stays valid.
import { readdir, rename } from 'node:fs/promises';
import { join } from 'node:path';

const FILE_NAME = /^renders-(\d{6,15})\.jsonl$/;
/** Names of older versions: `renders.jsonl`, and `renders.N.jsonl` for a file that was rotated N times. */
const OLD_FILE_NAME = /^renders(?:\.([1-9]\d?))?\.jsonl$/;

export function logFile(number: number): string {
  return `renders-${String(number).padStart(6, '0')}.jsonl`;
}

/** The numbers of the log files in `folder`, ascending. Throws the system's error. */
export async function logFileNumbers(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  const numbers = names.flatMap((name) => FILE_NAME.exec(name)?.[1] ?? []).map(Number);
  return numbers.sort((a, b) => a - b);
}

/**
 * Gives the files of older versions the next numbers, the oldest first: after a crash in between, the next call continues.
 * Throws the system's error.
 */
export async function renameOldLogFiles(folder: string): Promise<void> {
  const names = await readdir(folder);
  const ageOf = (name: string) => Number(OLD_FILE_NAME.exec(name)?.[1] ?? 0);
  const old = names.filter((name) => OLD_FILE_NAME.test(name)).sort((a, b) => ageOf(b) - ageOf(a));
  let number = (await logFileNumbers(folder)).at(-1) ?? 0;
  for (const name of old) await rename(join(folder, name), join(folder, logFile(++number)));
}
