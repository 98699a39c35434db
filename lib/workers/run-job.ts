// Renders or inspects one job in the current process, from assets that are loaded already.
import '../node-host.js';
import { createImageCache, type ImageCache } from '../assets/image-cache.js';
import { createAssets } from '../assets/loader.js';
import { concatBytes } from '../bytes/bytes.js';
import { RenderError } from '../errors.js';
import { createFontRegistry, type FontRegistry } from '../fonts/registry.js';
import type { UserFont } from '../fonts/user-fonts.js';
import type { DocumentPlace, OpenPdf } from '../render/document.js';
import { inspectScene, type RenderContext, type Rendered, renderScene, type Stage } from '../render.js';
import type { StageBudget } from '../stage-budget.js';
import type { Scene } from '../templates/scene.js';
import type { InspectJob, InspectJobResult, Job, JobResult } from './job.js';

/** Bytes of decoded images that a worker keeps from job to job, unless its pool says otherwise. */
export const IMAGE_CACHE_BYTES = 64 * 2 ** 20;

/** Caches that a worker keeps from job to job. */
export interface WorkerCaches {
  readonly fonts: FontRegistry;
  readonly images: ImageCache;
  /** The document that the last job added a scene to; absent after its last scene. */
  document?: OpenPdf | undefined;
}

export function createCaches(imageCacheBytes = IMAGE_CACHE_BYTES, userFonts?: readonly UserFont[]): WorkerCaches {
  return { fonts: createFontRegistry(userFonts), images: createImageCache(imageCacheBytes) };
}

export async function runJob(
  job: Job,
  caches: WorkerCaches,
  signal?: AbortSignal,
  stages?: StageBudget,
): Promise<JobResult> {
  const { scene, watermark, strict, pixels, digest, pixelDigest, place } = job;
  let pixelsSha256: string | undefined;
  const onPixels = async (rgba: Uint8ClampedArray) => {
    pixelsSha256 = await sha256(rgba, 'hex');
  };
  const { result, ...report } = await measured(job, caches, stages, (measuring) => {
    const context = { ...measuring, watermark, strict, pixels, signal };
    if (place) return addToDocument(scene, place, context, caches);
    return renderScene(scene, pixelDigest ? { ...context, onPixels } : context);
  });
  return {
    ...result,
    ...(digest && { sha256: await sha256(result.bytes, 'base64url') }),
    ...(pixelsSha256 !== undefined && { pixelsSha256 }),
    ...report,
  };
}

/** Adds a scene to the document of the jobs before it. */
async function addToDocument(
  scene: Scene,
  { document: fields, numbers, isFirst, isLast }: DocumentPlace,
  context: RenderContext,
  caches: WorkerCaches,
): Promise<Rendered> {
  const [{ openPdf }, { breakPages }] = await Promise.all([
    import('../render/document.js'),
    import('../render/paginate.js'),
  ]);
  const document = isFirst ? await openPdf(fields, scene.locale) : caches.document;
  if (!document) throw new RenderError('render_failed', 'the document has no first page');
  // a scene that fails ends its document
  caches.document = undefined;
  const { bytes, ...rendered } = await document.add(await breakPages(scene, context), context, numbers);
  if (!isLast) caches.document = document;
  const rest = isLast ? await document.finish() : new Uint8Array();
  return { ...rendered, bytes: concatBytes([bytes, rest]), format: 'pdf' };
}

export async function runInspectJob(
  job: InspectJob,
  caches: WorkerCaches,
  signal?: AbortSignal,
  stages?: StageBudget,
): Promise<InspectJobResult> {
  const { result, ...report } = await measured(job, caches, stages, (measuring) =>
    inspectScene(job.scene, { ...measuring, signal, findings: job.findings }),
  );
  return { ...result, ...report };
}

/** Calls `run` with the job's assets, and notes its stages and traps. */
async function measured<Result>(
  { assets: prefetched, maxPixels }: InspectJob,
  { fonts, images }: WorkerCaches,
  budget: StageBudget | undefined,
  run: (context: Pick<RenderContext, 'assets' | 'typefaces' | 'stages' | 'onStage' | 'onTrap'>) => Promise<Result>,
): Promise<{ result: Result } & Required<Pick<JobResult, 'stages' | 'broken'>>> {
  const assets = createAssets({ timeoutMs: 0, maxBytes: 0, maxPixels, prefetched, cache: images });
  const stages: [Stage, number][] = [];
  let broken = false;
  const result = await run({
    assets,
    typefaces: fonts,
    stages: budget,
    onStage: (stage, milliseconds) => void stages.push([stage, milliseconds]),
    onTrap() {
      broken = true;
    },
  });
  return { result, stages, broken };
}

/** node:crypto is imported on first use: renders of the command don't need it. */
async function sha256(bytes: Uint8Array | Uint8ClampedArray, encoding: 'hex' | 'base64url'): Promise<string> {
  const { createHash } = await import('node:crypto');
  return createHash('sha256').update(bytes).digest(encoding);
}
