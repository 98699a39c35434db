// The worker's script: renders what the page sends (client.ts), one payload after the other.
import { createRenderer, type PixelResult, type Renderer, type RenderResult } from '../browser.js';
import { own, serveJobs } from './serve-jobs.js';
import type { RenderJob, RenderMethod, SentRendererOptions } from './types.js';

let start: (() => Renderer) | undefined;
/** The renderer's images. */
let images: SentRendererOptions['images'];

serveJobs({
  start(message) {
    const options = message as SentRendererOptions;
    images = options.images;
    let renderer: Renderer | undefined;
    // bad options fail each render
    start = () => {
      renderer ??= createRenderer(options);
      return renderer;
    };
  },
  async run(kind, job, signal) {
    const { payload, options } = job as RenderJob;
    const callOptions = { ...options, images: { ...images, ...options.images }, signal };
    const result = await start!()[kind as RenderMethod](payload, callOptions);
    if ('layers' in result) return { result };
    const sent = 'bytes' in result ? { ...result, bytes: own(result.bytes) } : { ...result, data: own(result.data) };
    return { result: sent, transfer: [bufferOf(sent)] };
  },
});

const bufferOf = (result: RenderResult | PixelResult): ArrayBufferLike =>
  'bytes' in result ? result.bytes.buffer : result.data.buffer;
