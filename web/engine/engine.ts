// The engine for pages: draws payloads in a module worker, and encodes them in a second one, so that a slow format doesn't hold
// up the picture. Of several waiting payloads, it draws only the latest.
import type { FileFormat } from '../../lib/codecs/codec.js';
import type { Rect } from '../../lib/geometry/rect.js';
import type { Validation } from '../../lib/templates/validate.js';
import { createJobQueue, type JobOptions, type JobQueue, type WebWorker } from '../../lib/web-worker/job-queue.js';
import { assetsVersion } from './assets-version.js';
import type {
  DrawJob,
  EncodedPicture,
  EngineSettings,
  Jobs,
  Picture,
  Pixels,
  Source,
  Thumbnail,
  WithAssets,
} from './messages.js';

/** The name of the worker's script, beside this one; set when the pages are bundled. */
declare const ENGINE_WORKER: string;

const TIMEOUT_MS = 30_000;

export interface EngineOptions extends Omit<EngineSettings, 'timeoutMs'> {
  /** Time limit of one picture in milliseconds. */
  readonly timeoutMs?: number;
}

export interface DrawOptions extends Pick<DrawJob, 'carets' | 'isWhole'> {
  readonly digest?: boolean;
  readonly signal?: AbortSignal;
}

export interface Engine {
  /**
   * Draws a payload. With `digest`, hashes the pixels; else, `carets` may be the path of a text. Rejects with RenderError, or with a DOMException `AbortError` when a
   * later payload took its place.
   */
  draw(source: Source, options?: DrawOptions): Promise<Picture>;
  /** Finds errors and doubtful values in a payload, without loading its pictures and fonts. Never rejects for a bad payload. */
  validate(source: Source): Promise<Validation>;
  /** Encodes a payload into the file that the service would answer with. For each format and use, the latest payload wins. */
  encode(
    source: Source,
    output: {
      readonly format: FileFormat;
      readonly quality?: number;
      readonly use: 'file' | 'size';
      readonly signal?: AbortSignal;
    },
  ): Promise<EncodedPicture>;
  /** Lets running jobs finish, and ends the workers. */
  close(): void;
}

/** Creates an engine without starting anything: the workers start with their first picture. */
export function createEngine(options: EngineOptions): Engine {
  const drawing = createQueue(options);
  const encoding = createQueue(options);
  return {
    draw: ({ payload, variables, size }, { digest = false, carets, isWhole, signal } = {}) =>
      runJob(
        drawing,
        digest ? 'digest' : 'draw',
        { payload, variables, size, carets, isWhole },
        { signal },
      ) as Promise<Picture>,
    validate: ({ payload, variables, size }) =>
      // pictures come first, so that findings never hold them up
      runJob(drawing, 'validate', { payload, variables, size }, { isBackground: true }) as Promise<Validation>,
    encode: ({ payload, variables, size }, { format, quality, use, signal }) => {
      const job = { payload, variables, size, format, quality };
      return runJob(encoding, `encode ${format} ${use}`, job, { signal }) as Promise<EncodedPicture>;
    },
    close() {
      for (const queue of [drawing, encoding]) void queue.close();
    },
  };
}

/** Draws thumbnails one after the other. */
export interface ThumbnailEngine {
  draw(job: Jobs['thumbnail']): Promise<Thumbnail>;
  close(): void;
}

export function createThumbnailEngine(options: EngineOptions): ThumbnailEngine {
  const queue = createQueue(options);
  return {
    draw: (job) => runJob(queue, 'thumbnail', job) as Promise<Thumbnail>,
    close: () => void queue.close(),
  };
}

function createQueue({ timeoutMs = TIMEOUT_MS, ...others }: EngineOptions): JobQueue {
  const url = new URL(`./${ENGINE_WORKER}`, import.meta.url).href;
  return createJobQueue({
    createWorker: () => new Worker(url, { type: 'module', name: 'engine' }) as WebWorker,
    script: url,
    hint: 'the browser must support module workers',
    options: { ...others, timeoutMs } satisfies EngineSettings,
    timeoutMs,
  });
}

function runJob<Kind extends keyof Jobs>(
  queue: JobQueue,
  kind: Kind,
  job: Jobs[Kind],
  options?: JobOptions,
): Promise<unknown> {
  return queue.run(kind, { ...job, assetsVersion: assetsVersion() } satisfies Jobs[Kind] & WithAssets, options);
}

/**
 * Shows pixels in a canvas and sets its size to the picture's. `part` is the area of the pixels if they aren't the whole
 * picture.
 */
export function showPixels(
  canvas: HTMLCanvasElement,
  { data, width, height, part }: Pixels & { readonly part?: Rect },
): void {
  // setting the size clears the canvas, which flickers
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const { left, top, right, bottom } = part ?? { left: 0, top: 0, right: width, bottom: height };
  if (data.length === 0) return;
  canvas.getContext('2d')?.putImageData(new ImageData(data, right - left, bottom - top), left, top);
}
