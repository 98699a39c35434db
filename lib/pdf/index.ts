// PDF documents of scenes: pages are written one by one as they are painted, fonts at the end.
import { concatBytes } from '../bytes/bytes.js';
import type { Canvas } from '../contract/layers/canvas.js';
import { outputSize } from '../contract/layers/output-size.js';
import { loadSubsetter } from '../fonts/embedding/subset.js';
import { loadKernels } from '../kernels/kernels.js';
import type { PaintTarget } from '../paint/target.js';
import { Rules } from './conformance.js';
import { DocumentFonts } from './fonts.js';
import { DocumentNavigation } from './navigation.js';
import type { PdfOptions } from './options.js';
import { DocumentPictures } from './pictures.js';
import { DocumentStructure } from './structure.js';
import { latin1, number, numbers, textString } from './syntax.js';
import { type DocumentObjects, type PageParts, PdfTarget } from './target.js';
import { PdfWriter, type Ref, refTo } from './writer.js';

export type { PdfOptions };

/** Points of a pixel. */
const POINTS = 0.75;

/** A page of a document. */
export interface PdfPage {
  /** Pixels of the target for each pixel of the page: pictures within the page have as many. */
  readonly rasterScale: number;
  /**
   * Paints the layers on a target that `targetFor` makes for the page's canvas, whose `scale` is multiplied by `rasterScale`
   * already.
   */
  paint(targetFor: (canvas: Canvas) => PaintTarget): Promise<unknown>;
}

/** A document that is written page by page. The methods throw RenderError. */
export class PdfDocument {
  private readonly objects: DocumentObjects;
  private readonly rules: Rules;
  private readonly structure: DocumentStructure;
  private readonly navigation: DocumentNavigation;
  private readonly tree: Ref;
  private readonly pages: Ref[] = [];
  private chunks: Uint8Array<ArrayBuffer>[] = [];

  constructor(private readonly options: PdfOptions = {}) {
    const writer = new PdfWriter((bytes) => void this.chunks.push(bytes as Uint8Array<ArrayBuffer>));
    this.rules = new Rules(options);
    const fonts = new DocumentFonts(writer, this.rules.isStrict);
    const pictures = new DocumentPictures(writer, this.rules.isArchival);
    this.objects = { writer, fonts, pictures, states: new Map() };
    this.structure = new DocumentStructure(writer, this.rules.isAccessible);
    this.navigation = new DocumentNavigation(writer);
    this.tree = writer.reserve();
  }

  /** The bytes that were written since the last call. */
  take(): Uint8Array<ArrayBuffer> {
    const { chunks } = this;
    this.chunks = [];
    return concatBytes(chunks);
  }

  async addPage(page: PdfPage): Promise<void> {
    await loadKernels();
    this.pages.push(await this.writePage(page));
  }

  /** Writes the fonts and what else the pages share. */
  async finish(): Promise<void> {
    const { options, pages, tree } = this;
    const { writer, fonts } = this.objects;
    if (!fonts.isEmpty) fonts.write(await loadSubsetter());
    writer.add(`<</Type/Pages/Kids[${pages.map(refTo).join(' ')}]/Count ${pages.length}>>`, tree);
    const { title, language } = options;
    const viewer = title === undefined ? '' : '/ViewerPreferences<</DisplayDocTitle true>>';
    const lang = language === undefined ? '' : `/Lang${textString(language)}`;
    const parts = this.structure.finish() + this.navigation.finish() + this.rules.finish(writer, options);
    const root = writer.add(`<</Type/Catalog/Pages ${refTo(tree)}${lang}${viewer}${parts}>>`);
    const info = infoOf(options);
    writer.finish(`/Root ${refTo(root)}${info === '' ? '' : `/Info ${refTo(writer.add(`<<${info}>>`))}`}`);
  }

