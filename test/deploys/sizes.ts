// How large a deployment is.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The files of a folder and all that is below it, by their paths there. */
export function filesIn(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => !lstatSync(join(folder, name)).isDirectory());
}

/** The bytes of these files. */
export const bytesOf = (folder: string, files: readonly string[] = filesIn(folder)): number =>
  files.reduce((sum, name) => sum + lstatSync(join(folder, name)).size, 0);

/** `38.2 MB`, in millions of bytes. */
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
