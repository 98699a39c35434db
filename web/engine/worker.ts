// The engine's worker, which draws what the pages send, one job after the other.
import { setBrowserHost } from '../../lib/browser/host.js';
import { premultiply, straightPixels } from '../../lib/codecs/alpha.js';
import { mimeTypeOf } from '../../lib/codecs/codec.js';
import { host } from '../../lib/host.js';
import { Pixmap } from '../../lib/raster/pixmap.js';
import { resample } from '../../lib/raster/resample.js';
import { limitTime } from '../../lib/renderer-state.js';
import { own, serveJobs } from '../../lib/web-worker/serve-jobs.js';
import { createDraw, type Draw, validate } from './draw.js';
import type {
  DrawJob,
  EncodedPicture,
  EncodeJob,
  EngineSettings,
  Picture,
  Pixels,
  Source,
  Thumbnail,
  ThumbnailJob,
  WithAssets,
} from './messages.js';
import { createRemote, type Remote } from './remote.js';

/** Replaced by the text of fonts/manifest.json when the worker is bundled. */
declare const FONT_MANIFEST: string;

const addSources = setBrowserHost({ manifest: FONT_MANIFEST });
addSources({ fontsUrl: '/dashboard/fonts/', wasmUrl: '/dashboard/wasm/' });

/** The settings that all jobs share. */
let settings: EngineSettings;
let remote: Remote;
let drawSource: Draw;

serveJobs({
  start(options) {
    settings = options as EngineSettings;
    remote = createRemote(settings.workspaceId);
    drawSource = createDraw(settings, remote);
  },
  run: (kind, job, signal) =>
    limitTime(settings.timeoutMs, signal, async (limited) => {
      remote.expectAssets((job as WithAssets).assetsVersion);
      if (kind === 'draw' || kind === 'digest') return sent(await draw(job as DrawJob, kind === 'digest', limited));
      if (kind === 'validate') return { result: validate(job as Source, settings) };
      if (kind === 'thumbnail') return sent(await drawThumbnail(job as ThumbnailJob, limited));
      const result = await encode(job as EncodeJob, limited);
      return { result, transfer: [result.bytes.buffer] };
    }),
});

const sent = (result: Pixels) => ({ result, transfer: [result.data.buffer] });

async function draw(
  { carets: caretsOf, isWhole, ...source }: DrawJob,
  digest: boolean,
  signal: AbortSignal,
): Promise<Picture> {
  const { bytes, width, height, part, serial, warnings, timings, format, quality, layers, carets } = await drawSource(
    source,
    {
      // a digest is compared with the service's digest of the same payload
      ...(!digest && { verify: 'warn', edit: { carets: caretsOf, isWhole } }),
      signal,
    },
  );
  const pixels = own(bytes);
  const pixelsSha256 = digest ? await host().digest(pixels) : undefined;
  const data = clamped(pixels);
  const picture = { data, width, height, serial, warnings, timings, format, quality, layers };
  return { ...picture, ...(part && { part }), ...(carets && { carets }), ...(pixelsSha256 && { pixelsSha256 }) };
}

async function encode({ format, quality, ...source }: EncodeJob, signal: AbortSignal): Promise<EncodedPicture> {
  const drawn = await drawSource(source, { encode: { format, quality }, signal });
  const bytes = own(drawn.bytes) as Uint8Array<ArrayBuffer>;
  const { width, height, timings } = drawn;
  return { bytes, format, mimeType: mimeTypeOf(format), width, height, encodeMs: timings.encode ?? 0 };
}

async function drawThumbnail({ source, ...room }: ThumbnailJob, signal: AbortSignal): Promise<Thumbnail> {
  const drawn = 'id' in source ? { payload: await remote.findRecord(source, signal) } : source;
  const rendered = await drawSource(drawn, { verify: 'off', signal });
  const { bytes, width: fullWidth, height: fullHeight, warnings } = rendered;
  const full = { fullWidth, fullHeight, warnings };
  const scale = Math.min(1, room.maxWidth / fullWidth, room.maxHeight / fullHeight);
  if (scale === 1) return { data: clamped(own(bytes)), width: fullWidth, height: fullHeight, ...full };
  const [width, height] = [fullWidth, fullHeight].map((side) => Math.max(1, Math.round(side * scale)));
  const data = clamped(own(bytes));
  premultiply(data);
  const part = { left: 0, top: 0, right: width, bottom: height };
  const small = resample(new Pixmap(fullWidth, fullHeight, data), width, height, part);
  return { data: own(straightPixels(small)) as Pixels['data'], width, height, ...full };
}

/** Views the same memory as a clamped array. */
function clamped({ buffer }: Uint8Array): Pixels['data'] {
  return new Uint8ClampedArray(buffer as ArrayBuffer);
}
