// An SVG document in the making: its definitions, and the parts of its body in the order of painting. Glyphs and pictures are
// written last, when it is known how often each is used.
import { encodeBase64 } from '../bytes/base64.js';
import { escapeText } from '../bytes/xml.js';
import { encodeImage } from '../codecs/index.js';
import { withoutMetadata } from '../codecs/jpeg/without-metadata.js';
import { linkedId } from '../contract/template/links.js';
import { type Affine, compose } from '../geometry/affine.js';
import type { PictureFile, RunGlyph } from '../paint/target.js';
import type { Pixmap } from '../raster/pixmap.js';
import type { Face } from '../text/face.js';
import { LiveFonts } from './fonts.js';
import { type Attributes, element, fromSteps, pathText, type SvgPath, steps, wholePath } from './text.js';

/** A part of a document: text, or a function that writes it at the end. */
export type Part = string | (() => string);

export interface SvgOptions {
  /** Sides of the canvas in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Sides of the image in CSS pixels. */
  readonly imageWidth: number;
  readonly imageHeight: number;
  /** Begins every id. */
  readonly idPrefix: string;
  readonly title?: string | undefined;
  /** The language of its texts. */
  readonly language?: string | undefined;
  /** Whether text is text; else it is outlines. */
  readonly hasLiveText?: boolean;
  /** Maps canvas pixels to CSS pixels: it only scales. */
  readonly toUnits: Affine;
  /** What the picture says and shows. */
  readonly description?: string | undefined;
  /** Whether parts of it are links, which assistive technology must reach. */
  readonly hasLinks?: boolean;
  /** The ids of layers that links name. */
  readonly linkedIds?: ReadonlySet<string>;
}

/** Something that is defined once if it is used more than once. */
interface Shared {
  readonly id: number;
  uses: number;
}

/** The outline of a glyph at a size. */
interface Glyph extends Shared {
  readonly path: SvgPath;
}

/** A glyph and its place in hundredths of a pixel. */
export interface GlyphUse {
  readonly glyph: Glyph;
  readonly x: number;
  readonly y: number;
}

/** Text that is written when it is known which fonts are embedded. */
export interface LiveText {
  /** Called when that is known, before outlines are defined. */
  settle(): void;
  write(): string;
}

type PictureSource = Pixmap | PictureFile;

interface Picture extends Shared {
  readonly source: PictureSource;
  /** Known when all is painted: encoding waits. */
  url: string;
}

export class SvgDocument {
  readonly body: Part[] = [];
  /** Whether something blends with what lies beneath: a page around the document must not take part in that. */
  blends = false;
  readonly fonts: LiveFonts;
  private readonly texts: LiveText[] = [];
  private readonly definitions: Part[] = [];
  private readonly urls = new Map<string, string>();
  private readonly glyphs = new Map<Face, Map<string, Glyph | undefined>>();
  private readonly pictures = new Map<PictureSource, Picture>();
  /** The linked ids that elements have. */
  private readonly targets = new Set<string>();
  private count = 0;

  constructor(private readonly options: SvgOptions) {
    this.fonts = new LiveFonts(options.idPrefix);
  }

  get hasLiveText(): boolean {
    return this.options.hasLiveText === true;
  }

  /** Maps canvas pixels to CSS pixels: it only scales. */
  get toUnits(): Affine {
    return this.options.toUnits;
  }

  get hasLinks(): boolean {
    return this.options.hasLinks ?? false;
  }

  /** The id of an element that links name; undefined if none does, or if an earlier element has it. */
  targetId(id: string): string | undefined {
    if (!this.options.linkedIds?.has(id) || this.targets.has(id)) return undefined;
    this.targets.add(id);
    return this.layerId(id);
  }

  /** The target of a link, once all is painted; undefined if it is an id that no element has. */
  hrefText(href: string): string | undefined {
    const id = linkedId(href);
    if (id === undefined) return href;
    return this.targets.has(id) ? `#${this.layerId(id)}` : undefined;
  }

  /** Adds a definition, unless the same is there already; returns the URL that refers to it. */
  define(tag: string, values: Attributes, content: readonly Part[]): string {
    const key = content.every(isText) ? element(tag, values, content.join('')) : undefined;
    const known = key === undefined ? undefined : this.urls.get(key);
    if (known !== undefined) return known;
    const id = this.idOf(this.nextNumber());
    if (key !== undefined) this.urls.set(key, `url(#${id})`);
    this.definitions.push(() => element(tag, { id, ...values }, content.map(written).join('')));
    return `url(#${id})`;
  }

  /** Adds the text, which is written when its fonts are known. */
  addText(text: LiveText): Part {
    this.texts.push(text);
    return () => text.write();
  }

  /** Counts a use of each glyph with an outline. */
  useGlyphs(glyphs: readonly RunGlyph[]): GlyphUse[] {
    return glyphs.flatMap(({ face, id, toCanvas }) => {
      return face.colorPaint(id) ? [] : (this.useGlyph(face, id, compose(toCanvas, this.toUnits)) ?? []);
    });
  }

