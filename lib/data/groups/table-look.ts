// How a table looks: what its texts and lines have, and what they have by default.
import { parseColor } from '../../contract/css/parse-color.js';
import { CELL_TEXT_FIELDS, type TableFields } from '../../contract/layers/expanded/table.js';
import { isObject } from '../../contract/schema/fields.js';
import type { Color } from '../../raster/color.js';
import { hexOf } from '../../raster/color-math.js';
import type { Resolver } from '../resolver.js';
import { withStyle } from '../styles.js';
import type { Tokens } from '../tokens.js';
import { backgroundColorOf, type Parent, textColor } from './parent.js';

export type Json = Readonly<Record<string, unknown>>;

/** The fields of text layers for each part of a table. */
export interface TableLook {
  readonly header: Json;
  readonly body: Json;
  readonly footer: Json;
  readonly more: Json;
  readonly cellPadding: unknown;
  /** Fills behind all cells of a part, in place of one behind each: there would be seams between them. */
  readonly bands: { readonly header: unknown; readonly body: unknown };
  readonly rules: {
    readonly horizontal?: Json | undefined;
    readonly vertical?: Json | undefined;
    readonly outer?: Json | undefined;
    readonly header?: Json | undefined;
  };
  /** The fields of a column's or a footer cell's raw style, which is at `path`. */
  columnStyle(raw: unknown, path: string): Json;
}

/** How much of the texts' colour what is less important has. */
const [WEAK, LINE, THIN_LINE] = [0.75, 0.4, 0.16];
const LINE_HEIGHT = 1.5;
const DEFAULT_SIZE = 16;
/** The part of the size of the body that the header has. */
const HEADER_SIZE = 0.875;
const STRONG = 600;
const DEFAULT_PADDING = [8, 12];

/** Fields of the body that the header has, too, unless it has its own. */
const INHERITED = [
  'fontFamily',
  'customFontUrl',
  'fontFeatures',
  'fontVariations',
  'color',
  'lineHeight',
  'letterSpacing',
  'language',
  'direction',
] as const;

/** `written`: the table without null fields. */
export function tableLook(
  written: Json,
  fields: TableFields,
  path: string,
  parent: Parent,
  tokens: Tokens,
  resolver: Resolver,
): TableLook {
  const styleOf = (raw: unknown, at: string): Json => {
    const owner = typeof raw === 'string' ? { style: raw } : isObject(raw) ? raw : {};
    // the name itself is wrong where there is no object around it
    const found = withStyle(owner, typeof raw === 'string' ? at.replace(/\.style$/, '') : at, tokens, resolver);
    return pick(found, CELL_TEXT_FIELDS);
  };
  const ownBody = styleOf(written.body, `${path}.body`);
  const ownHeader = styleOf(written.header, `${path}.header`);
  const behind = (own: Json): Color => {
    const fill = backgroundColorOf(own.backgroundColor);
    return textColor(fill ? { fill, isGroup: true } : parent);
  };
  const bodyColor = behind(ownBody);
  const hasLayers = fields.columns.some(({ cell }) => cell !== undefined);
  const middle = hasLayers ? { verticalAlign: 'middle' } : {};
  const base: Json = { lineHeight: LINE_HEIGHT, color: hexOf(bodyColor), ...middle, ...ownBody };
  const isFilled = ownHeader.backgroundColor !== undefined;
  const size = typeof base.fontSize === 'number' ? base.fontSize : DEFAULT_SIZE;
  const header: Json = {
    ...pick(base, INHERITED),
    color: isFilled ? hexOf(behind(ownHeader)) : faded(base.color, WEAK),
    fontSize: Math.round(size * HEADER_SIZE),
    fontWeight: STRONG,
    verticalAlign: 'bottom',
    ...ownHeader,
  };
  const { backgroundColor: _, ...plain } = base;
  const hasHeader = fields.columns.some((column) => column.header !== undefined);
  const hasColors = ownBody.color !== undefined && (!hasHeader || ownHeader.color !== undefined);
  const isAutomatic = written.rules === undefined && written.stripe === undefined && !hasColors;
  const line = (part: number): Json => ({ color: faded(base.color, part), width: 1 });
  return {
    header: withoutBand(header),
    body: withoutBand(base),
    footer: { ...plain, fontWeight: STRONG },
    more: { ...plain, color: faded(base.color, WEAK) },
    cellPadding: written.cellPadding ?? DEFAULT_PADDING,
    bands: { header: bandOf(header), body: bandOf(base) },
    rules: isAutomatic ? { horizontal: line(THIN_LINE), header: line(LINE) } : (written.rules ?? {}),
    columnStyle: styleOf,
  };
}

/** The fill of a text style that a shape can have. */
export function bandOf({ backgroundColor }: Json): unknown {
  return typeof backgroundColor === 'string' ? backgroundColor : undefined;
}

export function withoutBand(style: Json): Json {
  if (bandOf(style) === undefined) return style;
  const { backgroundColor: _, ...rest } = style;
  return rest;
}

/** A part of a colour; other fills as they are. */
function faded(raw: unknown, part: number): unknown {
  const color = typeof raw === 'string' ? parseColor(raw) : undefined;
  return color ? hexOf({ ...color, a: color.a * part }) : raw;
}

function pick(owner: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.filter((name) => owner[name] !== undefined).map((name) => [name, owner[name]]));
}
