// A disk made of memory that fails as it is told and, at a power cut, forgets what was not synced: of every name any
// state since the folder's last sync may be left, in any mixture, and of every file that was not synced any torn form.
import type { FileSystem } from '../../lib/store/embedded/durable-file.js';
import { pick, roll } from '../exhaustive.js';

export type Call = 'open' | 'write' | 'sync' | 'close' | 'link' | 'copy' | 'rename' | 'remove' | 'read';

/** How one call fails: with which code, before or after it took effect. */
export interface Fault {
  readonly code: string;
  readonly late: boolean;
}

interface File {
  content: string;
  durable: boolean;
  /** A sync failed: the system takes the lost pages for clean ones, so that no later sync of this file writes them. */
  lost: boolean;
}

/** What one name has meant since it was last made durable, the durable meaning first. */
interface Entry {
  versions: (File | undefined)[];
  lost: boolean;
}

export class PowerCut extends Error {
  override readonly name = 'PowerCut';
}

const failure = (code: string, path: string) => Object.assign(new Error(`${code}: made to fail, '${path}'`), { code });

export class ModelDisk {
  readonly #entries = new Map<string, Entry>();
  /** Whether it has hard links. */
  readonly #links: boolean;
  /** Calls since it was made, or since `calls` was set. */
  calls = 0;
  /** Asked before every call; throws PowerCut when the power goes, gives how the call fails, or nothing. */
  fault: (call: Call, path: string) => Fault | undefined = () => undefined;

  constructor(links = true) {
    this.#links = links;
  }

  /** What a process finds that comes after one that was killed: all that took effect. */
  afterKill(): ModelDisk {
    return this.#left(
      (entry) => entry.versions.at(-1),
      (content) => content,
    );
  }

  /** One state in which the power may have left the disk. */
  afterPowerCut(random: () => number): ModelDisk {
    const bias = random();
    const name = (entry: Entry) => {
      const last = entry.versions.length - 1;
      if (random() < 0.5) return pick(random, entry.versions);
      return entry.versions[random() < bias ? 0 : last];
    };
    return this.#left(name, (content) => pick(random, tornForms(content, roll(random, content.length + 1))));
  }

  /** Every mixture of names, with every torn form of contents: all that the power may leave. */
  *allAfterPowerCut(): Generator<ModelDisk> {
    const open = [...this.#entries.values()].filter(({ versions }) => versions.length > 1);
    const mixtures = open.reduce((product, { versions }) => product * versions.length, 1);
    for (let mixture = 0; mixture < mixtures; mixture++) {
      for (let form = 0; form < FORMS; form++) {
        let rest = mixture;
        const chosen = new Map<Entry, File | undefined>();
        for (const entry of open) {
          chosen.set(entry, entry.versions[rest % entry.versions.length]);
          rest = Math.floor(rest / entry.versions.length);
        }
        yield this.#left(
          (entry) => (chosen.has(entry) ? chosen.get(entry) : entry.versions[0]),
          (content) => tornForms(content, content.length >> 1)[form],
        );
      }
    }
  }

  #left(meaning: (entry: Entry) => File | undefined, tear: (content: string) => string): ModelDisk {
    const disk = new ModelDisk(this.#links);
    const torn = new Map<File, File>();
    for (const [path, entry] of this.#entries) {
      const file = meaning(entry);
      if (!file) continue;
      const left = torn.get(file) ?? {
        content: file.durable ? file.content : tear(file.content),
        durable: true,
        lost: false,
      };
      torn.set(file, left);
      disk.#entries.set(path, { versions: [left], lost: false });
    }
    return disk;
  }

  #present(path: string): File | undefined {
    return this.#entries.get(path)?.versions.at(-1);
  }

  #find(path: string): File {
    const file = this.#present(path);
    if (!file) throw failure('ENOENT', path);
    return file;
  }

  #name(path: string, file: File | undefined): void {
    const entry = this.#entries.get(path) ?? { versions: [undefined], lost: false };
    entry.versions.push(file);
    entry.lost = false;
    this.#entries.set(path, entry);
  }

  #syncFolder(took: boolean): void {
    for (const entry of this.#entries.values()) {
      if (!took && entry.versions.length > 1) entry.lost = true;
      if (took && !entry.lost) entry.versions = entry.versions.slice(-1);
    }
  }

  async #step<Result>(call: Call, path: string, work: () => Result, instead: () => void = () => undefined) {
    await Promise.resolve();
    const fault = this.fault(call, path);
    this.calls++;
    if (!fault) return work();
    if (fault.late) work();
    else instead();
    throw failure(fault.code, path);
  }

  #handle(path: string, file: File | undefined) {
    const write = (text: string) => {
      if (file) Object.assign(file, { content: text, durable: false, lost: false });
    };
    const sync = (took: boolean) => {
      if (!file) this.#syncFolder(took);
      else if (!took) file.lost = true;
      else if (!file.lost) file.durable = true;
    };
    return {
      // A disk that fills up takes half of it.
      writeFile: (text: string) =>
        this.#step(
          'write',
          path,
          () => write(text),
          () => write(text.slice(0, text.length / 2)),
        ),
      sync: () =>
        this.#step(
          'sync',
          path,
          () => sync(true),
          () => sync(false),
        ),
      close: () => this.#step('close', path, () => undefined),
    };
  }

  get files(): FileSystem {
    const used = {
      readFile: (path: string) => this.#step('read', path, () => Buffer.from(this.#find(path).content)),
      rename: (from: string, to: string) =>
        this.#step('rename', to, () => {
          const file = this.#find(from);
          // As POSIX has it: between two names of one file, nothing happens.
          if (this.#present(to) === file) return;
          this.#name(to, file);
          this.#name(from, undefined);
        }),
      link: (from: string, to: string) =>
        this.#step('link', to, () => {
          if (!this.#links) throw failure('EPERM', to);
          const file = this.#find(from);
          if (this.#present(to)) throw failure('EEXIST', to);
          this.#name(to, file);
        }),
      copyFile: (from: string, to: string) =>
        this.#step('copy', to, () => {
          const { content } = this.#find(from);
          if (this.#present(to)) throw failure('EEXIST', to);
          this.#name(to, { content, durable: false, lost: false });
        }),
      rm: (path: string) => this.#step('remove', path, () => this.#present(path) && this.#name(path, undefined)),
      open: (path: string, flags: string) =>
        this.#step('open', path, () => {
          if (flags === 'r') return this.#handle(path, undefined);
          if (flags === 'wx' && this.#present(path)) throw failure('EEXIST', path);
          if (flags === 'wx') this.#name(path, { content: '', durable: false, lost: false });
          return this.#handle(path, this.#find(path));
        }),
    };
    return used as unknown as FileSystem;
  }
}

const FORMS = 5;

/** What may be left of a file that was not synced: all, nothing, its beginning, and zeros in place of what is missing. */
function tornForms(content: string, at: number): readonly string[] {
  const beginning = content.slice(0, at);
  return [content, '', beginning, beginning.padEnd(content.length, '\0'), '\0'.repeat(content.length)];
}
