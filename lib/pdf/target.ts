// The target that writes the content of PDF pages and groups.
import { type Affine, invert } from '../geometry/affine.js';
import type { PathData } from '../geometry/path.js';
import { intersect, isEmpty, mapRect, type Rect, roundOut } from '../geometry/rect.js';
import { clipOf } from '../paint/clip-of.js';
import type {
  ClipShape,
  GlyphRun,
  GroupEffects,
  Meaning,
  PaintTarget,
  PlacedPicture,
  Restriction,
} from '../paint/target.js';
import type { VectorFill, VectorLinear, VectorRadial } from '../paint/vector-fill.js';
import { pathBounds, type VectorPicture, VectorTarget } from '../paint/vector-target.js';
import type { BlendMode } from '../raster/blend-mode.js';
import type { Color } from '../raster/color.js';
import type { FillRule } from '../raster/coverage.js';
import type { Pixmap } from '../raster/pixmap.js';
import { ContentStream, pictureMap } from './content.js';
import type { DocumentFonts } from './fonts.js';
import { hasShadings, shadingsOf } from './gradients.js';
import type { DocumentPictures } from './pictures.js';
import type { PageStructure } from './structure.js';
import { latin1, number, numbers } from './syntax.js';
import { addText, CLIP, FILL, INVISIBLE } from './text.js';
import { type PdfWriter, type Ref, refTo } from './writer.js';

/** What the pages of a document share. */
export interface DocumentObjects {
  readonly writer: PdfWriter;
  readonly fonts: DocumentFonts;
  readonly pictures: DocumentPictures;
  /** Graphics states by their entries. */
  readonly states: Map<string, Ref>;
}

/** What the targets of one page share. */
export interface PageParts {
  readonly structure: PageStructure;
  /** The parts that links and the outline are about, with the pixels that they may paint. */
  readonly parts: Map<Meaning, { readonly meaning: Meaning; readonly bounds: Rect }>;
}

/** The entries of a graphics state that changes nothing. */
const NO_STATE = '/ca 1/BM/Normal/SMask/None';
/** Pixels of a small picture, and the pixels of the canvas for each of them up to which it is embedded as it is. */
const MAX_SMALL = 65_536;
const MAX_ENLARGEMENT = 16;
/** Copies of a picture that are drawn one by one; more are one picture. */
const MAX_COPIES = 2000;

export class PdfTarget extends VectorTarget {
  readonly content = new ContentStream();
  /** Whether something blends with what lies beneath it in this content. */
  private blends = false;

  constructor(
    bounds: Rect,
    private readonly objects: DocumentObjects,
    /** The page that the content is part of; none for masks. */
    private readonly page?: PageParts,
  ) {
    super(bounds);
  }

  annotate(meaning: Meaning, draw: (target: PaintTarget) => void): void {
    const { page, bounds } = this;
    if (!page) {
      draw(this);
      return;
    }
    const { id, href, bookmark } = meaning;
    const isNoted = id !== undefined || href !== undefined || bookmark !== undefined;
    if (isNoted && !page.parts.has(meaning)) page.parts.set(meaning, { meaning, bounds });
    page.structure.within(meaning, () => draw(this));
  }

  protected override hasFill(fill: VectorFill, bounds: () => Rect): boolean {
    return fill.kind === 'color' || hasShadings(fill, bounds());
  }

  protected override hasBlendMode(mode: BlendMode): boolean {
    return mode !== 'plus-lighter';
  }

  protected paintPath(path: PathData, map: Affine, fill: VectorFill, rule: FillRule): void {
    const { content } = this;
    if (fill.kind === 'color') {
      if (!this.setColor(fill.color)) return;
      this.mark();
      content.path(path, map);
      content.fill(rule);
      return;
    }
    const region = intersect(roundOut(pathBounds(path, map)), this.bounds);
    if (isEmpty(region)) return;
    this.mark();
    content.save();
    content.path(path, map);
    content.clip(rule);
    this.paintGradient(fill, region);
    content.restore();
  }

