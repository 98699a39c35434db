// The target that writes SVG. Coordinates in the document are CSS pixels of the canvas.
import { type Affine, compose, IDENTITY } from '../geometry/affine.js';
import { hypot } from '../geometry/math.js';
import { CLOSE, LINE, MOVE, type PathData } from '../geometry/path.js';
import { expand, mapRect, offset, type Rect, rectOf, roundOut, unite } from '../geometry/rect.js';
import { rectangle } from '../geometry/shapes.js';
import type { Blurred, ClipShape, GlyphRun, GroupEffects, Meaning, PaintTarget, RunGlyph } from '../paint/target.js';
import type { VectorFill, VectorLinear, VectorRadial } from '../paint/vector-fill.js';
import { joined, pathBounds, shapeOf, type VectorPicture, VectorTarget } from '../paint/vector-target.js';
import { BLACK, type Color } from '../raster/color.js';
import type { FillRule } from '../raster/coverage.js';
import { type Part, type SvgDocument, written } from './document.js';
import { liveRun } from './live-text.js';
import { type Attributes, colorText, element, numberText, pathText, transformText, wholePath } from './text.js';
import { type RunFill, TextElement } from './text-element.js';

export class SvgTarget extends VectorTarget {
  private readonly toUnits: Affine;
  /** The text whose part was the last when it was added: the paragraph's next run may go on with it. */
  private openText: { readonly element: TextElement; readonly part: Part } | undefined;

  constructor(
    bounds: Rect,
    private readonly document: SvgDocument,
    private readonly parts: Part[] = document.body,
    private readonly hasLiveText = document.hasLiveText,
  ) {
    super(bounds);
    this.toUnits = document.toUnits;
  }

  protected paintPath(path: PathData, map: Affine, fill: VectorFill, rule: FillRule): void {
    if (fill.kind === 'color' && fill.color.a === 0) return;
    const d = wholePath(pathText(path, compose(map, this.toUnits)));
    const fillRule = rule === 'evenodd' ? rule : undefined;
    this.parts.push(element('path', { ...this.fillValues(fill), 'fill-rule': fillRule, d }));
  }

  protected paintGlyphs(run: GlyphRun, fill: VectorFill): void {
    // the opacity is that of the run: glyphs that overlap are one shape
    const { 'fill-opacity': _, ...others } = this.fillValues(fill);
    const alpha = fill.kind === 'color' ? fill.color.a : fill.opacity;
    const opacity = alpha === 1 ? undefined : alpha;
    const runFill = { values: others, isGradient: fill.kind !== 'color' };
    if (this.hasLiveText) this.addText(run, runFill, opacity);
    else this.addOutlines(run.glyphs(), runFill, opacity);
  }

  protected override addHiddenText(run: GlyphRun): void {
    if (this.hasLiveText) this.addText(run, undefined, undefined);
  }

  /** Adds the run as text; without a fill as text without ink. */
  private addText(run: GlyphRun, fill: RunFill | undefined, opacity: number | undefined): void {
    const { pieces, outlined } = liveRun(run, this.toUnits, fill !== undefined);
    const glyphs = [...outlined];
    for (let piece of pieces) {
      // the gradient would turn with the text
      if (fill?.isGradient && piece.shaping && piece.axes.angle !== 0) {
        glyphs.push(...piece.glyphs);
        piece = { ...piece, shaping: undefined };
      }
      const { paragraph } = run.text;
      const isOpen = this.openText?.part === this.parts.at(-1);
      let text = isOpen ? this.openText?.element : undefined;
      if (!text?.accepts(paragraph, opacity, piece)) {
        text = new TextElement(this.document, paragraph, opacity, piece);
        const part = this.document.addText(text);
        this.parts.push(part);
        this.openText = { element: text, part };
      }
      text.add(piece, fill ?? NO_FILL);
    }
    // beneath the text, so that its part stays the last
    if (fill && glyphs.length > 0) this.addOutlines(glyphs, fill, opacity, pieces.length > 0);
  }

  private addOutlines(
    glyphs: readonly RunGlyph[],
    fill: RunFill,
    opacity: number | undefined,
    isBeneath = false,
  ): void {
    const uses = this.document.useGlyphs(glyphs);
    if (uses.length === 0) return;
    const part = () => this.document.glyphsText(uses, { ...fill.values, opacity }, fill.isGradient);
    this.parts.splice(this.parts.length - (isBeneath ? 1 : 0), 0, part);
  }

