// What the renders of a renderer share: the limits, the assets that payloads may load, and where scenes are painted.

import type { ImageCache } from './assets/image-cache.js';
import { type AssetOptions, type Assets, createAssets } from './assets/loader.js';
import { MAX_EXPANDED_LAYERS } from './contract/layers/limits.js';
import type { FindingOptions } from './contract/messages/findings.js';
import type { Strictness } from './contract/messages/strictness.js';
import { RenderError } from './errors.js';
import type { FontRegistry } from './fonts/registry.js';
import type { IconSet } from './icons/icon-set.js';
import { optionError } from './normalize-options.js';
import type { CommonOptions, IconifySet, RenderResult } from './options.js';
import type { DocumentPlace } from './render/document.js';
import type { InspectedScene, Rendered, Stage } from './render.js';
import type { Scene } from './templates/scene.js';

export const DEFAULTS = {
  assetTimeoutMs: 10_000,
  assetMaxBytes: 26_214_400,
  assetMaxPixels: 67_108_864,
  timeoutMs: 30_000,
  maxLayers: 500,
  maxExpandedLayers: MAX_EXPANDED_LAYERS,
  imageCacheBytes: 128 * 1024 * 1024,
} as const satisfies CommonOptions;

/** The sets of a renderer's option `icons`. Rejects with RenderError `invalid_request` for one that can't be drawn. */
export async function loadIcons(sets: readonly IconifySet[]): Promise<readonly IconSet[]> {
  const { readIconSets } = await import('./templates/icons/icon-sets.js');
  return readIconSets(sets.map((json, i) => ({ name: `icons[${i}]`, json })));
}

/** State that the renders of a renderer share. */
export interface RendererState {
  readonly typefaces: FontRegistry | Promise<FontRegistry>;
  readonly cache?: ImageCache;
  /** Sets of icons beside the one of the package. */
  readonly icons?: Promise<readonly IconSet[]> | undefined;
  /** Another process that renders and inspects scenes. */
  readonly elsewhere?: {
    render(scene: Scene, job: ElsewhereJob & OutputJob): Promise<Omit<RenderedFile, 'format'>>;
    inspect(scene: Scene, job: ElsewhereJob, findings?: FindingOptions): Promise<MeasuredInspection>;
    openDocument(signal: AbortSignal | undefined): Promise<ElsewhereDocument>;
  };
}

/** An inspection with the durations of its stages. */
export type MeasuredInspection = InspectedScene & { readonly stages: readonly (readonly [Stage, number])[] };

export type RenderedFile = Pick<RenderResult, 'bytes' | 'format' | 'width' | 'height' | 'warnings'> & {
  /** Pages of a document. */
  readonly pages?: number;
};

export interface ElsewhereJob {
  readonly assets: Assets;
  readonly timeoutMs: number;
  readonly maxPixels: number;
  readonly signal: AbortSignal | undefined;
}

export interface OutputJob {
  readonly strict: Strictness;
  readonly pixels: boolean | undefined;
}

/** The files and web addresses that a render reaches. */
export type Reach = Pick<AssetOptions, 'allowAddress' | 'baseDirectory' | 'fetchAsset'>;

/** A document that another process writes. */
export interface ElsewhereDocument {
  add(
    scene: Scene,
    job: ElsewhereJob & Pick<OutputJob, 'strict'> & { readonly place: DocumentPlace },
  ): Promise<Omit<Rendered, 'warnings' | 'part'> & Pick<RenderedFile, 'warnings'>>;
  close(): void;
}

/** The assets that one payload may load. */
export function assetsOf(options: CommonOptions, cache: ImageCache | undefined, reach: Reach): Assets {
  const limits = { ...DEFAULTS, ...options };
  return createAssets({
    timeoutMs: limits.assetTimeoutMs,
    maxBytes: limits.assetMaxBytes,
    maxPixels: limits.assetMaxPixels,
    explain: true,
    images: imagesOf(options),
    ...reach,
    ...(cache && { cache }),
  });
}

/** Runs a render with a signal that also aborts after the time limit, and then throws RenderError `render_timeout`. */
export async function limitTime<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  // AbortSignal.timeout would hold what listens to it, such as the files of a document's pages, until the time is over
  const controller = new AbortController();
  const end = () => controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
  const timer = setTimeout(end, timeoutMs);
  // numbers in browsers
  (timer as { unref?(): void }).unref?.();
  const { signal: timeout } = controller;
  try {
    return await run(signal ? eitherSignal(signal, timeout) : timeout);
  } catch (error) {
    if (timeout.aborted && !signal?.aborted && !(error instanceof RenderError)) {
      throw new RenderError('render_timeout', `the render took longer than ${timeoutMs} ms`, { cause: error });
    }
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** Does what AbortSignal.any does, which Node before 20.3 and older browsers lack. */
function eitherSignal(a: AbortSignal, b: AbortSignal): AbortSignal {
  if (AbortSignal.any) return AbortSignal.any([a, b]);
  const controller = new AbortController();
  for (const signal of [a, b]) {
    if (signal.aborted) controller.abort(signal.reason);
    signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal });
  }
  return controller.signal;
}

/** Converts the option `images` to a map. Throws RenderError for a value that is not bytes. */
export function imagesOf({ images }: CommonOptions): ReadonlyMap<string, Uint8Array> | undefined {
  if (images === undefined) return undefined;
  for (const [name, bytes] of Object.entries(images)) {
    if (bytes instanceof Uint8Array) continue;
    throw optionError(`images[${JSON.stringify(name)}]`, bytes, 'a Uint8Array');
  }
  return new Map(Object.entries(images));
}
