// A job → its picture, in whatever process: the same line as the library's, over assets that were fetched beforehand.

import type { ImageCache } from '../assets/image-cache.js';
import { createAssets } from '../assets/loader.js';
import { RenderError } from '../errors.js';
import type { FontRegistry } from '../fonts/registry.js';
import { renderScene, type Stage } from '../render.js';
import type { Job, JobResult } from './job.js';

/** What stays warm from job to job. */
export interface WorkerCaches {
  readonly typefaces: FontRegistry;
  readonly cache: ImageCache;
}

export async function runJob(job: Job, { typefaces, cache }: WorkerCaches, signal?: AbortSignal): Promise<JobResult> {
  const { scene, watermark, maxBytes, maxPixels } = job;
  const assets = createAssets({
    timeoutMs: 0,
    maxBytes,
    maxPixels,
    cache,
    fetch: async (url) => {
      const asset = job.assets.get(url);
      if (asset && 'bytes' in asset) return asset.bytes;
      throw new RenderError(asset?.code ?? 'asset_failed', asset?.message ?? 'was not fetched');
    },
  });
  const stages: [Stage, number][] = [];
  const onStage = (stage: Stage, milliseconds: number) => void stages.push([stage, milliseconds]);
  let broken = false;
  const onTrap = () => {
    broken = true;
  };
  const rendered = await renderScene(scene, { assets, typefaces, watermark, signal, onStage, onTrap });
  return { ...rendered, stages, broken };
}
