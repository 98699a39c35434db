// Creates new layers: in a size that suits the canvas, in the middle of its visible part, and in a colour that stands out.
import { recordValue } from '../../document/commands.js';
import { type EditorDocument, isHidden, type Located, nodeIndex } from '../../document/document.js';
import { type Json, numberOf, textOf } from '../../document/json.js';

export interface LayerKind {
  readonly name: string;
  /** Creates the raw layer without its place: `side` is the shorter side of the area around it. */
  readonly make: (room: Room) => Json & { readonly width: number; readonly height: number | 'auto' };
}

interface Room {
  /** Width of the area: the canvas or a group. */
  readonly width: number;
  readonly height: number;
  /** The shorter side. */
  readonly side: number;
  /** A colour that stands out from the middle of the area. */
  readonly color: string;
  /** A colour that stands out less, for areas behind other layers. */
  readonly softColor: string;
}

const whole = (length: number): number => Math.max(1, Math.round(length));

const square = (side: number) => ({ width: whole(side), height: whole(side) });

const shape =
  (shapeType: string, more: (side: number) => Json = () => ({})): LayerKind['make'] =>
  ({ side, color }) => ({
    type: 'shape',
    shapeType,
    ...square(side * 0.4),
    ...more(whole(side * 0.4)),
    fillColor: color,
  });

/** Returns the corners of a triangle in a square box. */
const triangle = (side: number) => [
  [side / 2, 0],
  [side, side],
  [0, side],
];

const line =
  (more: Json): LayerKind['make'] =>
  ({ width, side, color }) => ({
    type: 'shape',
    shapeType: 'line',
    width: whole(width * 0.4),
    height: whole(side * 0.01),
    fillColor: color,
    ...more,
  });

/** A picture of hills and a sun that people replace by their own. */
const PLACEHOLDER_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 80" preserveAspectRatio="xMidYMid slice">' +
  '<path fill="#d5dbe6" d="M0 0h120v80H0z"/><circle cx="86" cy="24" r="9" fill="#f8fafc"/>' +
  '<path fill="#aab4c6" d="M0 66l34-32 26 26 16-14 44 34H0z"/></svg>';

export const PLACEHOLDER_URL = `data:image/svg+xml,${encodeURIComponent(PLACEHOLDER_SVG)}`;

/** A header and three rows. */
const TABLE_HEIGHT = 157;

/** Returns a font size as on cards: a twelfth of the shorter side, and never too small to read. */
const fontSizeFor = (side: number): number => Math.min(200, Math.max(12, Math.round(side / 12)));

export const KINDS = {
  text: {
    name: 'Text',
    make: ({ width, side, color }) => ({
      type: 'text',
      text: 'Text',
      width: whole(width * 0.6),
      height: 'auto',
      fontSize: fontSizeFor(side),
      fontWeight: '600',
      color,
    }),
  },
  image: {
    name: 'Image',
    make: ({ side }) => ({ type: 'image', url: PLACEHOLDER_URL, width: whole(side * 0.6), height: whole(side * 0.4) }),
  },
  qrcode: {
    name: 'QR code',
    make: ({ side }) => ({ type: 'qrcode', data: 'https://example.com', ...square(Math.max(side * 0.35, 40)) }),
  },
  barcode: {
    name: 'Barcode',
    make: ({ side }) => ({
      type: 'barcode',
      symbology: 'code128',
      data: '12345678',
      width: whole(Math.max(side * 0.6, 120)),
      height: whole(Math.max(side * 0.2, 40)),
    }),
  },
  table: {
    name: 'Table',
    make: ({ width }) => ({
      type: 'table',
      width: whole(Math.max(width * 0.6, 160)),
      height: 'auto',
      columns: [
        { header: 'Item', field: 'item', width: 'fill' },
        { header: 'Amount', field: 'amount' },
      ],
      rows: [
        { item: 'First', amount: 12 },
        { item: 'Second', amount: 3.5 },
        { item: 'Third', amount: 140 },
      ],
    }),
  },
  rectangle: { name: 'Rectangle', make: shape('rectangle') },
  roundedRectangle: {
    name: 'Rounded rectangle',
    make: shape('rounded_rectangle', (side) => ({ borderRadius: whole(side * 0.12) })),
  },
  circle: { name: 'Circle', make: shape('circle') },
  pill: { name: 'Pill', make: shape('pill', (side) => ({ height: whole(side * 0.4) })) },
  line: { name: 'Line', make: line({}) },
  arrow: { name: 'Arrow', make: line({ endCap: 'arrow' }) },
  polygon: { name: 'Triangle', make: shape('polygon', (side) => ({ points: triangle(side) })) },
  star: { name: 'Star', make: shape('star', () => ({ points: 5 })) },
  arc: { name: 'Arc', make: shape('arc', () => ({ innerRadius: 0.6, endAngle: 270 })) },
  group: {
    name: 'Group',
    make: ({ width, height, side, softColor }) => ({
      type: 'group',
      width: whole(width * 0.6),
      height: whole(height * 0.6),
      backgroundColor: softColor,
      borderRadius: Math.round(side * 0.03),
      layers: [],
    }),
  },
} as const satisfies Readonly<Record<string, LayerKind>>;

