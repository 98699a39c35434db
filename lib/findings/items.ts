// The layers of a measured scene as a list in drawing order, with what the rules ask of each.
import type { Layer } from '../contract/layers/index.js';
import { hasLayout } from '../contract/layers/nested-layers.js';
import { intersect, isEmpty, mapRect, type Rect, unite } from '../geometry/rect.js';
import { ownInkBounds, type PreparedLayer } from '../layers/composite.js';
import { NO_BOUNDS } from '../layers/drawable.js';
import { isFlat, scaleOf } from '../layers/frame.js';
import { inkBounds } from '../layers/text/line-paint.js';
import { type PaintableSpan, spanBounds } from '../layers/text/span-ink.js';
import type { PaintedText } from '../layers/text/text.js';
import { isPictograph } from '../text/font-stack.js';
import type { MeasuredLayer, MeasuredScene } from './measured.js';

/** `[x, y, width, height]` in pixels of the payload, as `inspect` gives it. */
export type ItemBox = readonly [x: number, y: number, width: number, height: number];

export interface Item {
  readonly measured: MeasuredLayer;
  readonly layer: Layer;
  readonly path: string;
  /** The place in drawing order. */
  readonly order: number;
  readonly parent: Item | undefined;
  readonly children: readonly Item[];
  /** Whether the layer, or a group around it, is hidden. */
  readonly isHidden: boolean;
  /** Whether nothing of it is on the canvas although it has ink. */
  isOff: boolean;
  /** The opacity of the layer and of the groups around it. */
  readonly opacity: number;
  readonly box: ItemBox;
  /** The ink in canvas pixels, without shadows; empty if there is none. */
  readonly ink: Rect;
  /** The ink of the glyphs of each line of a text, in canvas pixels; lines without ink are left out. */
  readonly lines: readonly Rect[];
  /** Whether a layout decides its place. */
  readonly isPlaced: boolean;
  /** Whether the layer and the groups around it are neither turned nor mirrored. */
  readonly isUpright: boolean;
}

/** An item whose layer is drawn. */
export interface DrawnItem extends Item {
  readonly prepared: PreparedLayer;
}

export interface Items {
  readonly scene: MeasuredScene;
  /** Canvas pixels per pixel of the payload. */
  readonly scale: number;
  /** The canvas in its own pixels. */
  readonly canvas: Rect;
  readonly all: readonly Item[];
}

export function listItems(scene: MeasuredScene): Items {
  const { width, height, scale } = scene.canvas;
  const all: Item[] = [];
  const canvas = { left: 0, top: 0, right: width * scale, bottom: height * scale };
  const add = (measured: MeasuredLayer, parent: Item | undefined): Item => {
    const layer = measured.layer ?? measured.written;
    const { prepared, frame } = measured;
    const space = frame?.space ?? { x: 0, y: 0 };
    const children: Item[] = [];
    const isHidden = !prepared || layer.opacity === 0 || parent?.isHidden === true;
    const ink = prepared && !isHidden ? ownInkBounds(prepared) : NO_BOUNDS;
    const item: Item = {
      measured,
      layer,
      path: measured.path,
      order: all.length,
      parent,
      children,
      isHidden,
      isOff: false,
      opacity: layer.opacity * (parent?.opacity ?? 1),
      box: [layer.x + space.x, layer.y + space.y, layer.width, layer.height],
      ink: isEmpty(ink) ? NO_BOUNDS : ink,
      lines: measured.text && !isHidden && frame && !isFlat(frame) ? linesOf(measured.text) : [],
      isPlaced: parent !== undefined && hasLayout(parent.layer) && layer.isAbsolute !== true,
      isUpright: frame?.isUpright === true && layer.flip === undefined && (parent?.isUpright ?? true),
    };
    all.push(item);
    for (const each of measured.layers) children.push(add(each, item));
    return item;
  };
  for (const each of scene.layers) add(each, undefined);
  for (const item of all) {
    item.isOff = isInked(item) && isEmpty(intersect(item.ink, canvas)) && item.parent?.isOff !== true;
  }
  return { scene, scale, canvas, all };
}

/** Whether the layer is shown and has ink. */
export function isInked(item: Item): boolean {
  return !item.isHidden && !isEmpty(item.ink);
}

/** Whether it has ink on the canvas, as far as this and the groups around it are concerned. */
export function isShown(item: Item): boolean {
  for (let each: Item | undefined = item; each; each = each.parent) if (each.isOff) return false;
  return isInked(item);
}

export function isCode({ layer }: Item): boolean {
  return layer.type === 'qrcode' || layer.type === 'barcode';
}

/** Whether the author marks the layer as decoration. */
export function isDecoration({ layer }: Item): boolean {
  return layer.alt === '' || ('role' in layer && layer.role === 'artifact');
}

/** The groups around the item, from the inside out. */
export function* ancestors({ parent }: Item): Generator<Item> {
  for (let each = parent; each; each = each.parent) yield each;
}

/** Whether the item is in a group that fills pages, which goes on where the first of them ends. */
export function isInPages(item: Item): boolean {
  for (const { layer } of ancestors(item)) if (layer.type === 'group' && layer.paginate) return true;
  return false;
}

/** The ink of all lines. */
export function glyphInk({ lines }: Item): Rect {
  return lines.reduce(unite, NO_BOUNDS);
}

/** Pixels of the payload per pixel in which the layer's lengths are written: its own transform and those around it. */
export function enlargementOf(item: Item, { scale }: Items): number {
  const { frame } = item.measured;
  return frame ? scaleOf(frame) / scale : 1;
}

/** The part of the canvas that the groups around the item leave it, in canvas pixels. */
export function clipOf(item: Item, { canvas }: Items): Rect {
  let clip = canvas;
  for (const { layer, measured } of ancestors(item)) {
    if (layer.type !== 'group' || !layer.clip || !measured.frame) continue;
    clip = intersect(clip, mapRect(measured.frame.box, measured.frame.toCanvas));
  }
  return clip;
}

/** The text of a layer, of which a message can show the beginning. */
export function excerptOf({ layer }: Item): string {
  if (layer.type !== 'text') return layer.type;
  const all = (layer.spans ?? [layer]).map(({ text }) => text).join('');
  const text = all.replace(/\s+/g, ' ').trim();
  const characters = Array.from(text);
  return JSON.stringify(characters.length > 24 ? `${characters.slice(0, 23).join('')}…` : text);
}

function linesOf({ lineSpans }: PaintedText): Rect[] {
  return lineSpans.map((spans) => inkBounds(spans)).filter((rect) => !isEmpty(rect));
}

/** Whether the span has glyphs in the colour of the text. */
export function hasGlyphs(span: PaintableSpan): boolean {
  return span.masks.length + span.fills.length > 0 && !isEmpty(spanBounds(span));
}

/** Whether a text has nothing but pictographs. */
export function isPictorial(text: string): boolean {
  return Array.from(text.replace(/\s/g, '')).every((character) => isPictograph(character));
}
