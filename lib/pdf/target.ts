// The target that writes a PDF's content. What PDF does not describe, it paints as a picture in its bounds.
import { type Affine, IDENTITY, invert } from '../geometry/affine.js';
import type { PathData } from '../geometry/path.js';
import type { Polygon } from '../geometry/polygon.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut, unite } from '../geometry/rect.js';
import { clipOf } from '../paint/clip-of.js';
import { drawColorGlyphs } from '../paint/color-glyphs.js';
import { RasterTarget } from '../paint/raster-target.js';
import type {
  FillStyle,
  GlyphRun,
  GroupEffects,
  PaintTarget,
  PixelSource,
  PlacedPicture,
  Restriction,
} from '../paint/target.js';
import { pathBounds } from '../paint/vector-target.js';
import type { BlendMode } from '../raster/blend-mode.js';
import type { Color } from '../raster/color.js';
import type { FillRule } from '../raster/coverage.js';
import { isGradient } from '../raster/fill.js';
import type { Gradient } from '../raster/gradient/gradient.js';
import { Pixmap } from '../raster/pixmap.js';
import { Surface } from '../raster/surface.js';
import { ContentStream, pictureMap } from './content.js';
import type { DocumentFonts } from './fonts.js';
import { shadingsOf } from './gradients.js';
import type { DocumentPictures } from './pictures.js';
import { latin1, number, numbers } from './syntax.js';
import { addText, CLIP, FILL, INVISIBLE } from './text.js';
import { TextOnlyTarget } from './text-target.js';
import { type PdfWriter, type Ref, refTo } from './writer.js';

/** What the pages of a document share. */
export interface DocumentObjects {
  readonly writer: PdfWriter;
  readonly fonts: DocumentFonts;
  readonly pictures: DocumentPictures;
  /** Graphics states by their entries. */
  readonly states: Map<string, Ref>;
}

type DrawPixels = Parameters<PaintTarget['drawPixels']>[1];

/** The entries of a graphics state that changes nothing. */
const NO_STATE = '/ca 1/BM/Normal/SMask/None';
/** Pixels of a small picture, and the pixels of the canvas for each of them up to which it is embedded as it is. */
const MAX_SMALL = 65_536;
const MAX_ENLARGEMENT = 16;
/** Copies of a picture that are drawn one by one; more are one picture. */
const MAX_COPIES = 2000;

export class PdfTarget implements PaintTarget {
  readonly content = new ContentStream();
  /** What was painted so far, to paint it again as the backdrop of pixels. */
  private readonly history: ((target: PaintTarget) => void)[] = [];
  /** Whether something blends with what lies beneath it in this content. */
  private blends = false;

  constructor(
    readonly bounds: Rect,
    private readonly objects: DocumentObjects,
  ) {}

  fillPath(path: PathData, map: Affine, style: FillStyle, rule?: FillRule): void {
    this.history.push((target) => target.fillPath(path, map, style, rule));
    this.fill(
      style,
      () => pathBounds(path, map),
      rule,
      () => this.content.path(path, map),
    );
  }

  fillPolygon(polygon: Polygon, style: FillStyle, rule?: FillRule): void {
    if (polygon.length === 0) return;
    this.history.push((target) => target.fillPolygon(polygon, style, rule));
    this.fill(
      style,
      () => polygon.bounds(),
      rule,
      () => this.content.polygon(polygon),
    );
  }

  fillRects(rects: readonly Rect[], style: FillStyle): void {
    const visible = rects.map((rect) => intersect(rect, this.bounds)).filter((rect) => !isEmpty(rect));
    if (visible.length === 0) return;
    this.history.push((target) => target.fillRects(rects, style));
    const addPath = () => {
      for (const rect of visible) this.content.rectangle(rect);
    };
    this.fill(style, () => visible.reduce(unite), undefined, addPath);
  }

