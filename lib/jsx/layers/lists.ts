// Markers of list items (CSS Lists 3): outside of the box as layers of their own, inside as text or as room before it.

import { parseFamilyList } from '../../contract/css/font-family.js';
import type { ElementBox } from '../boxes.js';
import { rounded } from '../css/length.js';
import type { Style } from '../css/style.js';
import type { MarkupReport } from '../report.js';
import { definedOnly, type LayerFields, lengthField } from './fields.js';
import { fontMetrics } from './font-metrics.js';
import { type BoxEdges, insideEdges } from './sizes.js';
import { familyField } from './text.js';

export interface ListMarker {
  /** The item, with the room or the text of a marker inside. */
  readonly box: ElementBox;
  /** A layer of the item that takes no room. */
  readonly layer: LayerFields | undefined;
}

const SHAPES = ['disc', 'circle', 'square'];
/** Pixels between a bullet and its item, beside a part of the font's size. */
const BULLET_GAP = 7;
/** The width of a circle's line. */
const LINE = 1;

/** The marker of a list item. */
export function markerOf(box: ElementBox, edges: BoxEdges, report: MarkupReport): ListMarker {
  const { style } = box;
  const type = style.get('listStyleType');
  if (type === 'none') return { box, layer: undefined };
  const isInside = style.get('listStylePosition') === 'inside';
  const isRtl = style.get('direction') === 'rtl';
  const [top, right, , left] = insideEdges(edges);
  const start = isRtl ? right : left;
  const own = box.marker ?? style;
  if (!SHAPES.includes(type)) {
    const text = markerText(type, box.ordinal ?? 1, () => report.unsupported(box.place, 'listStyleType', type));
    if (isInside)
      return { box: { ...box, children: [{ kind: 'run', text, style: own }, ...box.children] }, layer: undefined };
    return { box, layer: { ...textLayer(text, style, own), ...placeBeside(start, top, isRtl) } };
  }
  const { ascent, size, top: bulletTop } = bulletOf(style);
  const shape = bulletLayer(type, size, own.color('color'));
  const reach = Math.trunc((ascent * 2) / 3) + BULLET_GAP;
  // the line of a circle lies on the edge of its box
  const line = type === 'circle' ? LINE / 2 : 0;
  const edge = isInside ? start + size : start - reach + size;
  const layer = { ...shape, ...placeBeside(edge + line, top + bulletTop - line, isRtl) };
  if (!isInside) return { box, layer };
  const indent = style.with({ textIndent: `${size + 1 + style.fontSize}px` });
  return { box: { ...box, style: indent }, layer };
}

/** The place of a layer whose further edge lies `distance` from the edge at which lines start. */
function placeBeside(distance: number, top: number, isRtl: boolean): LayerFields {
  const end = lengthField({ px: -distance, percent: 100 });
  const inset = isRtl ? [rounded(top), 'auto', 'auto', end] : [rounded(top), end, 'auto', 'auto'];
  return { position: 'absolute', inset };
}

interface Bullet {
  /** Whole pixels, as browsers round them. */
  readonly ascent: number;
  readonly size: number;
  /** From the top of the line. */
  readonly top: number;
}

/** Bullets as Chromium draws them: a third of the ascent, half way up to the height of small letters. */
function bulletOf(style: Style): Bullet {
  const { fontSize } = style;
  const [family] = parseFamilyList(familyField(style.get('fontFamily')));
  const metrics = fontMetrics(family?.name ?? 'Inter');
  const ascent = Math.round(metrics.ascent * fontSize);
  const descent = Math.round(metrics.descent * fontSize);
  const twoThirds = Math.trunc((ascent * 2) / 3);
  const number = style.number('lineHeight');
  const natural = ascent + descent + metrics.lineGap * fontSize;
  const lineHeight =
    style.get('lineHeight') === 'normal'
      ? natural
      : number === undefined
        ? style.pixels('lineHeight')
        : number * fontSize;
  const leading = Math.floor((lineHeight - ascent - descent) / 2);
  const size = Math.trunc((twoThirds + 1) / 2);
  return { ascent, size, top: leading + Math.trunc((3 * (ascent - twoThirds)) / 2) };
}

function bulletLayer(type: string, size: number, color: string): LayerFields {
  if (type === 'circle') {
    const side = size + LINE;
    return { type: 'shape', shapeType: 'circle', width: side, height: side, border: { width: LINE, color } };
  }
  return {
    type: 'group',
    width: size,
    height: size,
    layout: 'row',
    ...(type === 'disc' && { borderRadius: size / 2 }),
    backgroundColor: color,
    layers: [],
  };
}

/** A marker that is text, in the font of its item or of `::marker`. */
function textLayer(text: string, item: Style, style: Style): LayerFields {
  const family = familyField(style.get('fontFamily'));
  const weight = Number(style.get('fontWeight'));
  const color = style.color('color');
  return definedOnly({
    type: 'text',
    width: 'auto',
    height: 'auto',
    // the blank at its end keeps its room
    text: text.replace(/ $/, '\u00a0'),
    wrap: false,
    fontFamily: family === 'Inter' ? undefined : family,
    fontSize: style.fontSize === 16 ? undefined : style.fontSize,
    fontWeight: weight === 400 ? undefined : weight,
    fontStyle: style.get('fontStyle') === 'normal' ? undefined : 'italic',
    color: color === '#000000' ? undefined : color,
    lineHeight: item.number('lineHeight') ?? item.get('lineHeight'),
  });
}

/** The text of a marker with what follows it. */
function markerText(type: string, ordinal: number, reject: () => void): string {
  const quoted = /^(["'])(.*)\1$/s.exec(type);
  if (quoted) return quoted[2];
  const counter = COUNTERS[type];
  if (!counter) reject();
  return `${(counter ?? String)(ordinal) ?? ordinal}. `;
}

/** Counter styles; undefined for numbers that they don't have. */
const COUNTERS: Readonly<Record<string, (value: number) => string | undefined>> = {
  decimal: String,
  'decimal-leading-zero': (value) => (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(2, '0'),
  'lower-alpha': (value) => alphabetic(value, LATIN),
  'lower-latin': (value) => alphabetic(value, LATIN),
  'upper-alpha': (value) => alphabetic(value, LATIN.toUpperCase()),
  'upper-latin': (value) => alphabetic(value, LATIN.toUpperCase()),
  'lower-greek': (value) => alphabetic(value, 'αβγδεζηθικλμνξοπρστυφχψω'),
  'lower-roman': (value) => roman(value)?.toLowerCase(),
  'upper-roman': (value) => roman(value),
};
const LATIN = 'abcdefghijklmnopqrstuvwxyz';

function alphabetic(value: number, letters: string): string | undefined {
  if (value < 1) return undefined;
  let text = '';
  for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / letters.length)) {
    text = letters[(rest - 1) % letters.length] + text;
  }
  return text;
}

const NUMERALS = (
  [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ] as const
).map(([value, letters]) => ({ value, letters }));

function roman(number: number): string | undefined {
  if (number < 1 || number > 3999) return undefined;
  let rest = number;
  let text = '';
  for (const { value, letters } of NUMERALS) for (; rest >= value; rest -= value) text += letters;
  return text;
}