export type KindName = keyof typeof KINDS;

/** The kinds in the menu of **Add shape**. */
export const SHAPES: readonly KindName[] = [
  'rectangle',
  'roundedRectangle',
  'circle',
  'pill',
  'line',
  'arrow',
  'polygon',
  'star',
  'arc',
];

export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface NewLayerOptions {
  /** The canvas, or the group around the new layer, in the layer's coordinates. */
  readonly area: Area;
  /** The visible part of the area: the layer is put in its middle. */
  readonly visible?: Area | undefined;
  /** Whether a layout places it. */
  readonly isLaidOut?: boolean;
  /** The colour behind the layer, from which it must stand out. */
  readonly ground: string;
}

export function newLayer(kind: KindName, { area, visible = area, isLaidOut, ground }: NewLayerOptions): Json {
  const { width, height } = area;
  const isDark = luminance(ground) < 0.4;
  const fields = (KINDS[kind] as LayerKind).make({
    width,
    height,
    side: Math.min(width, height),
    color: isDark ? '#ffffff' : '#1f2937',
    softColor: isDark ? '#374151' : '#e5e7eb',
  });
  const { type, ...others } = fields;
  if (isLaidOut) return fields;
  // a text with automatic height gets the height of one line, a table that of its rows
  const most = type === 'table' ? TABLE_HEIGHT : (numberOf(fields.fontSize) ?? 0) * 1.2;
  const high = fields.height === 'auto' ? most : numberOf(fields.height)!;
  const middle = (start: number, length: number, own: number) => Math.round(start + (length - own) / 2);
  return {
    type,
    x: middle(visible.x, visible.width, numberOf(fields.width)!),
    y: middle(visible.y, visible.height, high),
    ...others,
  };
}

/** Creates a layer from a pasted text. */
export function textLayer(text: string, options: NewLayerOptions): Json {
  return { ...newLayer('text', options), text };
}

/** Returns the brightness of a colour `#rrggbb`, from 0 to 1. */
function luminance(color: string): number {
  const [, red = 'ff', green = 'ff', blue = 'ff'] = /^#(..)(..)(..)/.exec(color) ?? [];
  const [r, g, b] = [red, green, blue].map((channel) => Number.parseInt(channel, 16) / 255);
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** Converts a colour to `#rrggbb`; undefined if it isn't a plain, opaque colour. */
export type ReadColor = (color: string) => string | undefined;

/**
 * Finds the colour at a point of the canvas from plain fills: the fill of the topmost shape, group or code, or the background.
 */
export function groundAt(document: EditorDocument, [x, y]: readonly [number, number], read: ReadColor): string {
  const isOver = ({ node: { raw } }: Located): boolean => {
    const [left, top, width, height] = [raw.x, raw.y, raw.width, raw.height].map((each) => numberOf(each) ?? 0);
    return x >= left! && x <= left! + width! && y >= top! && y <= top! + height!;
  };
  for (const located of [...nodeIndex(document).values()].toReversed()) {
    const { node, ancestors } = located;
    if (ancestors.length > 0 || node.raw.visible === false || isHidden(document, located) || !isOver(located)) continue;
    const { type, shapeType, fillColor, backgroundColor, colorLight = '#ffffff' } = node.raw;
    const fill = { shape: shapeType === 'line' ? undefined : fillColor, group: backgroundColor, qrcode: colorLight };
    const color = read(textOf(fill[String(type) as keyof typeof fill]) ?? '');
    if (color !== undefined) return color;
  }
  return read(textOf(recordValue(document, ['background', 'color'])) ?? '') ?? '#ffffff';
}
