// The style of a layer: its appearance apart from its content and place.
import { type Json, ownValue } from '../../document/json.js';

const BORDER_STYLE = ['border', 'borderTop', 'borderRight', 'borderBottom', 'borderLeft'];

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
  ...BORDER_STYLE,
  'borderRadius',
  'padding',
];

const CODE_STYLE = ['colorDark', 'colorLight', 'margin'];

/** The style fields of each type. */
const STYLE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: TEXT_STYLE,
  image: ['mask', 'borderRadius', ...BORDER_STYLE, 'fit'],
  shape: ['fillColor', ...BORDER_STYLE],
  qrcode: [...CODE_STYLE, 'borderRadius', 'moduleShape', 'eyeShape', 'eyeColor'],
  barcode: [...CODE_STYLE, 'fontFamily', 'fontSize'],
  group: ['backgroundColor', ...BORDER_STYLE, 'borderRadius', 'padding'],
};

/** Style fields of every layer. */
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
 * Returns the fields that give a layer the style. A layer of another type gets the fields that both have, and the main colour.
 * undefined removes a field.
 */
export function fieldsWithStyle({ type, fields }: LayerStyle, layer: Json): Json {
  const own = String(layer.type);
  const common = fieldsOf(own).filter((field) => Object.hasOwn(fields, field));
  const taken = Object.fromEntries(common.map((field) => [field, fields[field]]));
  if (type === own) return taken;
  const [from, to] = [ownValue(FILLS, type), ownValue(FILLS, own)];
  const isKnown = from !== undefined && to !== undefined && fields[from] !== undefined;
  // between types, a field that the style leaves unset keeps the layer's value
  const present = Object.fromEntries(Object.entries(taken).filter(([, value]) => value !== undefined));
  return { ...present, ...(isKnown && { [to]: fields[from] }) };
}