  /** Counts a use of a glyph, whose font units the map leads to CSS pixels; undefined for a glyph without an outline. */
  private useGlyph(face: Face, glyph: number, { a, b, c, d, e, f }: Affine): GlyphUse | undefined {
    const outlines = this.glyphs.get(face) ?? new Map<string, Glyph | undefined>();
    this.glyphs.set(face, outlines);
    const key = [glyph, a, b, c, d].join(' ');
    if (!outlines.has(key)) {
      const outline = face.outline(glyph);
      const path = pathText(outline, { a, b, c, d, e: 0, f: 0 });
      outlines.set(key, outline.verbs.length === 0 ? undefined : { path, id: this.nextNumber(), uses: 0 });
    }
    const known = outlines.get(key);
    if (!known) return undefined;
    known.uses++;
    return { glyph: known, x: steps(e), y: steps(f) };
  }

  /** Writes glyphs; with `asPath` as one path, which a gradient needs to lie in one space. */
  glyphsText(uses: readonly GlyphUse[], values: Attributes, asPath: boolean): string {
    const inPath = uses.filter(({ glyph }) => asPath || !isShared(glyph));
    const others = uses.filter(({ glyph }) => !asPath && isShared(glyph));
    const d = inPath.map(({ glyph, x, y }) => wholePath(glyph.path, x, y)).join('');
    if (others.length === 0) return element('path', { ...values, d });
    const used = others.map(({ glyph, x, y }) => {
      return element('use', {
        href: `#${this.idOf(glyph.id)}`,
        x: fromSteps(x) || undefined,
        y: fromSteps(y) || undefined,
      });
    });
    return element('g', values, (d === '' ? '' : element('path', { d })) + used.join(''));
  }

  usePicture(source: PictureSource): Picture {
    const picture = this.pictures.get(source) ?? { source, id: this.nextNumber(), uses: 0, url: '' };
    this.pictures.set(source, picture);
    picture.uses++;
    return picture;
  }

  /** Writes a picture whose box is among `values`. */
  pictureText(picture: Picture, values: Attributes): string {
    if (isShared(picture)) return element('use', { ...values, href: `#${this.idOf(picture.id)}` });
    return element('image', { ...values, preserveAspectRatio: 'none', href: picture.url });
  }

  /** Encodes the pictures and returns the document's text. */
  async finish(): Promise<string> {
    await this.fonts.prepare();
    for (const text of this.texts) text.settle();
    for (const picture of this.pictures.values()) picture.url = await dataUrl(picture.source);
    const { width, height, imageWidth, imageHeight, title, language, description = '', idPrefix } = this.options;
    const root = `${idPrefix}t`;
    const definitions = [...this.glyphDefinitions(), ...this.pictureDefinitions(), ...this.definitions.map(written)];
    const values = {
      xmlns: 'http://www.w3.org/2000/svg',
      width: imageWidth,
      height: imageHeight,
      viewBox: `0 0 ${width} ${height}`,
      lang: language,
      // an image's content would not be read aloud
      role: this.texts.length === 0 && !this.hasLinks ? 'img' : undefined,
      class: this.texts.length === 0 ? undefined : root,
      style: this.blends ? 'isolation:isolate' : undefined,
    };
    const body = this.body.map(written).join('');
    const parts = [
      ...(title === undefined ? [] : [element('title', {}, escapeText(title))]),
      ...(description === '' ? [] : [element('desc', {}, escapeText(description))]),
      ...(this.texts.length === 0 ? [] : [element('style', {}, this.fonts.styles(root))]),
      ...(definitions.length === 0 ? [] : [element('defs', {}, definitions.join(''))]),
      body,
    ];
    return element('svg', values, parts.join(''));
  }

  /** The next number of an id that is none of a layer. */
  private nextNumber(): number {
    while (this.options.linkedIds?.has(this.count.toString(36))) this.count++;
    return this.count++;
  }

  private layerId(id: string): string {
    return this.options.idPrefix + id.replace(/[^\w-]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}.`);
  }

  private idOf(number: number): string {
    return `${this.options.idPrefix}${number.toString(36)}`;
  }

  private glyphDefinitions(): string[] {
    const all = [...this.glyphs.values()].flatMap((outlines) => [...outlines.values()]);
    const shared = all.filter((glyph): glyph is Glyph => glyph !== undefined && isShared(glyph));
    return shared.map(({ id, path }) => element('path', { id: this.idOf(id), d: wholePath(path) }));
  }

  private pictureDefinitions(): string[] {
    return [...this.pictures.values()].filter(isShared).map(({ id, source: { width, height }, url }) => {
      const image = element('image', { width, height, href: url });
      // a symbol takes the width and height of its use
      const box = { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none' };
      return element('symbol', { id: this.idOf(id), ...box }, image);
    });
  }
}

function isShared({ uses }: Shared): boolean {
  return uses > 1;
}

function isText(part: Part): part is string {
  return typeof part === 'string';
}

export function written(part: Part): string {
  return isText(part) ? part : part();
}

async function dataUrl(source: PictureSource): Promise<string> {
  if ('toSquare' in source) return `data:image/jpeg;base64,${encodeBase64(withoutMetadata(source.bytes))}`;
  return `data:image/png;base64,${encodeBase64(await encodeImage(source, 'png', { quality: 100 }))}`;
}
