// `--watch`: renders again whenever the payload, or a local file that it references, changes. Changes in quick succession
// are merged, and renders never overlap.
import { type FSWatcher, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { parseAssetUrl } from '../../assets/source.js';
import { parseJson } from '../../contract/json/parse.js';
import type { RenderCommand } from '../args.js';
import { collectUrls } from '../assets.js';
import { type CliContext, write } from '../stdio.js';

/** Editors and generators write a file in several steps, so we wait until nothing has changed for this long. */
const DEBOUNCE_MS = 60;

/** Calls `render` once, then after each change, until the context's signal aborts. */
export async function watchPayload(
  { source, output, variables }: RenderCommand,
  context: CliContext,
  render: () => Promise<void>,
): Promise<void> {
  const path = resolve(context.directory, source);
  const watchers = new Map<string, FSWatcher>();
  let files = new Set<string>();
  let wake: () => void = () => undefined;
  let hasChanged = false;
  let timer: NodeJS.Timeout | undefined;
  const onChange = (file: string) => {
    if (!files.has(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      hasChanged = true;
      wake();
    }, DEBOUNCE_MS);
  };

  /** Watches folders instead of files: when an editor saves by renaming, a file's watcher would be lost. */
  const updateWatchers = () => {
    const folders = new Set([...files].map((file) => dirname(file)));
    for (const [folder, watcher] of watchers) {
      if (folders.has(folder)) continue;
      watcher.close();
      watchers.delete(folder);
    }
    for (const folder of folders) {
      if (watchers.has(folder)) continue;
      const watcher = watchFolder(folder, (name) => onChange(resolve(folder, name)));
      if (watcher) watchers.set(folder, watcher);
    }
  };

  const { signal } = context;
  const stop = () => wake();
  signal?.addEventListener('abort', stop);
  try {
    while (!signal?.aborted) {
      hasChanged = false;
      // Start watching before the render reads the files, so that no change in between is missed.
      files = await localFiles(path);
      if (variables?.file !== undefined) files.add(resolve(context.directory, variables.file));
      // A payload that embeds its own output would render forever.
      if (output !== undefined) files.delete(resolve(context.directory, output));
      updateWatchers();
      await render();
      if (hasChanged || signal?.aborted) continue;
      await write(context.errors, `watching ${[...files].map((file) => basename(file)).join(', ')}\n`);
      await new Promise<void>((done) => {
        wake = done;
        if (hasChanged || signal?.aborted) done();
      });
    }
  } finally {
    signal?.removeEventListener('abort', stop);
    clearTimeout(timer);
    for (const watcher of watchers.values()) watcher.close();
  }
}

/** Reports changed file names in `folder`. Undefined if the folder does not exist (yet). */
function watchFolder(folder: string, onChange: (name: string) => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, (_event, name) => {
      if (name !== null) onChange(name);
    });
    // The folder was removed. The next change of another file tries to watch it again.
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    return undefined;
  }
}

/** The payload's file and the local images and fonts that it references; the file alone if it can't be read now. */
async function localFiles(path: string): Promise<Set<string>> {
  const files = new Set([path]);
  try {
    for (const url of collectUrls(parseJson(await readFile(path)))) {
      const file = localPath(url, dirname(path));
      if (file !== undefined) files.add(file);
    }
  } catch {
    // The render reports what is wrong with the payload.
  }
  return files;
}

function localPath(url: string, baseDirectory: string): string | undefined {
  try {
    const source = parseAssetUrl(url, { baseDirectory });
    return source.kind === 'file' ? source.path : undefined;
  } catch {
    return undefined;
  }
}
