// Renders, inspects and checks payloads: the code that the library's entries share. Each entry adds the host's own parts.
import { createImageCache } from './assets/image-cache.js';
import { parseAssetUrl } from './assets/source.js';
import { mimeTypeOf } from './codecs/codec.js';
import { definedFields } from './contract/json/defined-fields.js';
import { invalidRequest } from './contract/messages/issues.js';
import { strictnessOf } from './contract/messages/strictness.js';
import type { Payload } from './contract/payload.js';
import { isTemplate } from './contract/template/record-layers.js';
import { loadDataFor } from './load-data.js';
import { normalizeOptions } from './normalize-options.js';
import type {
  AsyncDispose,
  CommonOptions,
  Inspection,
  InspectOptions,
  PixelOptions,
  PixelResult,
  Renderer,
  RenderOptions,
  RenderResult,
} from './options.js';
import { inspectionTimings } from './render/inspection.js';
import { type InspectContext, inspectScene, type RenderContext, renderScene, type Stage } from './render.js';
import {
  assetsOf,
  DEFAULTS,
  type ElsewhereJob,
  imagesOf,
  limitTime,
  type MeasuredInspection,
  type Reach,
  type RenderedFile,
  type RendererState,
} from './renderer-state.js';
import type { CheckUrl } from './templates/check-layers.js';
import { type OutputOptions, withOutput } from './templates/output.js';
import { type ResolveOptions, resolve, savedTemplateError } from './templates/resolve.js';
import type { Scene } from './templates/scene.js';
import { type Validation, validatePayloadAndLayers } from './templates/validate.js';

async function renderFile(
  payload: unknown,
  callOptions: CommonOptions & RenderOptions,
  shared: RendererState,
  reach: Reach,
): Promise<RenderResult> {
  const began = performance.now();
  const options = normalizeOptions(callOptions);
  const rendered = await renderOnce(payload, options, shared, reach, outputOf(options));
  return { ...rendered, mimeType: mimeTypeOf(rendered.format), durationMs: performance.now() - began };
}

async function renderPixels(
  payload: unknown,
  callOptions: CommonOptions & PixelOptions,
  shared: RendererState,
  reach: Reach,
): Promise<PixelResult> {
  const { scale, ...options } = normalizeOptions(callOptions);
  const { bytes, width, height, warnings } = await renderOnce(payload, options, shared, reach, {
    scale,
    pixels: true,
  });
  return { data: new Uint8ClampedArray(bytes.buffer, bytes.byteOffset, bytes.length), width, height, warnings };
}

async function renderOnce(
  payload: unknown,
  options: CommonOptions & PixelOptions,
  { typefaces: fontRegistry, elsewhere, ...shared }: RendererState,
  reach: Reach,
  output: OutputOptions & Pick<RenderContext, 'pixels'>,
): Promise<RenderedFile & Pick<RenderResult, 'alt'>> {
  const { pixels } = output;
  const strict = strictnessOf(options);
  return await resolveInTime(payload, options, shared, reach, output, async ({ scene, job, signal }) => {
    const typefaces = await fontRegistry;
    if (elsewhere) {
      const rendered = await elsewhere.render(scene, { ...job, strict, pixels });
      return { ...rendered, format: scene.format, alt: await altOf(scene, rendered.pages) };
    }
    const rendered = await renderScene(scene, { assets: job.assets, typefaces, strict, pixels, signal });
    // no thread shares memory with this one
    const bytes = rendered.bytes as Uint8Array<ArrayBuffer>;
    return { ...rendered, bytes, alt: await altOf(scene, rendered.pages) };
  });
}

/** What the scene's picture shows, in words. What composes it is loaded where no payload says it. */
async function altOf(scene: Scene, pages?: number): Promise<string> {
  return scene.alt ?? (await import('./render/page-numbers.js')).sceneAlt(scene, pages);
}

async function inspectPayload(
  payload: unknown,
  callOptions: CommonOptions & InspectOptions,
  { typefaces: fontRegistry, elsewhere, ...shared }: RendererState,
  reach: Reach,
): Promise<Inspection> {
  const began = performance.now();
  const { scale, alt, findings = false, minReadable, safeArea, ignore, ...options } = normalizeOptions(callOptions);
  const output = { scale, alt };
  const measures = findings ? definedFields({ minReadable, safeArea, ignore }) : undefined;
  const state = measures && { cache: createImageCache(DEFAULTS.imageCacheBytes), ...shared };
  const inspectOnce = async (document: unknown) =>
    await resolveInTime(document, options, state ?? shared, reach, output, async ({ scene, job, signal }) => {
      const checked = performance.now();
      const typefaces = await fontRegistry;
      const fontsMs = performance.now() - checked;
      const { stages, ...inspected } = elsewhere
        ? await elsewhere.inspect(scene, job, measures)
        : await inspectHere(scene, { assets: job.assets, typefaces, signal, findings: measures });
      const { load = 0, layout = 0 } = Object.fromEntries(stages) as Partial<Record<Stage, number>>;
      return { ...inspected, timings: inspectionTimings({ check: checked - began, load: fontsMs + load, layout }) };
    });
  const inspected = await inspectOnce(payload);
  if (!measures) return inspected as Inspection;
  const { completeFindings } = await import('./findings/fixes/settle.js');
  const again = async (document: unknown) => (await inspectOnce(document)).findings ?? [];
  return { ...inspected, findings: await completeFindings(payload, inspected.findings ?? [], measures, again) };
}

