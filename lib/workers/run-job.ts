// Renders one job in the current process, from assets that are loaded already.
import '../node-host.js';
import { createImageCache, type ImageCache } from '../assets/image-cache.js';
import { createAssets } from '../assets/loader.js';
import { createFontRegistry, type FontRegistry } from '../fonts/registry.js';
import type { UserFont } from '../fonts/user-fonts.js';
import { renderScene, type Stage } from '../render.js';
import type { Job, JobResult } from './job.js';

/** Bytes of decoded images that a worker keeps from job to job, unless its pool says otherwise. */
export const IMAGE_CACHE_BYTES = 64 * 2 ** 20;

/** What a worker keeps from job to job. */
export interface WorkerCaches {
  readonly fonts: FontRegistry;
  readonly images: ImageCache;
}

export function createCaches(imageCacheBytes = IMAGE_CACHE_BYTES, userFonts?: readonly UserFont[]): WorkerCaches {
  return { fonts: createFontRegistry(userFonts), images: createImageCache(imageCacheBytes) };
}

export async function runJob(job: Job, { fonts, images }: WorkerCaches, signal?: AbortSignal): Promise<JobResult> {
  const { scene, assets: prefetched, watermark, strict, pixels, digest, pixelDigest, maxPixels } = job;
  const assets = createAssets({ timeoutMs: 0, maxBytes: 0, maxPixels, prefetched, cache: images });
  const stages: [Stage, number][] = [];
  const onStage = (stage: Stage, milliseconds: number) => void stages.push([stage, milliseconds]);
  let broken = false;
  const onTrap = () => {
    broken = true;
  };
  let pixelsSha256: string | undefined;
  const onPixels = async (rgba: Uint8ClampedArray) => {
    pixelsSha256 = await sha256(rgba, 'hex');
  };
  const context = { assets, typefaces: fonts, watermark, strict, pixels, signal, onStage, onTrap };
  const image = await renderScene(scene, pixelDigest ? { ...context, onPixels } : context);
  return {
    ...image,
    ...(digest && { sha256: await sha256(image.bytes, 'base64url') }),
    ...(pixelsSha256 !== undefined && { pixelsSha256 }),
    stages,
    broken,
  };
}

/** node:crypto is imported on first use: renders of the command don't need it. */
async function sha256(bytes: Uint8Array | Uint8ClampedArray, encoding: 'hex' | 'base64url'): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest(encoding);
}
