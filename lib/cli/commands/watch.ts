// A payload on disk → a call whenever it, or a local file that it names, changes. Changes that come close together are
// one; a call is never made while another runs.
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { parseAssetUrl } from '../../assets/source.js';
import { parseJson } from '../../contract/json.js';
import type { RenderCommand } from '../args.js';
import { collectUrls } from '../assets.js';
import { type CliContext, write } from '../stdio.js';

/** Editors and generators write a file in several steps: wait until it has been quiet for this long. */
const QUIET_MS = 60;

/** Calls `drawAgain` at once and after each change, until the terminal's signal ends it. */
export async function watchPayload(
  { source, output, variables }: RenderCommand,
  terminal: CliContext,
  drawAgain: () => Promise<void>,
): Promise<void> {
  const path = resolve(terminal.directory, source);
  const watchers = new Map<string, FSWatcher>();
  let files = new Set<string>();
  let wake: () => void = () => undefined;
  let changed = false;
  let timer: NodeJS.Timeout | undefined;
  const onChange = (file: string) => {
    if (!files.has(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      changed = true;
      wake();
    }, QUIET_MS);
  };

  /** Folders are watched, not files: an editor that saves by renaming would take a file's watcher with it. */
  const watchFolders = () => {
    const folders = new Set([...files].map((file) => dirname(file)));
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      const watcher = openWatcher(folder, (name) => onChange(resolve(folder, name)));
      if (watcher) watchers.set(folder, watcher);
    }
  };

  const { signal } = terminal;
  const stop = () => wake();
  signal?.addEventListener('abort', stop);
  try {
    while (!signal?.aborted) {
      changed = false;
      // Watched before it is read: a change in between is seen.
      files = await filesOf(path);
      if (variables?.file !== undefined) files.add(resolve(terminal.directory, variables.file));
      // A payload that shows its own last picture would be drawn for ever.
      if (output !== undefined) files.delete(resolve(terminal.directory, output));
      watchFolders();
      await drawAgain();
      if (changed || signal?.aborted) continue;
      await write(terminal.errors, `watching ${[...files].map((file) => basename(file)).join(', ')}\n`);
      await new Promise<void>((done) => {
        wake = done;
        if (changed || signal?.aborted) done();
      });
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  }
}

/** A watcher of the files in `folder`; undefined where there is no such folder (yet). */
function openWatcher(folder: string, onChange: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) onChange(name);
    });
    // The folder was removed: the next change of another file looks for it again.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** The payload's file and every local picture and font that it names; the payload alone when it can't be read now. */
async function filesOf(path: string): Promise<Set<string>> {
  const files = new Set([path]);
  try {
    for (const url of collectUrls(parseJson(await readFile(path)))) {
      const file = localFile(url, dirname(path));
      if (file !== undefined) files.add(file);
    }
  } catch {
    // What is wrong with the payload is the render's to say.
  }
  return files;
}

function localFile(url: string, baseDirectory: string): string | undefined {
  try {
    const address = parseAssetUrl(url, { baseDirectory });
    return address.kind === 'file' ? address.path : undefined;
  } catch {
    return undefined;
  }
}