  drawGlyphs(run: GlyphRun): void {
    this.history.push((target) => target.drawGlyphs(run));
    const glyphs = run.glyphs();
    if (glyphs.length === 0) return;
    const { content } = this;
    const { fonts } = this.objects;
    const { fill } = run.style;
    const colored = glyphs.filter(({ face, id }) => face.colorPaint(id) !== undefined);
    const length = this.history.length;
    const isDrawn = colored.length === 0 || drawColorGlyphs(this, run, colored);
    if (!isDrawn) this.drawPixels(run.bounds(), (surface) => run.drawPixels(surface));
    // the run paints the shapes of its colour glyphs itself
    this.history.length = length;
    if (!isDrawn) {
      // the text goes on its picture without ink
      addText(content, fonts, run, INVISIBLE);
      return;
    }
    if (!isGradient(fill)) {
      if (this.setSolid(fill, run.style.opacity)) addText(content, fonts, run, FILL);
      return;
    }
    const bounds = intersect(roundOut(run.bounds()), this.bounds);
    if (isEmpty(bounds)) return;
    content.save();
    addText(content, fonts, run, colored.length === glyphs.length ? INVISIBLE : CLIP);
    if (colored.length < glyphs.length) this.paintGradient(fill, run.style, bounds);
    content.restore();
  }

  drawPicture(picture: PlacedPicture): void {
    const { source, toCanvas, repeats, opacity } = picture;
    const { path, map, rule } = picture.clip();
    const region = intersect(roundOut(pathBounds(path, map)), this.bounds);
    if (isEmpty(region)) return;
    const copies = repeats ? copiesIn(region, source, toCanvas) : [toCanvas];
    if (!copies || isEnlarged(source, toCanvas)) {
      this.drawPixels(region, (surface) => picture.drawPixels(surface));
      return;
    }
    this.history.push((target) => target.drawPicture(picture));
    const { content, objects } = this;
    content.save();
    this.setOpacity(opacity);
    content.path(path, map);
    content.clip(rule);
    const { original } = picture;
    const jpeg = original && !repeats ? objects.pictures.ofFile(original.file) : undefined;
    if (original && jpeg !== undefined) this.placePicture(jpeg, original.file, original.toCanvas);
    else for (const copy of copies) this.placePicture(objects.pictures.of(source), source, copy);
    content.restore();
  }

  drawGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void {
    const { bounds, opacity = 1, blendMode = 'normal', clip, restriction } = effects;
    if (!isBlendMode(blendMode)) {
      const onBackdrop: DrawPixels = (_, beneath) => new RasterTarget(beneath()).drawGroup(effects, draw);
      this.drawPixels(bounds, onBackdrop, { origin: draw });
      return;
    }
    this.history.push((target) => target.drawGroup(effects, draw));
    const group = new PdfTarget(bounds, this.objects);
    draw(group);
    if (group.content.isEmpty) return;
    const { content } = this;
    content.save();
    if (clip) {
      content.path(clip.path, clip.map);
      content.clip(clip.rule);
    }
    const shape = restriction && clipOf(restriction, bounds);
    if (shape) {
      content.path(shape.path, shape.map);
      content.clip(shape.rule);
    }
    const mask = restriction && !shape ? this.maskOf(restriction, bounds) : undefined;
    if (blendMode !== 'normal') this.blends = true;
    if (opacity === 1 && blendMode === 'normal' && !mask && !group.blends) {
      this.setOpacity(1);
      content.append(group.content);
    } else {
      this.setState(opacity, pdfName(blendMode), mask);
      content.add(`${content.use('XObject', group.toForm('/CS/DeviceRGB/I true'))} Do`);
    }
    content.restore();
  }

