// A disk made of memory that forgets, at a power cut, what was not synced: contents of files apart from the names that
// folders give them. After a cut it is read as the worst, or the best, that could be left.
import type { FileSystem } from '../../lib/store/durable.js';

interface Inode {
  content: string;
  synced: string | undefined;
}

const failure = (code: string, path: string) => Object.assign(new Error(`${code}: ${path}`), { code });

export class PowerlessDisk {
  /** Names as a running program sees them, and as they stand on the platter. */
  #names = new Map<string, Inode>();
  #durable = new Map<string, Inode>();
  #calls = 0;
  #cutAt = Number.POSITIVE_INFINITY;

  get calls(): number {
    return this.#calls;
  }

  /** From the given call on, counted from now, no call takes effect. */
  cutAt(call: number): void {
    this.#calls = 0;
    this.#cutAt = call;
  }

  /** What a machine finds when the power is back: names and contents each as synced, or as they were last. */
  after(names: 'synced' | 'last', contents: 'synced' | 'torn'): PowerlessDisk {
    const disk = new PowerlessDisk();
    for (const [path, inode] of names === 'synced' ? this.#durable : this.#names) {
      const torn = inode.content.slice(0, inode.content.length / 2);
      const content = inode.synced ?? (contents === 'torn' ? torn : '');
      const found = { content, synced: content };
      disk.#names.set(path, found);
      disk.#durable.set(path, found);
    }
    return disk;
  }

  get files(): FileSystem {
    const inode = (path: string): Inode => {
      const found = this.#names.get(path);
      if (!found) throw failure('ENOENT', path);
      return found;
    };
    const step = async <Result>(work: () => Result): Promise<Result> => {
      await Promise.resolve();
      if (this.#calls++ >= this.#cutAt) throw new Error('the power is off');
      return work();
    };
    const handleOf = (path: string, file: Inode | undefined) => ({
      writeFile: (text: string) =>
        step(() => {
          file!.content = text;
          file!.synced = undefined;
        }),
      sync: () =>
        step(() => {
          if (file) file.synced = file.content;
          else this.#syncNames(path);
        }),
      close: async () => undefined,
    });
    const used = {
      readFile: (path: string) => step(() => Buffer.from(inode(path).content)),
      rename: (from: string, to: string) =>
        step(() => {
          this.#names.set(to, inode(from));
          this.#names.delete(from);
        }),
      link: (from: string, to: string) =>
        step(() => {
          const file = inode(from);
          if (this.#names.has(to)) throw failure('EEXIST', to);
          this.#names.set(to, file);
        }),
      copyFile: (from: string, to: string) =>
        step(() => void this.#names.set(to, { content: inode(from).content, synced: undefined })),
      rm: (path: string) => step(() => void this.#names.delete(path)),
      open: (path: string, flags: string) =>
        step(() => {
          if (flags === 'r') return handleOf(path, undefined);
          if (flags === 'wx' && this.#names.has(path)) throw failure('EEXIST', path);
          if (flags === 'wx') this.#names.set(path, { content: '', synced: undefined });
          return handleOf(path, inode(path));
        }),
    };
    return used as unknown as FileSystem;
  }

  #syncNames(folder: string): void {
    for (const path of this.#durable.keys()) if (path.startsWith(folder)) this.#durable.delete(path);
    for (const [path, inode] of this.#names) if (path.startsWith(folder)) this.#durable.set(path, inode);
  }
}
