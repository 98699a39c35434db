// A job for doubles of a render process, which read its watermark.
import type { Canvas } from '../../lib/contract/layers/canvas.js';
import type { Job } from '../../lib/workers/job.js';

export function job(watermark: string, canvas: Partial<Canvas> = {}): Job {
  return {
    scene: {
      canvas: { width: 2, height: 2, scale: 1, backgroundColor: { r: 0, g: 0, b: 255, a: 255 }, ...canvas },
      layers: [],
      origins: [],
      assetUrls: [],
      format: 'png',
      quality: 90,
      lossless: false,
      warnings: [],
    },
    assets: new Map(),
    watermark,
    maxPixels: 2 ** 20,
  };
}