async function inspectHere(scene: Scene, context: InspectContext): Promise<MeasuredInspection> {
  const stages: [Stage, number][] = [];
  const onStage = (stage: Stage, milliseconds: number) => void stages.push([stage, milliseconds]);
  return { ...(await inspectScene(scene, { ...context, onStage })), stages };
}

/**
 * Resolves the payload and calls `use`, both within the time limit. `signal` aborts when the limit is reached; the signal of
 * `job` doesn't.
 */
async function resolveInTime<Result>(
  payload: unknown,
  options: CommonOptions & InspectOptions,
  { cache, icons: iconSets }: Pick<RendererState, 'cache' | 'icons'>,
  reach: Reach,
  output: OutputOptions,
  use: (resolved: { scene: Scene; job: ElsewhereJob; signal: AbortSignal }) => Promise<Result>,
): Promise<Result> {
  const { maxLayers, maxExpandedLayers, variables, size, ...limits } = { ...DEFAULTS, ...options };
  const { timeoutMs, assetMaxPixels: maxPixels } = limits;
  const assets = assetsOf(options, cache, reach);
  return await limitTime(timeoutMs, options.signal, async (signal) => {
    const { tokens, theme, locale } = options;
    await loadDataFor(payload, { locale, variables });
    const icons = await iconSets;
    const numbersPages = output.format === 'pdf';
    const given = { maxLayers, maxExpandedLayers, variables, size, tokens, theme, locale, icons, numbersPages };
    const scene = withOutput(resolve(payload, { ...given, checkUrl: assets.source }), output);
    return await use({ scene, job: { assets, timeoutMs, maxPixels, signal: options.signal }, signal });
  });
}

/** Options of `validate`, with the same defaults as a render's. */
export type ValidateOptions = Pick<CommonOptions & RenderOptions, 'maxLayers' | 'images' | 'variables' | 'size'>;

/** What a payload is checked with: a folder of files, and sets of icons. */
type Surroundings = Pick<Reach, 'baseDirectory'> & Pick<ResolveOptions, 'icons'>;

export function validatePayload(
  payload: unknown,
  callOptions: ValidateOptions,
  { icons, ...files }: Surroundings,
): Validation {
  const options = normalizeOptions(callOptions);
  const { maxLayers = DEFAULTS.maxLayers, variables, size } = options;
  const images = imagesOf(options);
  // fonts don't come from `images`
  const checkUrl: CheckUrl = (url, kind) => void parseAssetUrl(url, kind === 'image' ? { ...files, images } : files);
  return validatePayloadAndLayers(payload, { maxLayers, variables, size, icons, checkUrl });
}

/** The payload, if nothing is wrong with it. Throws RenderError with what is wrong. */
export function checkedPayload(payload: unknown, options: ValidateOptions, surroundings: Surroundings): Payload {
  const { details } = validatePayload(payload, options, surroundings);
  if (details.length > 0) throw invalidRequest(details);
  if (!isTemplate(payload) && !('canvas' in (payload as object))) throw savedTemplateError();
  return payload as Payload;
}

function outputOf({ format, quality, dpi, lossless, scale, alt }: RenderOptions): OutputOptions {
  return { format: format === 'jpg' ? 'jpeg' : format, quality, dpi, lossless, scale, alt };
}

/** What an entry adds to its renderers. */
export interface RendererParts<Options> {
  readonly shared: RendererState;
  readonly reachOf: (options: Options) => Reach;
  readonly close: () => Promise<void>;
}

/** The renderer of an entry: each call's options come before those of the renderer, which are normalized. */
export function createRendererOf<Options extends CommonOptions>(
  options: Options,
  { shared, reachOf, close }: RendererParts<Options>,
): Renderer {
  // every render awaits them, and reports their errors
  if (shared.typefaces instanceof Promise) shared.typefaces.catch(() => {});
  shared.icons?.catch(() => {});
  const merged = <Given extends object>(perRender: Given | undefined) => ({
    ...options,
    ...(perRender && normalizeOptions(perRender)),
  });
  return {
    async render(payload, perRender) {
      const all = merged(perRender);
      return renderFile(payload, all, shared, reachOf(all));
    },
    async renderToPixels(payload, perRender) {
      const all = merged(perRender);
      return renderPixels(payload, all, shared, reachOf(all));
    },
    async inspect(payload, perRender) {
      const all = merged(perRender);
      return inspectPayload(payload, all, shared, reachOf(all));
    },
    renderDocument(document, perDocument) {
      const all = merged(perDocument);
      const reachFrom = (baseDirectory: string | undefined) =>
        reachOf(baseDirectory === undefined ? all : { ...all, baseDirectory });
      return streamOf(async function* () {
        const { documentChunks } = await import('./document-stream.js');
        yield* documentChunks(document, all, shared, reachFrom);
      });
    },
    close,
    [ASYNC_DISPOSE]: close,
  };
}

/** A stream of what is generated as it is read. */
function streamOf<Chunk>(generate: () => AsyncGenerator<Chunk, void, undefined>): ReadableStream<Chunk> {
  const chunks = generate();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return();
    },
  });
}

/** Node before 20.5 lacks the symbol; compilers of `await using` then look for this one. */
export const ASYNC_DISPOSE: AsyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');
