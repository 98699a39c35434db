// Renders a scene to a vector document.
import { concatBytes } from '../bytes/bytes.js';
import type { DocumentFormat } from '../codecs/codec.js';
import { crc32 } from '../codecs/png/crc.js';
import type { Canvas } from '../contract/layers/canvas.js';
import { outputSize, rasterScaleFor } from '../contract/layers/output-size.js';
import type { Warning } from '../errors.js';
import { rectOf } from '../geometry/rect.js';
import type { PaintTarget } from '../paint/target.js';
import type { Scene } from '../templates/scene.js';
import { type PaintContext, paintScene, reportedWarnings, timed } from './paint-scene.js';

export interface RenderedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Sides of the image in pixels. */
  readonly width: number;
  readonly height: number;
  readonly warnings: Warning[];
}

/** Renders a resolved scene to SVG or PDF. Throws as `renderScene` does. */
export function renderDocument(scene: Scene, format: DocumentFormat, context: PaintContext): Promise<RenderedDocument> {
  return format === 'svg' ? renderSvg(scene, context) : renderPdf(scene, context);
}

/** The scene at the scale of its pictures, and what paints it. */
function enlargedScene(scene: Scene, context: PaintContext) {
  const { canvas, document } = scene;
  const enlargement = rasterScaleFor(canvas, document?.rasterScale);
  const enlarged = { ...scene, canvas: { ...canvas, scale: canvas.scale * enlargement } };
  const paint = (createTarget: (canvas: Canvas) => PaintTarget) =>
    paintScene(enlarged, { ...context, enlargement }, createTarget);
  /** The size of the image, whose canvas the layers may have shrunk. */
  const sizeOf = (painted: Canvas) => outputSize({ ...painted, scale: canvas.scale });
  return { enlargement, paint, sizeOf };
}

async function renderSvg(scene: Scene, context: PaintContext): Promise<RenderedDocument> {
  const [{ SvgDocument }, { SvgTarget }] = await Promise.all([
    import('../svg/document.js'),
    import('../svg/target.js'),
  ]);
  const { title, idPrefix = prefixOf(scene), text } = scene.document ?? {};
  const { paint, sizeOf } = enlargedScene(scene, context);
  let size = outputSize(scene.canvas);
  let svg: InstanceType<typeof SvgDocument> | undefined;
  const warnings = await paint((canvas) => {
    const { width, height } = canvas;
    size = sizeOf(canvas);
    const unit = 1 / canvas.scale;
    svg = new SvgDocument({
      width,
      height,
      imageWidth: size.width,
      imageHeight: size.height,
      idPrefix,
      title,
      toUnits: { a: unit, b: 0, c: 0, d: unit, e: 0, f: 0 },
      hasLiveText: text === 'live',
    });
    const pixels = outputSize(canvas);
    return new SvgTarget(rectOf(0, 0, pixels.width, pixels.height), svg);
  });
  const bytes = await timed('encode', context, async () => new TextEncoder().encode(await svg!.finish()));
  const outlined = Array.from(svg!.fonts.problems, (problem) => {
    return { code: 'outlined_text', path: 'document.text', message: `${problem}: its text is outlines` } as const;
  });
  return {
    bytes,
    ...size,
    warnings: [...warnings, ...reportedWarnings({ ...scene, warnings: [] }, outlined, context)],
  };
}

async function renderPdf(scene: Scene, context: PaintContext): Promise<RenderedDocument> {
  const pdf = await import('../pdf/index.js');
  const { enlargement, paint, sizeOf } = enlargedScene(scene, context);
  let size = outputSize(scene.canvas);
  let warnings: Warning[] = [];
  const page = {
    rasterScale: enlargement,
    async paint(targetFor: (canvas: Canvas) => PaintTarget) {
      warnings = await paint((canvas) => {
        size = sizeOf(canvas);
        return targetFor(canvas);
      });
    },
  };
  const chunks: Uint8Array[] = [];
  for await (const chunk of pdf.renderPdf([page], { language: 'en', ...scene.document })) chunks.push(chunk);
  return { bytes: concatBytes(chunks), ...size, warnings };
}

/** A prefix that differs from payload to payload. */
function prefixOf({ canvas, layers }: Scene): string {
  const json = JSON.stringify([canvas, layers]);
  return `p${crc32(new TextEncoder().encode(json)).toString(36)}-`;
}