  drawPixels(bounds: Rect, draw: DrawPixels, source: PixelSource = {}): void {
    const { exact, origin } = source;
    if (exact) {
      exact(this);
      return;
    }
    const region = intersect(roundOut(bounds), this.bounds);
    if (isEmpty(region)) return;
    const surface = new Surface(region);
    let before: Uint32Array | undefined;
    const beneath = () => {
      if (!before) {
        const raster = new RasterTarget(surface);
        for (const paint of this.history) paint(raster);
        before = surface.pixmap.words.slice();
      }
      return surface;
    };
    draw(surface, beneath);
    if (before) {
      const { words } = surface.pixmap;
      // what did not change shows already
      for (let i = 0; i < words.length; i++) if (words[i] === before[i]) words[i] = 0;
      this.blends = true;
    }
    this.history.push((target) => target.drawPixels(bounds, draw, source));
    this.paintPixmap(surface.pixmap, region);
    origin?.(new TextOnlyTarget(this.bounds, (run) => addText(this.content, this.objects.fonts, run, INVISIBLE)));
  }

  /** Writes the content as a form with a transparency group. */
  toForm(group: string): Ref {
    const { left, top, right, bottom } = this.bounds;
    const entries =
      `/Type/XObject/Subtype/Form/BBox[${numbers([left, top, right, bottom])}]` +
      `/Group<</S/Transparency${group}>>${this.content.resourceDictionary()}`;
    return this.objects.writer.addStream(entries, latin1(this.content.toString()));
  }

  private fill(style: FillStyle, bounds: () => Rect, rule: FillRule | undefined, addPath: () => void): void {
    const { content } = this;
    const { fill, opacity } = style;
    if (!isGradient(fill)) {
      if (!this.setSolid(fill, opacity)) return;
      addPath();
      content.fill(rule);
      return;
    }
    const region = intersect(roundOut(bounds()), this.bounds);
    if (isEmpty(region)) return;
    content.save();
    addPath();
    content.clip(rule);
    this.paintGradient(fill, style, region);
    content.restore();
  }

  /** Paints a gradient within the clip, whose bounds are `region`. The caller restores the state. */
  private paintGradient(gradient: Gradient, style: FillStyle, region: Rect): void {
    const { content } = this;
    const { writer } = this.objects;
    const shadings = shadingsOf(gradient, style.area, region);
    if (!shadings) {
      const surface = new Surface(region);
      surface.fillRect(region, surface.paintOf(gradient, style.area, style.opacity));
      this.paintPixmap(surface.pixmap, region);
      return;
    }
    if (!('map' in shadings)) {
      if (!this.setSolid(shadings, style.opacity)) return;
      content.rectangle(region);
      content.fill();
      return;
    }
    const { color, alpha, map } = shadings;
    let mask: string | undefined;
    if (alpha !== undefined) {
      const levels = new PdfTarget(region, this.objects);
      levels.content.concat(map);
      levels.content.add(`${levels.content.use('Shading', writer.add(alpha))} sh`);
      mask = `<</S/Luminosity/G ${refTo(levels.toForm('/CS/DeviceGray'))}>>`;
    }
    this.setState(style.opacity, 'Normal', mask);
    content.concat(map);
    content.add(`${content.use('Shading', writer.add(color))} sh`);
  }

  private paintPixmap(pixmap: Pixmap, region: Rect): void {
    const inked = trim(pixmap);
    if (!inked) return;
    const { content, objects } = this;
    const { picture, left, top } = inked;
    content.save();
    this.setOpacity(1);
    const map = { ...IDENTITY, e: region.left + left, f: region.top + top };
    this.placePicture(objects.pictures.of(picture), picture, map);
    content.restore();
  }

  private placePicture(ref: Ref, size: { readonly width: number; readonly height: number }, toCanvas: Affine): void {
    const { content } = this;
    content.save();
    content.concat(pictureMap(size, toCanvas));
    content.add(`${content.use('XObject', ref)} Do`);
    content.restore();
  }

