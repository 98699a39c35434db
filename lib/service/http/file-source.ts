// The files of a folder: as it lies on the disk, or from the archive that the package has in its place (scripts/archive.mjs).
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { join, sep } from 'node:path';

export interface FileSource {
  /** Paths of the files, relative to the folder, with slashes. */
  readonly names: readonly string[];
  /** A text that changes with the file's content. */
  version(name: string): string;
  /** The file's bytes. Rejects if it can't be read. */
  read(name: string): Promise<Uint8Array>;
}

/** Reads `FOLDER.archive` if there is one, or else the folder. Without either there are no files. */
export function openFolder(folder: string): FileSource {
  const archive = `${folder}.archive`;
  return existsSync(archive) ? openArchive(archive) : readFolder(folder);
}

function readFolder(folder: string): FileSource {
  return {
    names: namesIn(folder),
    version(name) {
      const { size, mtimeMs } = statSync(join(folder, name));
      return `${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}`;
    },
    read: (name) => readFile(join(folder, name)),
  };
}

function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => statSync(join(folder, name)).isFile()).map((name) => name.split(sep).join('/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface Entry {
  /** Offset and length in the archive, in bytes. */
  readonly start: number;
  readonly length: number;
}

function openArchive(path: string): FileSource {
  const file = readFileSync(path);
  // npm gives every package's files the same time of change
  const digest = createHash('sha256').update(file).digest('base64url').slice(0, 12);
  const header = file.indexOf('\n');
  const entries = new Map<string, Entry>();
  let start = header + 1;
  for (const [name, length] of Object.entries<number>(JSON.parse(file.toString('utf8', 0, header)))) {
    entries.set(name, { start, length });
    start += length;
  }
  return {
    names: [...entries.keys()],
    version: (name) => `${entries.get(name)!.start.toString(36)}-${digest}`,
    async read(name) {
      const { start, length } = entries.get(name)!;
      const bytes = Buffer.alloc(length);
      const handle = await open(path);
      try {
        await handle.read(bytes, 0, length, start);
      } finally {
        await handle.close();
      }
      return bytes;
    },
  };
}
