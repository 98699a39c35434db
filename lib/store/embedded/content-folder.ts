// Files that are named by the SHA-256 of their content, in a folder beside the tables: NAME/<first two digits>/<digest>. A
// file is durable before the table that refers to it is written, and is checked against its name when it is read. Files
// that no table refers to are removed: while the store is open, or after a crash when it is opened.
import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type FileSystem, Mutex, replaceFile, syncFolder, WriteError } from './durable-file.js';

/** Thrown when a file is missing, can't be read, or has other content than its name says. */
export class DamagedContent extends Error {
  override readonly name = 'DamagedContent';
}

export interface ContentFolderOptions {
  readonly files: FileSystem;
  /** The data folder. */
  readonly folder: string;
  readonly name: string;
  /** Extension of the files' names. */
  readonly extension?: string;
  /** The generation of the table whose rows refer to the files. */
  readonly generation: () => number;
  /** Shared by all writes to entries of the data folder itself. */
  readonly mutex: Mutex;
  /** Called before each write; if it throws, nothing is written. */
  readonly assertLocked?: (() => Promise<void>) | undefined;
}

/** Files that are written at the same time by `writeAll`. */
const PARALLEL_WRITES = 8;

export class ContentFolder {
  readonly #options: ContentFolderOptions;
  /** Guards the entries of the folder's subfolders. */
  readonly #mutex = new Mutex();
  /** Folders whose own entry is durable. */
  readonly #durableFolders = new Set<string>();
  /** Number of changes in progress that refer to a file, by digest. */
  readonly #pins = new Map<string, number>();
  /** Number of references from the durable rows, by digest. */
  readonly #references = new Map<string, number>();
  /** Files without references, with the generation of the table that first had none. */
  readonly #unreferenced = new Map<string, number>();
  #removal: Promise<unknown> = Promise.resolve();

  constructor(options: ContentFolderOptions) {
    this.#options = options;
  }

  get #root(): string {
    return join(this.#options.folder, this.#options.name);
  }

