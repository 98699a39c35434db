// The contrast of texts by WCAG 2, against what is painted behind each of their glyphs.
import type { TextLayer } from '../contract/layers/index.js';
import { expand, type Rect, unite } from '../geometry/rect.js';
import type { PreparedLayer } from '../layers/composite.js';
import { drawSpan, textStyle } from '../layers/text/draw.js';
import { type PaintableSpan, spanBounds } from '../layers/text/span-ink.js';
import { RasterTarget } from '../paint/raster-target.js';
import type { Color } from '../raster/color.js';
import { type Fill, fillColors, isGradient } from '../raster/fill.js';
import { Surface } from '../raster/surface.js';
import { type Change, setting } from './fixes/changes.js';
import { clipOf, enlargementOf, excerptOf, hasGlyphs, type Item, type Items, isShown } from './items.js';
import { luminance, RatioHistogram, ratioOf } from './luminance.js';
import { paintWindow, windowsOf } from './paint.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

/** The least ratios of WCAG 2, and the sizes in pixels of the payload from which the smaller one holds. */
const NORMAL = 4.5;
const LARGE = 3;
const LARGE_SIZE = 24;
const LARGE_BOLD_SIZE = 18.66;
const BOLD = 700;
/** Under it, a text can't be read. */
const UNREADABLE = 2;
/** The share of samples that may have less contrast. */
const WORST = 0.1;
/** Windows that are painted for one text, and for all. */
const MAX_WINDOWS = 12;
const MAX_ALL_WINDOWS = 600;
/** Styles of one text that are measured. */
const MAX_STYLES = 8;
/** Canvas pixels around the glyphs that count. */
const REACH = 2;

export function findContrast({ items, signal }: RuleContext): MeasuredFinding[] {
  const found: MeasuredFinding[] = [];
  const texts = items.all.filter((item) => item.lines.length > 0 && isShown(item));
  const windows = Math.max(1, Math.min(MAX_WINDOWS, Math.floor(MAX_ALL_WINDOWS / Math.max(1, texts.length))));
  for (const item of texts.slice(0, MAX_ALL_WINDOWS)) {
    signal?.throwIfAborted();
    const worst = worstStyle(item, items, windows);
    if (!worst) continue;
    const { ratio, limit, style } = worst;
    found.push({
      code: 'low_contrast',
      severity: ratio < UNREADABLE ? 'error' : 'warning',
      path: item.path,
      message: `the contrast of ${excerptOf(item)} with what is behind it is ${round(ratio)} : 1, expected at least ${limit} : 1`,
      value: round(ratio),
      limit,
      changes: recolored(item, style, worst),
    });
  }
  return found;
}

const round = (ratio: number) => Math.round(ratio * 100) / 100;

type Style = PaintableSpan['style'];

interface Measured {
  readonly style: Style;
  readonly ratio: number;
  readonly limit: number;
  /** The backdrop of each sample as a luminance of 0 to 255, and how many have it. */
  readonly backdrops: Uint32Array;
}

/** The style of the text that falls short of its limit the most; undefined if none does. */
function worstStyle(item: Item, items: Items, most: number): Measured | undefined {
  const text = item.measured.text!;
  const spans = text.lineSpans.flat().filter(hasGlyphs);
  const styles = [...new Set(spans.map(({ style }) => style))].slice(0, MAX_STYLES);
  let worst: Measured | undefined;
  for (const style of styles) {
    const own = spans.filter((span) => span.style === style);
    const found = measure(item, own, style, items, most);
    if (found && (!worst || found.ratio / found.limit < worst.ratio / worst.limit)) worst = found;
  }
  return worst;
}

function measure(
  item: Item,
  spans: readonly PaintableSpan[],
  style: Style,
  items: Items,
  most: number,
): Measured | undefined {
  const size = Math.min(...spans.map((span) => span.size)) * enlargementOf(item, items);
  const isBold = (style.fontWeight ?? 400) >= BOLD;
  const limit = size >= (isBold ? LARGE_BOLD_SIZE : LARGE_SIZE) ? LARGE : NORMAL;
  const { color, stroke } = style;
  // outlined letters are their stroke
  const isOutlined = stroke !== undefined && isClear(color);
  if (isClear(color) && !isOutlined) return undefined;
  const ink = isOutlined ? stroke.color : color;
  const bounds = spans.map((span) => expand(spanBounds(span), REACH));
  const windows = windowsOf(joined(bounds), clipOf(item, items), most);
  const plain = sampled(item, spans, ink, windows, items, false);
  if (plain.count === 0) return undefined;
  const ratio = plain.ratios.quantile(WORST);
  if (ratio >= limit) return undefined;
  const hasHalo = !isOutlined && (stroke !== undefined || (item.layer.shadow?.length ?? 0) > 0);
  const withHalo = hasHalo ? sampled(item, spans, ink, windows, items, true) : undefined;
  const best = withHalo && withHalo.count > 0 ? Math.max(ratio, withHalo.ratios.quantile(WORST)) : ratio;
  return best >= limit ? undefined : { style, ratio: best, limit, backdrops: plain.backdrops };
}

/** Whether a colour is nearly invisible. */
function isClear(fill: Fill): boolean {
  return fillColors(fill).every(({ a }) => a < 0.1);
}

/** Rectangles of neighbouring words and lines as one, as long as that is small. */
function joined(rects: readonly Rect[]): Rect[] {
  const all: Rect[] = [];
  for (const rect of rects) {
    const last = all.at(-1);
    const both = last && unite(last, rect);
    if (both && both.right - both.left <= 256 && both.bottom - both.top <= 256) all[all.length - 1] = both;
    else all.push(rect);
  }
  return all;
}

