// Archives: many small files as one. A line of JSON with the length of each file by its name, and their bytes one after the
// other. The service reads them (lib/service/http/file-source.ts), and the library the hyphenation patterns (lib/node-host.ts).
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/** The bytes of an archive of `[name, bytes]` entries. */
export function archive(/** @type {Iterable<[string, Uint8Array]>} */ entries) {
  const files = [...entries];
  const lengths = Object.fromEntries(files.map(([name, bytes]) => [name, bytes.length]));
  return Buffer.concat([Buffer.from(`${JSON.stringify(lengths)}\n`), ...files.map(([, bytes]) => bytes)]);
}

/** Writes `FOLDER.archive`: all files of the folder and the folders in it. The package has it in place of the folder. */
export function archiveFolder(/** @type {string} */ folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => statSync(join(folder, name)).isFile())
    .sort();
  const entries = names.map((name) => [name.split(sep).join('/'), readFileSync(join(folder, name))]);
  writeFileSync(`${folder}.archive`, archive(entries));
}
