// A file system whose calls fail.
import { promises } from 'node:fs';
import type { FileSystem } from '../../../lib/store/embedded/durable-file.js';

/** Counts calls and makes the selected ones fail, before or after they take effect. */
export function failing(code: string) {
  let calls = 0;
  let selected = (_call: number) => false;
  let late = false;
  let failed = false;
  const attempt = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const fails = selected(calls++);
    failed = fails;
    const result = !fails || late ? await work() : undefined;
    if (fails) throw Object.assign(new Error(`${code}: made to fail`), { code });
    return result as Result;
  };
  const files = {
    ...promises,
    rename: (from, to) => attempt(() => promises.rename(from, to)),
    // The store copies a file if linking fails, so the copy fails too.
    link: (from, to) => attempt(() => promises.link(from, to)),
    copyFile: async (from, to) => {
      if (failed) throw Object.assign(new Error(`${code}: made to fail`), { code });
      await promises.copyFile(from, to);
    },
    mkdir: (path: string, options?: { mode: number }) => attempt(() => promises.mkdir(path, options)),
    rm: (path, options) => attempt(() => promises.rm(path, options)),
    open: async (path, flags, mode) => {
      let handle: promises.FileHandle | undefined;
      await attempt(async () => {
        handle = await promises.open(path, flags, mode);
      }).catch(async (error) => {
        await handle?.close();
        throw error;
      });
      return Object.assign(Object.create(handle!), {
        writeFile: (text: string | Uint8Array) => attempt(() => handle!.writeFile(text)),
        sync: () => attempt(() => handle!.sync()),
        close: () => handle!.close(),
      });
    },
  } as FileSystem;
  return {
    files,
    get calls() {
      return calls;
    },
    fail(which: (call: number) => boolean, afterEffect = false) {
      calls = 0;
      selected = which;
      late = afterEffect;
    },
  };
}