  protected paintGlyphs(run: GlyphRun, fill: VectorFill): void {
    const { content } = this;
    const { fonts } = this.objects;
    const glyphs = run.glyphs();
    if (glyphs.length === 0) return;
    if (fill.kind === 'color') {
      if (!this.setColor(fill.color)) return;
      this.mark();
      addText(content, fonts, run, FILL);
      return;
    }
    const region = intersect(roundOut(run.bounds()), this.bounds);
    if (isEmpty(region)) return;
    const isInked = glyphs.some(({ face, id }) => !face.colorPaint(id));
    this.mark();
    content.save();
    addText(content, fonts, run, isInked ? CLIP : INVISIBLE);
    if (isInked) this.paintGradient(fill, region);
    content.restore();
  }

  protected override addHiddenText(run: GlyphRun): void {
    if (run.glyphs().length === 0) return;
    this.mark();
    addText(this.content, this.objects.fonts, run, INVISIBLE);
  }

  protected override copiesOf(
    { source, toCanvas, repeats }: PlacedPicture,
    bounds: Rect,
  ): readonly Affine[] | undefined {
    if (isEnlarged(source, toCanvas)) return undefined;
    return repeats ? copiesIn(bounds, source, toCanvas) : [toCanvas];
  }

  protected paintPicture({ source, maps, original, clip, opacity }: VectorPicture): void {
    const { content, objects } = this;
    this.mark();
    content.save();
    this.setOpacity(opacity);
    if (clip) this.clipTo(clip);
    const jpeg = original && objects.pictures.ofFile(original.file);
    if (original && jpeg !== undefined) this.placePicture(jpeg, original.file, original.toCanvas);
    else for (const map of maps) this.placePicture(objects.pictures.of(source), source, map);
    content.restore();
  }

  protected paintGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void {
    const { bounds, opacity = 1, blendMode = 'normal', clip, restriction } = effects;
    const group = new PdfTarget(bounds, this.objects, this.page);
    draw(group);
    if (group.content.isEmpty) return;
    const { content } = this;
    // what is in the group is marked
    content.endMark();
    content.save();
    if (clip) this.clipTo(clip);
    const shape = restriction && clipOf(restriction, bounds);
    if (shape) this.clipTo(shape);
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

  /** Writes the content as a form with a transparency group. */
  toForm(group: string): Ref {
    const { left, top, right, bottom } = this.bounds;
    const { writer } = this.objects;
    const ref = writer.reserve();
    const { operators, owners } = this.content.write(ref);
    const entries =
      `/Type/XObject/Subtype/Form/BBox[${numbers([left, top, right, bottom])}]` +
      `/Group<</S/Transparency${group}>>${this.content.resourceDictionary()}${this.page?.structure.addStream(owners) ?? ''}`;
    return writer.addStream(entries, latin1(operators), undefined, ref);
  }

  /** Says what the next operators belong to. */
  private mark(): void {
    if (this.page) this.content.mark(this.page.structure.contentOwner);
  }

  /** Paints a gradient within the clip, whose bounds are `region`. The caller restores the state. */
  private paintGradient(gradient: VectorLinear | VectorRadial, region: Rect): void {
    const { content } = this;
    const { writer } = this.objects;
    const { color, alpha, map } = shadingsOf(gradient, region);
    let mask: string | undefined;
    if (alpha !== undefined) {
      const levels = new PdfTarget(region, this.objects);
      levels.content.concat(map);
      levels.content.add(`${levels.content.use('Shading', writer.add(alpha))} sh`);
      mask = `<</S/Luminosity/G ${refTo(levels.toForm('/CS/DeviceGray'))}>>`;
    }
    this.setState(gradient.opacity, 'Normal', mask);
    content.concat(map);
    content.add(`${content.use('Shading', writer.add(color))} sh`);
  }

  private clipTo({ path, map, rule }: ClipShape): void {
    this.content.path(path, map);
    this.content.clip(rule);
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
  private setColor({ r, g, b, a }: Color): boolean {
    if (a === 0) return false;
    this.setOpacity(a);
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

/** PDF's name of a blend mode: CSS's in camel case. */
function pdfName(mode: BlendMode): string {
  return mode.replace(/(?:^|-)([a-z])/g, (_, letter: string) => String.fromCharCode(letter.charCodeAt(0) - 32));
}
