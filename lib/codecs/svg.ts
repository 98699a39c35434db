// SVG → pixels, drawn sharp at the size at which it will be shown, by resvg compiled to WebAssembly. Nothing is fetched:
// links to other files draw nothing, and what a DOCTYPE declares is dropped unread.
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { Pixmap } from '../raster/pixmap.js';
import { broken, unsupported } from './broken.js';
import { type Decode, type DecodeOptions, MAX_PIXELS } from './codec.js';
import { checkEmbedded } from './svgimages.js';
import { readSvgRoot } from './svgroot.js';
import { compileWasm } from './wasm.js';

let ready: Promise<void> | undefined;

/** Draws an SVG so that it covers `options.size` (its own size without), in its own ratio, within `options.maxPixels`. */
export const decodeSvg: Decode = async (bytes, options) => {
  const root = readSvgRoot(bytes);
  const { width, height } = rasterSize(root, options);
  const text = root.sized(width, height);
  checkEmbedded(text, options.maxPixels ?? MAX_PIXELS);
  ready ??= compileWasm('@resvg/resvg-wasm/index_bg.wasm').then(initWasm);
  await ready;
  return draw(text, width, height, options.fonts ?? []);
};

/** Whole pixels. A picture too big for the bound is drawn smaller, and scaled up when it is painted. */
function rasterSize(root: { width: number; height: number }, { size, maxPixels = MAX_PIXELS }: DecodeOptions) {
  const wanted = size ? Math.max(size.width / root.width, size.height / root.height) : 1;
  const longest = Math.min(32767, maxPixels);
  const scale = Math.min(
    wanted,
    Math.sqrt(maxPixels / (root.width * root.height)),
    longest / Math.max(root.width, root.height),
  );
  const width = Math.max(1, Math.round(root.width * scale));
  return { width, height: Math.max(1, Math.min(Math.round(root.height * scale), Math.floor(maxPixels / width))) };
}

function draw(text: string, width: number, height: number, fonts: readonly Uint8Array[]): Pixmap {
  let tree: InstanceType<typeof Resvg> | undefined;
  let image: ReturnType<InstanceType<typeof Resvg>['render']> | undefined;
  try {
    tree = new Resvg(text, { font: { fontBuffers: [...fonts] }, fitTo: { mode: 'original' } });
    image = tree.render();
    const { pixels } = image;
    if (image.width !== width || image.height !== height) throw broken('svg', 'its size could not be set');
    // Premultiplied already, and a copy of its own outside the WASM memory.
    return new Pixmap(width, height, new Uint8ClampedArray(pixels.buffer));
  } catch (cause) {
    throw explain(cause);
  } finally {
    image?.free();
    tree?.free();
  }
}

function explain(cause: unknown) {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/unknown entity/i.test(message)) return unsupported('svg', 'it uses entities that its DOCTYPE declares');
  if (cause instanceof Error && cause.name === 'RuntimeError') return unsupported('svg', 'it is too complex to draw');
  return broken('svg', message.replace(/^SVG data parsing failed cause /, ''), cause);
}
