// The engine for pages: draws payloads in a module worker, and encodes them in a second one, so that a slow format does not
// hold up the picture. Of the payloads that wait, only the latest is drawn.
import type { OutputFormat } from '../../lib/codecs/codec.js';
import type { Validation } from '../../lib/templates/validate.js';
import { createJobQueue, type JobQueue, type WebWorker } from '../../lib/web-worker/job-queue.js';
import type { EncodedPicture, EngineSettings, Jobs, Picture, Pixels, Source, Thumbnail } from './messages.js';

/** The name of the worker's script, beside this one; set when the pages are bundled. */
declare const ENGINE_WORKER: string;

const TIMEOUT_MS = 30_000;

export interface EngineOptions extends Omit<EngineSettings, 'timeoutMs'> {
  /** Milliseconds for one picture. */
  readonly timeoutMs?: number;
}

export interface Engine {
  /**
   * Draws a payload. With `digest`, hashes the pixels. Rejects with RenderError, or with a DOMException `AbortError` when a
   * later payload took its place.
   */
  draw(source: Source, options?: { readonly digest?: boolean; readonly signal?: AbortSignal }): Promise<Picture>;
  /** Everything that is wrong or doubtful about a payload, without its pictures and fonts. Never rejects for a bad payload. */
  validate(source: Source): Promise<Validation>;
  /** Encodes a payload: the file that the service would answer. Of each format and use, the latest payload wins. */
  encode(
    source: Source,
    output: {
      readonly format: OutputFormat;
      readonly quality?: number;
      readonly use: 'file' | 'size';
      readonly signal?: AbortSignal;
    },
  ): Promise<EncodedPicture>;
  /** Lets what has begun finish, and ends the workers. */
  close(): void;
}

/** Starts nothing: the workers start with their first picture. */
export function createEngine(options: EngineOptions): Engine {
  const drawing = createQueue(options);
  const encoding = createQueue(options);
  return {
    draw: ({ payload, variables }, { digest = false, signal } = {}) =>
      runJob(drawing, digest ? 'digest' : 'draw', { payload, variables }, signal) as Promise<Picture>,
    validate: ({ payload, variables }) => runJob(drawing, 'validate', { payload, variables }) as Promise<Validation>,
    encode: ({ payload, variables }, { format, quality, use, signal }) => {
      const job = { payload, variables, format, quality };
      return runJob(encoding, `encode ${format} ${use}`, job, signal) as Promise<EncodedPicture>;
    },
    close() {
      for (const queue of [drawing, encoding]) void queue.close();
    },
  };
}

/** What draws thumbnails, one after the other. */
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
  signal?: AbortSignal,
): Promise<unknown> {
  return queue.run(kind, job, { signal });
}

/** Shows pixels in a canvas, which takes their size. */
export function showPixels(canvas: HTMLCanvasElement, { data, width, height }: Pixels): void {
  // setting the size clears the canvas, which flickers
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  canvas.getContext('2d')?.putImageData(new ImageData(data, width, height), 0, 0);
}