  protected paintPicture({ source: pixels, maps, original, clip, opacity }: VectorPicture): void {
    const { file: source, toCanvas } = original ?? { file: pixels, toCanvas: maps[0] };
    const map = compose(toCanvas, this.toUnits);
    const width = source.width * hypot(map.a, map.b);
    const height = source.height * hypot(map.c, map.d);
    const upright = map.b === 0 && map.c === 0 && map.a > 0 && map.d > 0;
    const place = upright ? { x: map.e || undefined, y: map.f || undefined } : { transform: transformText(map) };
    const used = this.document.usePicture(source);
    const box = mapRect(rectOf(0, 0, source.width, source.height), toCanvas);
    const clipPath = clip && !(upright && isInside(box, clip)) ? this.clipUrl(clip) : undefined;
    const alpha = opacity === 1 ? undefined : opacity;
    // the picture's own transform would move its clip, too
    if (clipPath === undefined) {
      this.parts.push(() => this.document.pictureText(used, { ...place, width, height, opacity: alpha }));
    } else {
      const values = { 'clip-path': clipPath, opacity: alpha };
      this.parts.push(() => element('g', values, this.document.pictureText(used, { ...place, width, height })));
    }
  }

  protected paintGroup(effects: GroupEffects, draw: (target: PaintTarget) => void): void {
    const { bounds, opacity = 1, blendMode = 'normal', clip, restriction } = effects;
    const isBlending = blendMode !== 'normal';
    if (isBlending) this.document.blends = true;
    const values = {
      opacity: opacity === 1 ? undefined : opacity,
      'clip-path': clip && this.clipUrl(clip),
      mask: restriction && this.maskUrl(bounds, restriction.draw),
      style: isBlending ? `mix-blend-mode:${blendMode}` : undefined,
    };
    const content = this.inside(bounds, draw, this.hasLiveText);
    if (content.length === 0) return;
    // without any of these, the group is not one image that is blended as a whole
    const isPlain = opacity === 1 && !isBlending && !clip && !restriction;
    const own: Attributes = isPlain ? { style: 'isolation:isolate' } : values;
    this.parts.push(() => element('g', own, content.map(written).join('')));
  }

  annotate(meaning: Meaning, draw: (target: PaintTarget) => void): void {
    const { document, parts } = this;
    if (!document.hasLinks) {
      draw(this);
      return;
    }
    // its text goes on in no element outside of it
    this.openText = undefined;
    const start = parts.length;
    draw(this);
    this.openText = undefined;
    const { id, alt, href } = meaning;
    const own = { id: id === undefined ? undefined : document.targetId(id) };
    if (href === undefined && alt === undefined && own.id === undefined) return;
    const content = parts.splice(start);
    parts.push(() => {
      const text = content.map(written).join('');
      const target = href === undefined ? undefined : document.hrefText(href);
      if (target !== undefined) {
        const values = { ...own, href: target, 'aria-label': meaning.text() || undefined };
        return element('a', values, this.areasText(meaning) + text);
      }
      if (text === '' && own.id === undefined) return '';
      if (alt === undefined && own.id === undefined) return text;
      const labels = alt === '' ? { 'aria-hidden': 'true' } : { role: alt && 'img', 'aria-label': alt };
      return element('g', { ...own, ...labels }, text);
    });
  }

  /** A path without ink that makes all of the boxes react to the pointer. */
  private areasText(meaning: Meaning): string {
    const path = joined(meaning.areas().map(({ box, toCanvas: map }) => ({ path: rectangle(box), map })));
    const d = wholePath(pathText(path, this.toUnits));
    return path.isEmpty ? '' : element('path', { fill: 'none', 'pointer-events': 'all', d });
  }

  protected override paintBlurred(
    bounds: Rect,
    { content: drawn, sigma, x, y, color, opacity, clip }: Blurred,
  ): boolean {
    const { a, d } = this.toUnits;
    if (sigma * a > MAX_SIGMA) return false;
    const reach = Math.ceil(REACH * sigma) + 1;
    const source = roundOut(offset(expand(bounds, reach), -x, -y));
    const draw =
      typeof drawn === 'function' ? drawn : (target: PaintTarget) => fillShape(target, shapeOf(drawn, source));
    const content = this.inside(source, draw, this.hasLiveText && color === undefined);
    if (content.length === 0) return true;
    const isBlack = color?.r === 0 && color.g === 0 && color.b === 0;
    const input = color && 'SourceAlpha';
    const steps = [
      ...(sigma > 0 ? [element('feGaussianBlur', { in: input, stdDeviation: sigma * a })] : []),
      ...(x !== 0 || y !== 0 || sigma === 0
        ? [element('feOffset', { in: sigma > 0 ? undefined : input, dx: x * a || undefined, dy: y * d || undefined })]
        : []),
      ...(color && !isBlack ? [element('feColorMatrix', { values: colorMatrix(color) })] : []),
    ];
    const region = unite(bounds, source);
    const box = this.boxOf(region);
    const values = { filterUnits: 'userSpaceOnUse', ...box, 'color-interpolation-filters': 'sRGB' };
    const alpha = opacity * (isBlack ? color.a : 1);
    const group = {
      filter: this.document.define('filter', values, steps),
      'clip-path': clip && this.clipUrl(shapeOf(clip, bounds)),
      opacity: alpha === 1 ? undefined : alpha,
    };
    this.parts.push(() => element('g', group, content.map(written).join('')));
    return true;
  }