  private maskOf(restriction: Restriction, bounds: Rect): string {
    const mask = new PdfTarget(bounds, this.objects);
    restriction.draw(mask);
    return `<</S/Alpha/G ${refTo(mask.toForm('/CS/DeviceRGB/I true'))}>>`;
  }

  /** Sets a colour; returns whether it shows. */
  private setSolid({ r, g, b, a }: Color, opacity: number): boolean {
    if (a * opacity === 0) return false;
    this.setOpacity(a * opacity);
    const levels = [r, g, b].map((level) => level / 255);
    this.content.setColor(r === g && g === b ? `${number(levels[0], 4)} g` : `${numbers(levels, 4)} rg`);
    return true;
  }

  private setOpacity(opacity: number): void {
    this.setState(opacity, 'Normal', undefined);
  }

  private setState(opacity: number, blendMode: string, mask: string | undefined): void {
    const isPlain = opacity === 1 && blendMode === 'Normal' && mask === undefined;
    const entries = `/ca ${number(opacity, 4)}/BM/${blendMode}/SMask${mask ?? '/None'}`;
    this.content.setState(isPlain ? undefined : this.stateOf(entries), () => this.stateOf(NO_STATE));
  }

  private stateOf(entries: string): Ref {
    const { states, writer } = this.objects;
    let ref = states.get(entries);
    if (ref === undefined) {
      ref = writer.add(`<<${entries}>>`);
      states.set(entries, ref);
    }
    return ref;
  }
}

/** Whether it is a small picture that is much enlarged: viewers do that each in a way of its own, some with visible squares. */
function isEnlarged({ words }: Pixmap, { a, b, c, d }: Affine): boolean {
  return words.length <= MAX_SMALL && Math.abs(a * d - b * c) > MAX_ENLARGEMENT;
}

/** The maps of all copies of a picture that show in `region`; undefined if there are too many. */
function copiesIn(region: Rect, { width, height }: Pixmap, toCanvas: Affine): Affine[] | undefined {
  const { a, b, c, d, e, f } = toCanvas;
  const toSource = invert(toCanvas);
  if (!toSource) return undefined;
  const area = mapRect(region, toSource);
  const [left, right] = [Math.floor(area.left / width), Math.ceil(area.right / width)];
  const [top, bottom] = [Math.floor(area.top / height), Math.ceil(area.bottom / height)];
  if (!((right - left) * (bottom - top) <= MAX_COPIES)) return undefined;
  const copies: Affine[] = [];
  for (let row = top; row < bottom; row++) {
    for (let column = left; column < right; column++) {
      const [x, y] = [column * width, row * height];
      copies.push({ ...toCanvas, e: e + a * x + c * y, f: f + b * x + d * y });
    }
  }
  return copies;
}

/** The part of a picture with ink; undefined without any. */
function trim(pixmap: Pixmap): { picture: Pixmap; left: number; top: number } | undefined {
  const { width, height, words } = pixmap;
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (let y = 0; y < height; y++) {
    const row = y * width;
    let start = 0;
    while (start < width && words[row + start] === 0) start++;
    if (start === width) continue;
    let end = width;
    while (words[row + end - 1] === 0) end--;
    left = Math.min(left, start);
    right = Math.max(right, end);
    top = Math.min(top, y);
    bottom = y + 1;
  }
  if (right <= left) return undefined;
  const picture = new Pixmap(right - left, bottom - top);
  for (let y = top; y < bottom; y++) {
    picture.words.set(words.subarray(y * width + left, y * width + right), (y - top) * picture.width);
  }
  return { picture, left, top };
}

/** Whether PDF has the mode. */
function isBlendMode(mode: BlendMode): boolean {
  return mode !== 'plus-lighter';
}

/** PDF's name of a blend mode: CSS's in camel case. */
function pdfName(mode: BlendMode): string {
  return mode.replace(/(?:^|-)([a-z])/g, (_, letter: string) => String.fromCharCode(letter.charCodeAt(0) - 32));
}