  private async writePage(page: PdfPage): Promise<Ref> {
    const { tree, objects, options, navigation } = this;
    const ref = objects.writer.reserve();
    const structure = this.structure.beginPage(ref);
    const parts: PageParts['parts'] = new Map();
    const { rasterScale } = page;
    const { bleed = 0, cropMarks = false } = options;
    let target: PdfTarget | undefined;
    let size = { width: 1, height: 1 };
    await page.paint((canvas) => {
      size = outputSize(canvas);
      const around = Math.ceil(bleed * canvas.scale);
      target = new PdfTarget(
        { left: -around, top: -around, right: size.width + around, bottom: size.height + around },
        objects,
        { structure, parts },
      );
      return target;
    });
    const unit = POINTS / rasterScale;
    const around = target ? -target.bounds.left * unit : 0;
    const marks = cropMarks ? MARKS_ROOM * POINTS : 0;
    const [width, height] = [size.width * unit, size.height * unit];
    const margin = around + marks;
    const box = (by: number) => `[${numbers([margin - by, margin - by, margin + width + by, margin + height + by])}]`;
    const media = box(margin);
    const boxes = margin > 0 ? `/TrimBox${box(0)}/BleedBox${box(around)}` : '';
    const map = { a: unit, b: 0, c: 0, d: -unit, e: margin, f: margin + height };
    const { operators, owners, states } = target?.content.write() ?? { operators: '', owners: [], states: 0 };
    this.rules.checkPage(width, height, states + 1);
    const matrix = `${numbers([map.a, map.b, map.c, map.d], 6)} ${numbers([map.e, map.f], 4)} cm`;
    const lines = [`q ${matrix}`, operators, 'Q', ...(cropMarks ? [cropMarksOf(margin, width, height)] : [])];
    const stream = objects.writer.addStream('', latin1(lines.join('\n')));
    const links = navigation.addPage(ref, parts, map, structure);
    const keys = structure.addStream(owners) + links;
    structure.finish(map);
    return objects.writer.add(
      `<</Type/Page/Parent ${refTo(tree)}/MediaBox${media}${boxes}/Group<</S/Transparency/CS/DeviceRGB/I true>>` +
        `${target?.content.resourceDictionary() ?? '/Resources<<>>'}/Contents ${refTo(stream)}${keys}>>`,
      ref,
    );
  }
}

/** Pixels around the bleed with crop marks, and the marks' distance from it and length in points. */
const MARKS_ROOM = 24;
const MARKS_GAP = 3;
const MARKS_LENGTH = 12;

function cropMarksOf(margin: number, width: number, height: number): string {
  const lines: string[] = ['/Artifact BMC q 0 G .25 w'];
  const outer = margin - (MARKS_ROOM * POINTS - MARKS_GAP);
  const line = (x0: number, y0: number, x1: number, y1: number) =>
    lines.push(`${numbers([x0, y0])} m ${numbers([x1, y1])} l`);
  for (const x of [margin, margin + width]) {
    line(x, outer + MARKS_GAP, x, outer + MARKS_GAP - MARKS_LENGTH);
    line(x, 2 * margin + height - outer - MARKS_GAP, x, 2 * margin + height - outer - MARKS_GAP + MARKS_LENGTH);
  }
  for (const y of [margin, margin + height]) {
    line(outer + MARKS_GAP, y, outer + MARKS_GAP - MARKS_LENGTH, y);
    line(2 * margin + width - outer - MARKS_GAP, y, 2 * margin + width - outer - MARKS_GAP + MARKS_LENGTH, y);
  }
  return `${lines.join('\n')} S Q EMC`;
}

function infoOf({ title, author, subject, keywords, date }: PdfOptions): string {
  const texts = { Title: title, Author: author, Subject: subject, Keywords: keywords };
  let info = '';
  for (const [key, text] of Object.entries(texts)) if (text !== undefined) info += `/${key}${textString(text)}`;
  if (date !== undefined) info += `/CreationDate(${pdfDate(date)})`;
  return info;
}

/** A date of ISO 8601 as PDF writes it: D:20240131120000+01'00'. */
function pdfDate(iso: string): string {
  const found =
    /^(\d{4})-?(\d\d)?-?(\d\d)?(?:[T ](\d\d):?(\d\d)?(?::?(\d\d))?(?:\.\d+)?)?\s*(Z|[+-]\d\d:?(?:\d\d)?)?$/.exec(iso);
  if (!found) return `D:${number(0)}`;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zone] = found;
  const offset = zone === undefined ? '' : zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}'${zone.slice(-2)}'`;
  return `D:${year}${month}${day}${hour}${minute}${second}${offset}`;
}