  private boxOf({ left, top, right, bottom }: Rect): Attributes {
    const { a, d } = this.toUnits;
    return { x: left * a, y: top * d, width: (right - left) * a, height: (bottom - top) * d };
  }

  private inside(bounds: Rect, draw: (target: PaintTarget) => void, hasLiveText: boolean): readonly Part[] {
    const parts: Part[] = [];
    draw(new SvgTarget(bounds, this.document, parts, hasLiveText));
    return parts;
  }

  private clipUrl({ path, map, rule }: ClipShape): string {
    const d = wholePath(pathText(path, compose(map, this.toUnits)));
    const clipRule = rule === 'evenodd' ? rule : undefined;
    return this.document.define('clipPath', {}, [element('path', { 'clip-rule': clipRule, d })]);
  }

  private maskUrl(bounds: Rect, draw: (target: PaintTarget) => void): string {
    const content = this.inside(bounds, draw, false);
    const values = { 'mask-type': 'alpha', maskUnits: 'userSpaceOnUse', ...this.boxOf(bounds) };
    return this.document.define('mask', values, content);
  }

  /** The attributes of a fill. Black is the default. */
  private fillValues(fill: VectorFill): Attributes {
    if (fill.kind === 'color') {
      const text = colorText(fill.color);
      return {
        fill: text === '#000' ? undefined : text,
        'fill-opacity': fill.color.a === 1 ? undefined : fill.color.a,
      };
    }
    const url = fill.kind === 'linear' ? this.linearUrl(fill) : this.radialUrl(fill);
    return { fill: url, 'fill-opacity': fill.opacity === 1 ? undefined : fill.opacity };
  }

  private linearUrl({ x0, y0, x1, y1, stops, repeats }: VectorLinear): string {
    const { a, d } = this.toUnits;
    const line = { x1: x0 * a, y1: y0 * d, x2: x1 * a, y2: y1 * d };
    const values = { gradientUnits: 'userSpaceOnUse', ...line, spreadMethod: repeats ? 'repeat' : undefined };
    return this.document.define('linearGradient', values, stops.map(stopText));
  }

  private radialUrl({ toCanvas, inner, outer, stops, repeats }: VectorRadial): string {
    const map = compose(toCanvas, this.toUnits);
    const radius = hypot(map.a, map.b);
    // a circle of the ellipse's width, flattened
    const flatness = hypot(map.c, map.d) / radius;
    const turned = transformText(map) ?? '';
    const flattened = numberText(flatness) === '1' ? '' : `scale(1 ${numberText(flatness)})`;
    const values = {
      gradientUnits: 'userSpaceOnUse',
      cx: 0,
      cy: 0,
      r: radius * outer,
      fr: inner > 0 ? radius * inner : undefined,
      gradientTransform: turned + flattened || undefined,
      spreadMethod: repeats ? 'repeat' : undefined,
    };
    return this.document.define('radialGradient', values, stops.map(stopText));
  }
}

/** Standard deviations, in CSS pixels, that browsers blur by: more are cut off. */
const MAX_SIGMA = 250;
/** The standard deviations that a blur reaches. */
const REACH = 3;

function fillShape(target: PaintTarget, { path, map, rule }: ClipShape): void {
  target.fillPath(path, map, { fill: BLACK, area: { box: target.bounds, toCanvas: IDENTITY }, opacity: 1 }, rule);
}

/** The matrix that makes a shadow of an alpha. */
function colorMatrix({ r, g, b, a }: Color): string {
  const rows = [r, g, b].map((level) => `0 0 0 0 ${numberText(level / 255)}`);
  return [...rows, `0 0 0 ${numberText(a)} 0`].join(' ');
}

const NO_FILL: RunFill = { values: {}, isGradient: false };

/** Whether the clip is a rectangle that leaves all of the box. */
function isInside(box: Rect, { path, map }: ClipShape): boolean {
  const isRectangle = map.b === 0 && map.c === 0 && RECTANGLE.every((verb, i) => path.verbs[i] === verb);
  if (!isRectangle || path.verbs.length !== RECTANGLE.length) return false;
  const { left, top, right, bottom } = pathBounds(path, map);
  const isUpright = path.coords[1] === path.coords[3] && path.coords[2] === path.coords[4];
  const slack = 1e-6;
  const leavesAll =
    left <= box.left + slack && top <= box.top + slack && right >= box.right - slack && bottom >= box.bottom - slack;
  return isUpright && leavesAll;
}

const RECTANGLE = [MOVE, LINE, LINE, LINE, CLOSE];

function stopText({ offset, color }: VectorLinear['stops'][number]): string {
  const opacity = color.a === 1 ? undefined : color.a;
  return element('stop', { offset, 'stop-color': colorText(color), 'stop-opacity': opacity });
}
