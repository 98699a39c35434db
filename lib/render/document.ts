// Renders a scene to a vector document.
import type { DocumentFormat } from '../codecs/codec.js';
import { crc32 } from '../codecs/png/crc.js';
import { DEFAULT_RASTER_SCALE, MAX_CANVAS, outputSize } from '../contract/layers/output-size.js';
import { RenderError, type Warning } from '../errors.js';
import { rectOf } from '../geometry/rect.js';
import type { Scene } from '../templates/scene.js';
import { type PaintContext, paintScene, timed } from './paint-scene.js';

export interface RenderedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Sides of the image in pixels. */
  readonly width: number;
  readonly height: number;
  readonly warnings: Warning[];
}

/** Renders a resolved scene to SVG or PDF. Throws as `renderScene` does. */
export async function renderDocument(
  scene: Scene,
  format: DocumentFormat,
  context: PaintContext,
): Promise<RenderedDocument> {
  if (format === 'pdf') throw new RenderError('render_failed', 'PDF is not there yet');
  return renderSvg(scene, context);
}

async function renderSvg(scene: Scene, context: PaintContext): Promise<RenderedDocument> {
  const [{ SvgDocument }, { SvgTarget }] = await Promise.all([
    import('../svg/document.js'),
    import('../svg/target.js'),
  ]);
  const { title, idPrefix = prefixOf(scene) } = scene.document ?? {};
  const { scale } = scene.canvas;
  let size = outputSize(scene.canvas);
  let svg: InstanceType<typeof SvgDocument> | undefined;
  const enlargement = enlargementOf(scene);
  const enlarged = { ...scene, canvas: { ...scene.canvas, scale: scale * enlargement } };
  const warnings = await paintScene(enlarged, { ...context, enlargement }, (canvas) => {
    const { width, height } = canvas;
    size = outputSize({ ...canvas, scale });
    svg = new SvgDocument({ width, height, imageWidth: size.width, imageHeight: size.height, idPrefix, title });
    const pixels = outputSize(canvas);
    const unit = 1 / canvas.scale;
    const toUnits = { a: unit, b: 0, c: 0, d: unit, e: 0, f: 0 };
    return new SvgTarget(rectOf(0, 0, pixels.width, pixels.height), toUnits, svg);
  });
  const bytes = await timed('encode', context, async () => new TextEncoder().encode(await svg!.finish()));
  return { bytes, ...size, warnings };
}

/** Pixels of pictures per pixel of the image. No side has more of them than an image may have. */
function enlargementOf({ canvas: { width, height, scale }, document = {} }: Scene): number {
  const { rasterScale = DEFAULT_RASTER_SCALE } = document;
  return Math.min(rasterScale, MAX_CANVAS / (scale * Math.max(width, height)));
}

/** A prefix that differs from payload to payload. */
function prefixOf({ canvas, layers }: Scene): string {
  const json = JSON.stringify([canvas, layers]);
  return `p${crc32(new TextEncoder().encode(json)).toString(36)}-`;
}