interface Samples {
  readonly ratios: RatioHistogram;
  readonly backdrops: Uint32Array;
  readonly count: number;
}

/**
 * Measures around the glyphs. Without `halo`, against the picture without the text's stroke and shadows, beneath the glyphs,
 * too; else against the finished text just beside its glyphs.
 */
function sampled(
  item: Item,
  spans: readonly PaintableSpan[],
  ink: Fill,
  windows: readonly Rect[],
  items: Items,
  halo: boolean,
): Samples {
  const ratios = new RatioHistogram();
  const backdrops = new Uint32Array(256);
  const prepared = item.measured.prepared!;
  const text = item.measured.text!;
  const { frame, outline, bounds } = prepared.content;
  const content = (draw: PreparedLayer['content']['draw']): PreparedLayer => ({
    ...prepared,
    effects: { ...prepared.effects, shadow: undefined },
    content: { frame, outline, bounds, nonOverlapping: false, draw },
  });
  const behind = halo ? prepared : content((target) => text.drawBoxes(target));
  for (const window of windows) {
    const glyphs = new Surface(window);
    const on = { target: new RasterTarget(glyphs), frame, opacity: 1 };
    for (const span of spans) {
      // a glyph of a gradient may be clear in parts
      drawSpan(on, isGradient(span.style.color) || isClear(span.style.color) ? opaqueSpan(span) : span);
    }
    const [{ area, size }] = spans;
    const filled = content((target) => {
      text.drawBoxes(target);
      target.fillRects([target.bounds], textStyle({ frame, opacity: 1 }, ink, Math.max(size, 1000), area));
    });
    const back = paintWindow(window, items, { item, standIn: behind }).pixmap.data;
    const front = paintWindow(window, items, { item, standIn: filled }).pixmap.data;
    const [width, height] = [window.right - window.left, window.bottom - window.top];
    const near = nearGlyphs(glyphs.pixmap.data, width, height, halo);
    for (let i = 0; i < width * height; i++) {
      if (near[i] === 0) continue;
      ratios.add(ratioOf(front, back, i * 4));
      backdrops[Math.round(255 * luminance(back, i * 4, 255))]++;
    }
  }
  return { ratios, backdrops, count: ratios.count };
}

function opaqueSpan(span: PaintableSpan): PaintableSpan {
  const color: Color = { r: 0, g: 0, b: 0, a: 1 };
  return { ...span, style: { ...span.style, color } };
}

/** The pixels on the glyphs and beside them; with `halo`, only those beside them. */
function nearGlyphs(data: Uint8ClampedArray, width: number, height: number, halo: boolean): Uint8Array {
  const near = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (data[(y * width + x) * 4 + 3] < 64) continue;
      for (let v = Math.max(0, y - REACH); v <= Math.min(height - 1, y + REACH); v++) {
        for (let u = Math.max(0, x - REACH); u <= Math.min(width - 1, x + REACH); u++) near[v * width + u] = 1;
      }
    }
  }
  if (halo) for (let i = 0; i < near.length; i++) if (data[i * 4 + 3] > 0) near[i] = 0;
  return near;
}

/** Changes of the colour, towards black and white as little as is enough, and a background where no colour is. */
function recolored(item: Item, style: Style, { limit, backdrops }: Measured): Change[] {
  const { color } = style;
  const layer = item.layer as TextLayer;
  const base = isGradient(color) ? fillColors(color)[0] : color;
  if (!base || isClear(color)) return [];
  const fields = (value: string) => {
    const own = (layer.spans ?? []).flatMap((span, i) => (span.color === color ? [`spans[${i}].color`] : []));
    return Object.fromEntries((own.length > 0 ? own : ['color']).map((field) => [field, value]));
  };
  const steps: { readonly share: number; readonly value: string }[] = [];
  for (const to of [0, 255]) {
    for (let share = 0.02; share <= 1.001; share += 0.02) {
      const mixed = [base.r, base.g, base.b].map((channel) => Math.round(channel + (to - channel) * share));
      if (quantileAgainst(mixed, backdrops) < limit + 0.15) continue;
      steps.push({ share, value: `#${mixed.map((channel) => channel.toString(16).padStart(2, '0')).join('')}` });
      break;
    }
  }
  steps.sort((one, other) => one.share - other.share);
  const changes = steps.flatMap(({ value }) => setting(item, fields(value)));
  const opaque =
    item.layer.opacity < 1 ? steps.flatMap(({ value }) => setting(item, { ...fields(value), opacity: 1 })) : [];
  const isBare = layer.backgroundColor === undefined && !layer.border && !layer.spans;
  const plates = isBare
    ? [
        { color: '#ffffff', backgroundColor: 'rgba(0, 0, 0, 0.75)' },
        { color: '#000000', backgroundColor: 'rgba(255, 255, 255, 0.85)' },
      ].flatMap((colors) => setting(item, { ...colors, backgroundFit: 'text' }))
    : [];
  return [...changes, ...opaque, ...plates];
}

function quantileAgainst([r, g, b]: readonly number[], backdrops: Uint32Array): number {
  const own = luminance([r, g, b, 255], 0, 255);
  const ratios = new RatioHistogram();
  backdrops.forEach((count, level) => {
    if (count === 0) return;
    const other = level / 255;
    ratios.add((Math.max(own, other) + 0.05) / (Math.min(own, other) + 0.05), count);
  });
  return ratios.quantile(WORST);
}
