// Uploads of pictures and fonts to the workspace, one after the other, with their progress.
import { type ReadonlySignal, signal } from '@preact/signals';
import type { AssetAnswer } from '../../../lib/contract/api/assets.js';
import { announce } from '../../app/announce.js';
import { ApiError, upload } from '../../app/api.js';
import { inWorkspace } from '../../app/session.js';
import { assetsChanged } from '../../engine/assets-version.js';
import { type Upload, uploads } from './upload-state.js';

const count = signal(0);
const stops = new Map<number, AbortController>();
let last = 0;

/** Changes with every asset that is added or deleted here. */
export const libraryChanges: ReadonlySignal<number> = count;

/** Reports that an asset was added or deleted: lists load again, and the engine asks for fonts again. */
export function libraryChanged(): void {
  assetsChanged();
  count.value++;
}

const change = (id: number, to: Partial<Upload>) => {
  uploads.value = uploads.value.map((each) => (each.id === id ? { ...each, ...to } : each));
};

/** Forgets a failed upload, or stops one. */
export function dismissUpload(id: number): void {
  stops.get(id)?.abort();
  uploads.value = uploads.value.filter((each) => each.id !== id);
}

/** Uploads files and returns the assets in the files' order. Failures are in `uploads`. */
export async function uploadFiles(files: readonly File[]): Promise<{ asset: AssetAnswer; file: File }[]> {
  const queued = files.map((file) => ({ file, id: ++last }));
  uploads.value = [...uploads.value, ...queued.map(({ file, id }) => ({ id, name: file.name, share: 0 }))];
  const done: { asset: AssetAnswer; file: File }[] = [];
  for (const { file, id } of queued) {
    // dismissed while it waited
    if (!uploads.value.some((each) => each.id === id)) continue;
    const stop = new AbortController();
    stops.set(id, stop);
    try {
      const onProgress = (share: number) => change(id, { share });
      const asset = await upload<AssetAnswer>(inWorkspace('assets'), file, { onProgress, signal: stop.signal });
      done.push({ asset, file });
      dismissUpload(id);
      libraryChanged();
      announce(`${file.name} uploaded`);
    } catch (error) {
      if (stop.signal.aborted) continue;
      if (!(error instanceof ApiError)) throw error;
      change(id, { error: error.message });
      announce(`${file.name} could not be uploaded: ${error.message}`);
    } finally {
      stops.delete(id);
    }
  }
  return done;
}
