// Sizes, margins and places of boxes: CSS's content boxes become the border boxes of layers, and the room of borders becomes
// padding, because the borders of layers take none.
import type { ElementBox } from '../boxes.js';
import { type CssLength, rounded } from '../css/length.js';
import type { Style } from '../css/style.js';
import type { MarkupReport } from '../report.js';
import { definedOnly, type LayerFields, lengthField, shortestFour } from './fields.js';

export const SIDES = ['Top', 'Right', 'Bottom', 'Left'] as const;
export type Four = readonly [number, number, number, number];

/** The lines of an axis of a grid: their numbers by name, from the first one. */
export type Lines = ReadonlyMap<string, readonly number[]>;

/** The names of a grid's lines. */
export interface GridNames {
  readonly columns: Lines;
  readonly rows: Lines;
}

/** How the parent lays a box out. */
export interface ParentFlow {
  readonly kind: 'row' | 'column' | 'block' | 'grid' | 'absolute';
  /** The names of a grid's lines. */
  readonly names?: GridNames | undefined;
  /** Widths of the borders of the containing block of an absolute box. */
  readonly border: Four;
  /** The width that percentages of margins refer to, where arithmetic alone gives it. */
  readonly width: number | undefined;
}

const LINE_WIDTHS: Readonly<Record<string, number>> = { thin: 1, medium: 3, thick: 5 };

/** The width of a border, which has none without a style; whole pixels, as browsers paint. */
export function lineWidth(style: Style, property: string): number {
  const kind = style.get(property.replace('Width', 'Style'));
  if (kind === 'none' || kind === 'hidden') return 0;
  const width = LINE_WIDTHS[style.get(property)] ?? style.pixels(property);
  return width > 0 && width < 1 ? 1 : Math.floor(width);
}

export function borderWidths(style: Style): Four {
  return SIDES.map((side) => lineWidth(style, `border${side}Width`)) as unknown as Four;
}

/** Padding in pixels; percentages are of the width of the containing block. */
export function paddings(box: ElementBox, width: number | undefined, report: MarkupReport): Four {
  const { style } = box;
  return SIDES.map((side) =>
    ofWidth(style.length(`padding${side}`), width, box, `padding${side}`, report),
  ) as unknown as Four;
}

function ofWidth(
  length: CssLength | undefined,
  width: number | undefined,
  box: ElementBox,
  property: string,
  report: MarkupReport,
): number {
  if (!length) return 0;
  if (length.percent !== 0 && width === undefined) {
    report.unsupported(box.place, property, box.style.get(property));
    return rounded(length.px);
  }
  return rounded(length.px + (length.percent * (width ?? 0)) / 100);
}

/** The sum of both sides of an axis. */
export function axisSum([top, right, bottom, left]: Four, axis: 'width' | 'height'): number {
  return axis === 'width' ? left + right : top + bottom;
}

/** The room inside of a box: padding and borders, as the padding of its layer. */
export interface BoxEdges {
  readonly padding: Four;
  readonly border: Four;
}

export function edgesOf(box: ElementBox, width: number | undefined, report: MarkupReport): BoxEdges {
  return { padding: paddings(box, width, report), border: borderWidths(box.style) };
}

export function insideEdges({ padding, border }: BoxEdges): Four {
  return padding.map((side, i) => rounded(side + border[i])) as unknown as Four;
}

/** A size as that of the border box. */
function borderBoxSize(
  style: Style,
  property: string,
  axis: 'width' | 'height',
  edges: BoxEdges,
  flow: ParentFlow,
): CssLength | undefined {
  const length = style.length(property);
  if (!length) return undefined;
  const inside = axisSum(insideEdges(edges), axis);
  const added = style.get('boxSizing') === 'content-box' ? inside : 0;
  // percentages of absolute boxes are of the padding box
  const outside = flow.kind === 'absolute' ? (axisSum(flow.border, axis) * length.percent) / 100 : 0;
  const px = length.px + added - outside;
  return { px: length.percent === 0 ? Math.max(px, 0) : px, percent: length.percent };
}

/** The fields of a box's size, and those of its place in the parent's layout. */
export function sizeFields(box: ElementBox, edges: BoxEdges, flow: ParentFlow, isReplaced: boolean): LayerFields {
  const { style } = box;
  const size = (property: string, axis: 'width' | 'height') => {
    const length = borderBoxSize(style, property, axis, edges, flow);
    return length && lengthField(length);
  };
  const main = flow.kind === 'row' ? 'width' : flow.kind === 'column' ? 'height' : undefined;
  const fields: LayerFields = { width: size('width', 'width') ?? 'auto', height: size('height', 'height') ?? 'auto' };
  const minimum = (axis: 'width' | 'height') => size(axis === 'width' ? 'minWidth' : 'minHeight', axis);
  const isClipped = style.get('overflowX') !== 'visible' || style.get('overflowY') !== 'visible';
  const least = (axis: 'width' | 'height') =>
    minimum(axis) ?? (isClipped && main === axis ? axisSum(insideEdges(edges), axis) : undefined);
  Object.assign(fields, {
    minWidth: least('width'),
    maxWidth: size('maxWidth', 'width'),
    minHeight: least('height'),
    maxHeight: size('maxHeight', 'height'),
    aspectRatio: aspectRatio(style),
  });
  if (main) Object.assign(fields, flexFields(style, edges, flow, main, fields));
  else if (flow.kind === 'block' && isFitting(style, fields, isReplaced)) fields.alignSelf = 'start';
  return definedOnly(fields);
}

