// Renders a scene to a vector document.
import { concatBytes } from '../bytes/bytes.js';
import type { DocumentFormat } from '../codecs/codec.js';
import { crc32 } from '../codecs/png/crc.js';
import type { Canvas } from '../contract/layers/canvas.js';
import { outputSize, rasterScaleFor } from '../contract/layers/output-size.js';
import { limitWarnings, mismatchOf } from '../contract/messages/issues.js';
import { fieldPath, locateIssue } from '../contract/messages/origins.js';
import { danglingLinks, linkedId, linksOf, visibleLayers } from '../contract/template/links.js';
import type { Warning } from '../errors.js';
import { rectOf } from '../geometry/rect.js';
import { describeLayers } from '../layers/meaning.js';
import type { PaintTarget } from '../paint/target.js';
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
export function renderDocument(scene: Scene, format: DocumentFormat, context: PaintContext): Promise<RenderedDocument> {
  const linked = { ...scene, warnings: limitWarnings(scene.warnings, danglingWarnings(scene)) };
  return format === 'svg' ? renderSvg(linked, context) : renderPdf(linked, context);
}

/** Warns about links to ids that no layer has. */
function danglingWarnings({ layers, origins }: Scene): Warning[] {
  return danglingLinks([...visibleLayers(layers)]).map(({ path, field, href, layerId, message }) => {
    const [first = '', index] = /^layers\[(\d+)\]\.?/.exec(path) ?? [];
    const nested = path.slice(first.length);
    const found = { field: nested === '' ? field : fieldPath(nested, field), message, ...mismatchOf(href) };
    const located = locateIssue(origins[Number(index)], { code: 'dangling_link', ...found });
    return layerId === undefined ? located : { ...located, layerId };
  });
}

/** What links need to know of the layers before they are painted. */
function sceneLinks({ layers }: Scene) {
  const hrefs = Array.from(visibleLayers(layers), ({ layer }) => linksOf(layer).map(({ href }) => href)).flat();
  return { hasLinks: hrefs.length > 0, linkedIds: new Set(hrefs.flatMap((href) => linkedId(href) ?? [])) };
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
  const { title, idPrefix = prefixOf(scene) } = scene.document ?? {};
  const { paint, sizeOf } = enlargedScene(scene, context);
  let size = outputSize(scene.canvas);
  const description = describeLayers(scene.layers);
  const links = sceneLinks(scene);
  let svg: InstanceType<typeof SvgDocument> | undefined;
  const warnings = await paint((canvas) => {
    const { width, height } = canvas;
    size = sizeOf(canvas);
    svg = new SvgDocument({
      width,
      height,
      imageWidth: size.width,
      imageHeight: size.height,
      idPrefix,
      title,
      description,
      ...links,
    });
    const pixels = outputSize(canvas);
    const unit = 1 / canvas.scale;
    const toUnits = { a: unit, b: 0, c: 0, d: unit, e: 0, f: 0 };
    return new SvgTarget(rectOf(0, 0, pixels.width, pixels.height), toUnits, svg);
  });
  const bytes = await timed('encode', context, async () => new TextEncoder().encode(await svg!.finish()));
  return { bytes, ...size, warnings };
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
