// A simulated disk with fault injection and power cuts. A power cut loses what was not synced: each directory entry reverts
// to any of its states since the folder's last sync, independently of the others, and each unsynced file may be torn.
import { basename, dirname, extname } from 'node:path';
import type { FileSystem } from '../../lib/store/embedded/durable-file.js';
import { pick } from '../exhaustive.js';

export type Call =
  | 'open'
  | 'write'
  | 'sync'
  | 'close'
  | 'link'
  | 'copy'
  | 'rename'
  | 'remove'
  | 'read'
  | 'mkdir'
  | 'list';

/** A failure of one call: its error code, and whether it comes before or after (`late`) the call takes effect. */
export interface Fault {
  readonly code: string;
  readonly late: boolean;
}

interface File {
  /** Content, one character for each byte. Empty for a folder. */
  content: string;
  /** Content that the last successful sync made durable. */
  synced: string;
  durable: boolean;
  /** A sync failed: the kernel treats the lost pages as clean, so no later sync of this file writes them. */
  lost: boolean;
}

/** The files that one name has referred to since it was last durable, the durable one first. */
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
  /** Whether the file system supports hard links. */
  readonly #links: boolean;
  /** Number of calls; tests reset it. */
  calls = 0;
  /** Called before every call: returns how the call fails, undefined for success, or throws PowerCut. */
  fault: (call: Call, path: string) => Fault | undefined = () => undefined;

  constructor(links = true) {
    this.#links = links;
  }

  /** The disk after the process was killed: everything that took effect is there. */
  afterKill(): ModelDisk {
    return this.#remaining(
      (entry) => entry.versions.at(-1),
      ({ content }) => content,
    );
  }

  /** Adds a file that is durable. */
  put(path: string, content: Uint8Array): void {
    this.#entries.set(path, {
      versions: [durableFile(Buffer.from(content).toString('latin1'))],
      lost: false,
    });
  }

  /** Returns a possible state after a power cut. */
  afterPowerCut(random: () => number): ModelDisk {
    const bias = random();
    const name = (entry: Entry) => {
      const last = entry.versions.length - 1;
      if (random() < 0.5) return pick(random, entry.versions);
      return entry.versions[random() < bias ? 0 : last];
    };
    return this.#remaining(name, (file) => pick(random, tornForms(file, random())));
  }

  /** All possible states after a power cut: every combination of names, with every torn form of contents. */
  *allAfterPowerCut(): Generator<ModelDisk> {
    const open = [...this.#entries.values()].filter(({ versions }) => versions.length > 1);
    const combinations = open.reduce((product, { versions }) => product * versions.length, 1);
    for (let combination = 0; combination < combinations; combination++) {
      for (let form = 0; form < TORN_FORMS; form++) {
        let rest = combination;
        const chosen = new Map<Entry, File | undefined>();
        for (const entry of open) {
          chosen.set(entry, entry.versions[rest % entry.versions.length]);
          rest = Math.floor(rest / entry.versions.length);
        }
        yield this.#remaining(
          (entry) => (chosen.has(entry) ? chosen.get(entry) : entry.versions[0]),
          (file) => tornForms(file, 0.5)[form],
        );
      }
    }
  }

  #remaining(choose: (entry: Entry) => File | undefined, tear: (file: File) => string): ModelDisk {
    const disk = new ModelDisk(this.#links);
    const torn = new Map<File, File>();
    const missing = new Set<string>();
    // A folder comes before the entries in it.
    for (const [path, entry] of this.#entries) {
      const file = missing.has(dirname(path)) ? undefined : choose(entry);
      if (!file) {
        missing.add(path);
        continue;
      }
      const remaining = torn.get(file) ?? durableFile(file.durable ? file.content : tear(file));
      torn.set(file, remaining);
      disk.#entries.set(path, { versions: [remaining], lost: false });
    }
    return disk;
  }

  #current(path: string): File | undefined {
    return this.#entries.get(path)?.versions.at(-1);
  }

  #find(path: string): File {
    const file = this.#current(path);
    if (!file) throw failure('ENOENT', path);
    return file;
  }

  /** Makes `path` refer to `file`, or to nothing. */
  #assign(path: string, file: File | undefined): void {
    const entry = this.#entries.get(path) ?? { versions: [undefined], lost: false };
    entry.versions.push(file);
    entry.lost = false;
    this.#entries.set(path, entry);
  }

  #syncFolder(folder: string, succeeds: boolean): void {
    for (const [path, entry] of this.#entries) {
      if (dirname(path) !== folder) continue;
      if (!succeeds && entry.versions.length > 1) entry.lost = true;
      if (succeeds && !entry.lost) entry.versions = entry.versions.slice(-1);
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
    const write = (content: string | Uint8Array, share = 1) => {
      const text = Buffer.from(content as string).toString('latin1');
      if (file) Object.assign(file, { content: text.slice(0, text.length * share), durable: false, lost: false });
    };
    const sync = (succeeds: boolean) => {
      if (!file) this.#syncFolder(path, succeeds);
      else if (!succeeds) file.lost = true;
      else if (!file.lost) Object.assign(file, { durable: true, synced: file.content });
    };
    /** Unlike `write`, does not bring back what an earlier failed sync of this file has lost. */
    const writeAt = (bytes: Buffer, position: number) => {
      if (!file) return;
      const { content } = file;
      const text = bytes.toString('latin1');
      const before = content.slice(0, position).padEnd(position, '\0');
      Object.assign(file, { content: before + text + content.slice(position + text.length), durable: false });
    };
    return {
      write: (bytes: Buffer, start: number, length: number, position: number) =>
        this.#step(
          'write',
          path,
          () => {
            writeAt(bytes.subarray(start, start + length), position);
            return { bytesWritten: length };
          },
          () => writeAt(bytes.subarray(start, start + (length >> 1)), position),
        ),
      read: (buffer: Buffer, start: number, length: number, position: number) =>
        this.#step('read', path, () => {
          const bytesRead = buffer.write(file?.content.slice(position, position + length) ?? '', start, 'latin1');
          return { bytesRead, buffer };
        }),
      // A failed write, as on a full disk, writes half of the content.
      writeFile: (content: string | Uint8Array) =>
        this.#step(
          'write',
          path,
          () => write(content),
          () => write(content, 0.5),
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
      readFile: (path: string) => this.#step('read', path, () => Buffer.from(this.#find(path).content, 'latin1')),
      rename: (from: string, to: string) =>
        this.#step('rename', to, () => {
          const file = this.#find(from);
          // POSIX: renaming one name of a file to another name of the same file does nothing.
          if (this.#current(to) === file) return;
          this.#assign(to, file);
          this.#assign(from, undefined);
        }),
      link: (from: string, to: string) =>
        this.#step('link', to, () => {
          if (!this.#links) throw failure('EPERM', to);
          const file = this.#find(from);
          if (this.#current(to)) throw failure('EEXIST', to);
          this.#assign(to, file);
        }),
      copyFile: (from: string, to: string) =>
        this.#step('copy', to, () => {
          const { content } = this.#find(from);
          if (this.#current(to)) throw failure('EEXIST', to);
          this.#assign(to, { ...newFile(), content });
        }),
      rm: (path: string) => this.#step('remove', path, () => this.#current(path) && this.#assign(path, undefined)),
      mkdir: (path: string) =>
        this.#step('mkdir', path, () => {
          if (this.#current(path)) throw failure('EEXIST', path);
          this.#assign(path, durableFile(''));
        }),
      readdir: (path: string) =>
        this.#step('list', path, () => {
          const names = [...this.#entries].filter(([each]) => dirname(each) === path && this.#current(each));
          return names.map(([each]) => basename(each));
        }),
      open: (path: string, flags: string) =>
        this.#step('open', path, () => {
          // Only files have an extension.
          if (flags === 'r' && extname(path) === '') return this.#handle(path, undefined);
          if (flags === 'wx' && this.#current(path)) throw failure('EEXIST', path);
          if (flags === 'wx') this.#assign(path, newFile());
          return this.#handle(path, this.#find(path));
        }),
    };
    return used as unknown as FileSystem;
  }
}

const TORN_FORMS = 5;

/**
 * The possible contents of an unsynced file: all, what was synced before, and what was synced followed by a part of the
 * rest, by a part and zeros, or by zeros. Bytes that a write does not touch stay as they are.
 */
function tornForms({ content, synced }: File, share: number): readonly string[] {
  let same = 0;
  while (same < synced.length && synced[same] === content[same]) same++;
  const beginning = content.slice(0, same + Math.floor(share * (content.length + 1 - same)));
  const zeros = (text: string) => text.padEnd(content.length, '\0');
  return [content, synced, beginning, zeros(beginning), zeros(content.slice(0, same))];
}

const newFile = (): File => ({ content: '', synced: '', durable: false, lost: false });
const durableFile = (content: string): File => ({ content, synced: content, durable: true, lost: false });