  path(digest: string): string {
    return join(this.#root, digest.slice(0, 2), `${digest}${this.#options.extension ?? ''}`);
  }

  /**
   * Makes `content` durable, then runs `commit`, which makes a reference to it durable. If that fails, the file is removed
   * later. Throws WriteError.
   */
  async write<Result>(content: string | Uint8Array, commit: (digest: string) => Promise<Result>): Promise<Result> {
    const digest = digestOf(content);
    this.#pins.set(digest, (this.#pins.get(digest) ?? 0) + 1);
    try {
      // Written even if the file exists: it may be damaged, or not be durable.
      await this.#mutex.runExclusive(() => this.#writeFile(digest, content));
      const result = await commit(digest);
      this.collect();
      return result;
    } finally {
      const pins = (this.#pins.get(digest) ?? 1) - 1;
      if (pins > 0) this.#pins.set(digest, pins);
      else this.#pins.delete(digest);
      if (!this.#references.has(digest)) this.#unreferenced.set(digest, this.#options.generation());
    }
  }

  /** Makes many contents durable, several at a time. No other operation may run. Throws WriteError. */
  async writeAll(contents: Iterable<string | Uint8Array>): Promise<void> {
    const iterator = contents[Symbol.iterator]();
    const folders = new Set<string>();
    const written = new Set<string>();
    const work = async () => {
      for (let next = iterator.next(); !next.done; next = iterator.next()) {
        const digest = digestOf(next.value);
        if (written.has(digest)) continue;
        written.add(digest);
        const path = this.path(digest);
        await this.#makeFolder(dirname(path));
        folders.add(dirname(path));
        await replaceFile(this.#options.files, path, next.value, { syncsFolder: false });
      }
    };
    await Promise.all(Array.from({ length: PARALLEL_WRITES }, work));
    for (const folder of folders) {
      await syncFolder(this.#options.files, folder).catch((cause) =>
        Promise.reject(new WriteError(folder, true, cause)),
      );
    }
  }

  /** The content with this digest. Throws DamagedContent. */
  async read(digest: string): Promise<Buffer> {
    const path = this.path(digest);
    let content: Buffer;
    try {
      content = (await this.#options.files.readFile(path)) as Buffer;
    } catch (cause) {
      const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT';
      throw new DamagedContent(`${path}: ${isMissing ? 'it is missing' : (cause as Error).message}`, { cause });
    }
    if (digestOf(content) !== digest) throw new DamagedContent(`${path}: its content does not match its name`);
    return content;
  }

  /** Counts the references of a row that has become durable. */
  addReferences(digests: Iterable<string>): void {
    for (const digest of digests) this.#references.set(digest, (this.#references.get(digest) ?? 0) + 1);
  }

  /** Counts the references that the table no longer has. */
  removeReferences(digests: Iterable<string>): void {
    for (const digest of digests) {
      const count = (this.#references.get(digest) ?? 1) - 1;
      if (count > 0) {
        this.#references.set(digest, count);
        continue;
      }
      this.#references.delete(digest);
      this.#unreferenced.set(digest, this.#options.generation());
    }
  }

  /**
   * Removes, in the background, the files that neither the table refers to nor its backup, the generation before. A file
   * that can't be removed is left to the next start.
   */
  collect(): void {
    const generation = this.#options.generation();
    for (const [digest, since] of this.#unreferenced) {
      if (since >= generation) continue;
      this.#unreferenced.delete(digest);
      this.#removal = this.#mutex.runExclusive(async () => {
        if (this.#references.has(digest) || this.#pins.has(digest)) return;
        await this.#options.files.rm(this.path(digest), { force: true }).catch(() => undefined);
      });
    }
  }

  /** Resolves when the files that `collect` found are removed. */
  async settled(): Promise<void> {
    await this.#removal;
  }

  /**
   * Removes what a crash left: temporary files, and contents without a reference. `others`: more digests to keep, asked for
   * only when there is such a file. No other operation may run. Throws the system's error.
   */
  async sweep(others: () => Promise<readonly string[]>): Promise<void> {
    const orphans = new Map<string, string>();
    for (const prefix of await this.#list(this.#root)) {
      for (const name of await this.#list(join(this.#root, prefix))) {
        const digest = name.slice(0, 64);
        const path = join(this.#root, prefix, name);
        if (path !== this.path(digest) || !this.#references.has(digest)) orphans.set(path, digest);
      }
    }
    if (orphans.size === 0) return;
    const referenced = new Set(await others());
    for (const [path, digest] of orphans) {
      // Leaves alone what has no name of ours.
      const isOurs = path === this.path(digest) || path === `${this.path(digest)}.tmp`;
      if (isOurs && (path !== this.path(digest) || !referenced.has(digest)))
        await this.#options.files.rm(path, { force: true });
      else if (referenced.has(digest)) this.#unreferenced.set(digest, 0);
    }
  }

  async #list(folder: string): Promise<string[]> {
    try {
      return await this.#options.files.readdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      throw error;
    }
  }

  async #writeFile(digest: string, content: string | Uint8Array): Promise<void> {
    const path = this.path(digest);
    try {
      await this.#options.assertLocked?.();
    } catch (cause) {
      throw new WriteError(path, false, cause);
    }
    await this.#makeFolder(dirname(path));
    await replaceFile(this.#options.files, path, content);
  }

  /** Creates a subfolder, and the folder itself, unless both are known to be durable. */
  async #makeFolder(subfolder: string): Promise<void> {
    const { files, folder, mutex } = this.#options;
    if (this.#durableFolders.has(subfolder)) return;
    const make = async (path: string) => {
      await files.mkdir(path, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
      });
      await syncFolder(files, dirname(path));
      this.#durableFolders.add(path);
    };
    try {
      if (!this.#durableFolders.has(this.#root)) await mutex.runExclusive(() => make(this.#root));
      await make(subfolder);
    } catch (cause) {
      throw new WriteError(folder, false, cause);
    }
  }
}

/** The SHA-256 of `content`, hex. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
