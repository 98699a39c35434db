// Rasterizes SVG at its display size with resvg compiled to WebAssembly. Loads nothing external: links to other files
// draw nothing, and of a DOCTYPE's declarations only plain-text entities are expanded (svg/prolog.ts). Plain counts reject
// files that would take too much time or memory: svg/counts.ts before resvg parses them, svg/pixels.ts before it draws.
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { isWasmTrap } from '../../errors.js';
import { withModule } from '../../kernels/wasm-module.js';
import { Pixmap } from '../../raster/pixmap.js';
import type { CheckTime } from '../../stage-budget.js';
import { type Decode, type DrawnSize, MAX_PIXELS } from '../codec.js';
import { malformed, unsupported } from '../errors.js';
import { type Bounds, transformed, viewMatrix } from './bounds.js';
import { countSvg } from './counts.js';
import { embeddedCounts } from './embedded-images.js';
import { extendsBeyond, extendsOffscreen, stripLayers } from './offscreen.js';
import { checkPixels, isSmall } from './pixels.js';
import type { SvgRoot } from './root.js';
import { type SvgElement, scanSvg } from './scan.js';

let ready: Promise<void> | undefined;

/**
 * Rasterizes an SVG at `options.size` (default: its own size), or smaller at the same aspect ratio if
 * `options.maxPixels` requires it.
 */
export const decodeSvg: Decode<SvgRoot> = async (_bytes, root, options) => {
  const size: DrawnSize = options.size ?? root;
  const { check = () => {}, maxPixels = MAX_PIXELS } = options;
  const { width, height } = rasterSize(size, maxPixels);
  const text = root.sized(width, height, options.size?.exact ? options.size : undefined, size.part);
  const tree = scanSvg(text, check);
  const { drawn, data } = countSvg(tree, embeddedCounts(tree, maxPixels, check), check);
  ready ??= withModule('resvg', initWasm);
  await ready;
  const image = { text, root: tree.root, width, height, isSmall: isSmall(drawn, data, width * height) };
  return draw(image, options.fonts ?? [], check);
};

/** Integer size in pixels. An image larger than the limit is rasterized smaller, and scaled up when it is painted. */
function rasterSize(size: { width: number; height: number }, maxPixels: number) {
  const maxSide = Math.min(32767, maxPixels);
  const scale = Math.min(
    1,
    Math.sqrt(maxPixels / (size.width * size.height)),
    maxSide / Math.max(size.width, size.height),
  );
  const width = Math.max(1, Math.round(size.width * scale));
  return { width, height: Math.max(1, Math.min(Math.round(size.height * scale), Math.floor(maxPixels / width))) };
}

interface SizedSvg {
  readonly text: string;
  readonly root: SvgElement;
  readonly width: number;
  readonly height: number;
  /** Whether it draws so little that its size alone decides. */
  readonly isSmall: boolean;
}

function draw(svg: SizedSvg, fonts: readonly Uint8Array[], check: CheckTime): Pixmap {
  const { text, root, width, height } = svg;
  const font = { fontBuffers: [...fonts], defaultFontFamily: 'Inter', sansSerifFamily: 'Inter' };
  let tree: InstanceType<typeof Resvg> | undefined;
  let image: ReturnType<InstanceType<typeof Resvg>['render']> | undefined;
  try {
    tree = new Resvg(text, { font, fitTo: { mode: 'original' } });
    const bounds = pixelBounds(tree, root);
    if (!svg.isSmall || MAY_BE_LARGE.test(text) || extendsBeyond(bounds, width, height, -MARGIN, 1 + MARGIN)) {
      const simplify = (embedded: string) => {
        const inner = new Resvg(embedded, { font });
        const simplified = inner.toString();
        inner.free();
        return simplified;
      };
      const simplified = tree.toString();
      const hidden = checkPixels(simplified, svg, simplify, check);
      if (hidden.length > 0 && extendsOffscreen(bounds, width, height)) {
        tree.free();
        tree = undefined;
        tree = new Resvg(stripLayers(simplified, hidden), { fitTo: { mode: 'original' } });
      }
    }
    image = tree.render();
    const { pixels } = image;
    if (image.width !== width || image.height !== height) throw malformed('svg', 'its size could not be set');
    // Already premultiplied, and a copy outside the WASM memory.
    return new Pixmap(width, height, new Uint8ClampedArray(pixels.buffer));
  } catch (cause) {
    // after a trap, these objects can't be freed any more
    if (isWasmTrap(cause)) tree = image = undefined;
    throw explain(cause);
  } finally {
    image?.free();
    tree?.free();
  }
}

/** Filters and patterns have bitmaps in other sizes than the image's, and dashes may be any number. */
const MAY_BE_LARGE = /filter|pattern|dasharray|data:/i;
/** Multiples of the image size: layers of groups that extend less beyond its edges have little more pixels. */
const MARGIN = 0.25;

/** The bounds of everything that is drawn. */
function pixelBounds(tree: InstanceType<typeof Resvg>, root: SvgElement): Bounds {
  const box = tree.getBBox();
  if (!box) return [0, 0, 0, 0];
  const { x, y, width, height } = box;
  box.free();
  return transformed([x, y, x + width, y + height], viewMatrix(root));
}

function explain(cause: unknown) {
  const message = cause instanceof Error ? cause.message : String(cause);
  if (/unknown entity/i.test(message)) {
    return unsupported('svg', 'it uses entities that its DOCTYPE does not declare as plain text');
  }
  if (isWasmTrap(cause)) return unsupported('svg', 'the renderer crashed on it', cause);
  return malformed('svg', message.replace(/^SVG data parsing failed cause /, ''), cause);
}
