// The style of a layer: how it looks, apart from what it shows and where it is.
import { type Json, ownValue } from '../../document/json.js';

const TEXT_STYLE = [
  'fontFamily',
  'customFontUrl',
  'fontSize',
  'fontWeight',
  'fontStyle',
  'fontFeatures',
  'fontVariations',
  'color',
  'textAlign',
  'verticalAlign',
  'lineHeight',
  'letterSpacing',
  'textTransform',
  'textDecoration',
  'stroke',
  'backgroundColor',
  'backgroundFit',
  'border',
  'borderRadius',
  'padding',
];

const CODE_STYLE = ['colorDark', 'colorLight', 'margin'];

/** The fields of each type that are its style. */
const STYLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: TEXT_STYLE,
  image: ['mask', 'borderRadius', 'border', 'fit'],
  shape: ['fillColor', 'border'],
  qrcode: [...CODE_STYLE, 'borderRadius', 'moduleShape', 'eyeShape', 'eyeColor'],
  barcode: [...CODE_STYLE, 'fontFamily', 'fontSize'],
  group: ['backgroundColor', 'border', 'borderRadius', 'padding'],
};

/** Of every layer. */
const EFFECTS = ['opacity', 'shadow', 'blendMode', 'filter', 'backdropFilter'];

/** Fields that mean the same under another name. */
const FILLS: Readonly<Record<string, string>> = {
  text: 'color',
  shape: 'fillColor',
  qrcode: 'colorDark',
  barcode: 'colorDark',
  group: 'backgroundColor',
};

export interface LayerStyle {
  readonly type: string;
  readonly fields: Json;
}

const fieldsOf = (type: string): readonly string[] => [...(ownValue(STYLE_FIELDS, type) ?? []), ...EFFECTS];

export function styleOf(layer: Json): LayerStyle {
  const type = String(layer.type);
  return { type, fields: Object.fromEntries(fieldsOf(type).map((field) => [field, layer[field]])) };
}

/**
 * The fields that give a layer the style. A layer of another type gets what both have, and the main colour. undefined removes
 * one.
 */
export function fieldsWithStyle({ type, fields }: LayerStyle, layer: Json): Json {
  const own = String(layer.type);
  const common = fieldsOf(own).filter((field) => Object.hasOwn(fields, field));
  const taken = Object.fromEntries(common.map((field) => [field, fields[field]]));
  if (type === own) return taken;
  const [from, to] = [ownValue(FILLS, type), ownValue(FILLS, own)];
  const isKnown = from !== undefined && to !== undefined && fields[from] !== undefined;
  // what its own type has no word for stays as it is
  const kept = Object.fromEntries(Object.entries(taken).filter(([, value]) => value !== undefined));
  return { ...kept, ...(isKnown && { [to]: fields[from] }) };
}
