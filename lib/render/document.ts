// Renders scenes to vector documents: one to SVG, one or several to PDF, page by page.
import { concatBytes } from '../bytes/bytes.js';
import type { DocumentFormat } from '../codecs/codec.js';
import { crc32 } from '../codecs/png/crc.js';
import { definedFields } from '../contract/json/defined-fields.js';
import type { Canvas } from '../contract/layers/canvas.js';
import { outputSize, rasterScaleFor } from '../contract/layers/output-size.js';
import type { DocumentFields } from '../contract/template/document.js';
import type { Warning } from '../errors.js';
import { rectOf } from '../geometry/rect.js';
import { meaningOf, pictureAlt } from '../layers/meaning.js';
import type { PaintTarget } from '../paint/target.js';
import type { PdfDocument } from '../pdf/index.js';
import type { Scene } from '../templates/scene.js';
import { createConformanceCheck } from './conformance.js';
import { sceneLinks, withLinkWarnings } from './links.js';
import { numberPages, type PageNumbers } from './page-numbers.js';
import { breakPages, pageWarnings, type ScenePage } from './paginate.js';
import { type PaintContext, paintScene, reportedWarnings, timed } from './paint-scene.js';

export interface RenderedDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Sides of the first page's image in pixels. */
  readonly width: number;
  readonly height: number;
  readonly pages: number;
  readonly warnings: Warning[];
}

/** Renders a resolved scene to SVG or PDF. Throws as `renderScene` does. */
export async function renderDocument(
  scene: Scene,
  format: DocumentFormat,
  context: PaintContext,
): Promise<RenderedDocument> {
  const [linked] = withLinkWarnings([scene]);
  if (format === 'svg') return renderSvg(linked, context);
  createConformanceCheck(scene.document)(linked);
  const document = await openPdf(describedDocument(scene), scene.locale);
  const { bytes, ...rendered } = await document.add(await breakPages(linked, context), context);
  return { ...rendered, bytes: concatBytes([bytes, await timed('encode', context, () => document.finish())]) };
}

/** What a document of this scene alone says of itself: the scene's alternative text is the subject unless there is one. */
export function describedDocument({ document, alt }: Pick<Scene, 'document' | 'alt'>): DocumentFields | undefined {
  return alt ? { subject: alt, ...definedFields(document ?? {}) } : document;
}

/** A PDF that scenes are added to. */
export interface OpenPdf {
  /**
   * Paints the pages of a scene. `bytes` are those of the document since the last call. `numbers`: those of its first page, by
   * default of a document without other pages.
   */
  add(pages: readonly ScenePage[], context: PaintContext, numbers?: PageNumbers): Promise<RenderedDocument>;
  /** Ends the document; returns the rest of its bytes. */
  finish(): Promise<Uint8Array<ArrayBuffer>>;
}

/** The place of a scene in a document of several. Its scenes go to one process, one after the other. */
export interface DocumentPlace {
  /** What the document's payload says of it. */
  readonly document: DocumentFields | undefined;
  /** The number of the scene's first page, and that of all pages of the document. */
  readonly numbers: PageNumbers;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Begins a PDF. `fields`: what its payload says of the document. `locale`: its language. */
export async function openPdf(fields: DocumentFields | undefined, locale = 'en'): Promise<OpenPdf> {
  const pdf = await import('../pdf/index.js');
  const document = new pdf.PdfDocument({ language: locale, ...fields });
  return {
    async add(pages, context, numbers) {
      const { page: first, pages: total } = numbers ?? { page: 1, pages: pages.length };
      let size: { readonly width: number; readonly height: number } | undefined;
      const found: Warning[][] = [];
      for (const [i, { scene }] of pages.entries()) {
        const numbered = numberPages(scene, { page: first + i, pages: total });
        const added = await addPage(document, { ...numbered, document: fields }, context);
        size ??= added.size;
        found.push(added.warnings);
      }
      const warnings = pageWarnings(pages, found);
      return { bytes: document.take(), ...size!, pages: pages.length, warnings };
    },
    async finish() {
      await document.finish();
      return document.take();
    },
  };
}

/** The scene at the scale of its pictures, and what paints it. */
function enlargedScene(scene: Scene, context: PaintContext) {
  const { canvas, document } = scene;
  const enlargement = rasterScaleFor(canvas, document?.rasterScale);
  const enlarged = { ...scene, canvas: { ...canvas, scale: canvas.scale * enlargement } };
  const paint = (createTarget: (canvas: Canvas) => PaintTarget) =>
    paintScene(enlarged, { ...context, enlargement, meaningOf }, createTarget);
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
  const description = pictureAlt(scene);
  const links = sceneLinks(scene);
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
      language: scene.locale,
      toUnits: { a: unit, b: 0, c: 0, d: unit, e: 0, f: 0 },
      hasLiveText: text === 'live',
      description,
      ...links,
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
    pages: 1,
    warnings: [...warnings, ...reportedWarnings({ ...scene, warnings: [] }, outlined, context)],
  };
}

async function addPage(document: PdfDocument, scene: Scene, context: PaintContext) {
  const { enlargement: rasterScale, paint, sizeOf } = enlargedScene(scene, context);
  let size = outputSize(scene.canvas);
  let warnings: Warning[] = [];
  await document.addPage({
    rasterScale,
    async paint(targetFor) {
      warnings = await paint((canvas) => {
        size = sizeOf(canvas);
        return targetFor(canvas);
      });
    },
  });
  return { size, warnings };
}

/** A prefix that differs from payload to payload. */
function prefixOf({ canvas, layers }: Scene): string {
  const json = JSON.stringify([canvas, layers]);
  return `p${crc32(new TextEncoder().encode(json)).toString(36)}-`;
}