function aspectRatio(style: Style): number | undefined {
  const match = /^(?:auto\s+)?(\d*\.?\d+)(?:\s*\/\s*(\d*\.?\d+))?$/.exec(style.get('aspectRatio'));
  if (!match) return undefined;
  const ratio = Number(match[1]) / Number(match[2] ?? 1);
  return ratio > 0 && Number.isFinite(ratio) ? rounded(ratio) : undefined;
}

/** `flex` and `align-self` of an item. */
function flexFields(
  style: Style,
  edges: BoxEdges,
  flow: ParentFlow,
  main: 'width' | 'height',
  fields: LayerFields,
): LayerFields {
  const grow = style.number('flexGrow') ?? 0;
  const shrink = style.number('flexShrink') ?? 1;
  const basis = style.get('flexBasis');
  const own: LayerFields = {};
  if (basis !== 'auto' && basis !== 'content') {
    const length = borderBoxSize(style, 'flexBasis', main, edges, flow)!;
    const isZero = length.percent === 0 && length.px <= axisSum(insideEdges(edges), main);
    own[main] = isZero && grow > 0 ? 'fill' : lengthField(length);
    // a percentage of nothing, as in flex: 1
    if (basis === '0%' && grow === 0) own[main] = 0;
  } else if (basis === 'content') own[main] = 'auto';
  const size = own[main] ?? fields[main];
  const isFill = size === 'fill';
  if (grow !== (isFill ? 1 : 0)) own.grow = grow;
  if (shrink !== (typeof size === 'number' ? 0 : 1)) own.shrink = shrink;
  const align = alignment(style.get('alignSelf'));
  return { ...own, ...(align && { alignSelf: align }) };
}

/** Whether a box in a block is as wide as its content. */
function isFitting(style: Style, { width }: LayerFields, isReplaced: boolean): boolean {
  if (isReplaced) return false;
  const isKeyword = style.get('width') === 'fit-content' || style.get('width') === 'max-content';
  return isKeyword || (width === 'auto' && style.get('display').startsWith('inline'));
}

/** The words of `align-items` and `align-self`; undefined for those that leave it to the parent. */
export function alignment(value: string): string | undefined {
  switch (value) {
    case 'auto':
      return undefined;
    case 'normal':
    case 'stretch':
      return 'stretch';
    case 'center':
    case 'baseline':
      return value;
    default:
      return /end$/.test(value) ? 'end' : 'start';
  }
}

/** The words of `justify-content` and `align-content`. */
export function justification(value: string, isReversed = false): string {
  if (value.startsWith('space-') || value === 'center') return value;
  const isEnd = value === 'flex-end' || value === 'end' || value === 'right';
  const isFlipped = isReversed && value !== 'left' && value !== 'right' && value !== 'start' && value !== 'end';
  return isEnd !== isFlipped ? 'end' : 'start';
}

/** Margins, of which percentages are of the containing block's width. */
export function marginField(box: ElementBox, flow: ParentFlow, report: MarkupReport): unknown {
  const { style } = box;
  const sides = SIDES.map((side, i) => {
    const property = `margin${side}`;
    // auto above and below a block is nothing
    if (style.get(property) === 'auto') return flow.kind === 'block' && i % 2 === 0 ? 0 : 'auto';
    return ofWidth(style.length(property), flow.width, box, property, report);
  });
  return sides.every((side) => side === 0) ? undefined : shortestFour(sides);
}

/** Distances of a positioned box. Those of an absolute one are from the edges of the padding box around it. */
export function insetField(style: Style, flow: ParentFlow): unknown {
  const isAbsolute = flow.kind === 'absolute';
  const sides = (['top', 'right', 'bottom', 'left'] as const).map((side, i) => {
    const length = style.length(side);
    if (!length) return 'auto';
    if (!isAbsolute) return lengthField(length);
    const both = axisSum(flow.border, i % 2 === 0 ? 'height' : 'width');
    return lengthField({ px: length.px + flow.border[i] - (both * length.percent) / 100, percent: length.percent });
  });
  return sides.every((side) => side === 'auto') ? undefined : shortestFour(sides);
}

/** The width inside of a box, where arithmetic alone gives it. */
export function innerWidth({ style }: ElementBox, edges: BoxEdges, flow: ParentFlow): number | undefined {
  const inside = axisSum(insideEdges(edges), 'width');
  const length = style.length('width');
  if (length && (length.percent === 0 || flow.width !== undefined)) {
    const width = length.px + (length.percent * (flow.width ?? 0)) / 100;
    return style.get('boxSizing') === 'content-box' ? width : Math.max(0, width - inside);
  }
  if (flow.kind !== 'block' || flow.width === undefined || length || style.length('maxWidth')) return undefined;
  const margins = ['marginLeft', 'marginRight'].reduce((sum, side) => sum + style.pixels(side), 0);
  return flow.width - margins - inside;
}
