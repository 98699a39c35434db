// The schemas of all layer types. Parsing applies every default; the renderer's layer types are inferred from the output.
import type * as z from 'zod';
import { type BarcodeLayer, barcodeLayer } from './barcode.js';
import { groupLayer } from './group.js';
import { type IconLayer, iconLayer } from './icon.js';
import { type ImageLayer, imageLayer } from './image.js';
import type { Placed } from './layout/extents.js';
import { type QrcodeLayer, qrcodeLayer } from './qrcode.js';
import { type ShapeLayer, shapeLayer } from './shape.js';
import { type Span, type SpanFields, type TextLayer, textLayer } from './text.js';

export type { Symbology } from './barcode.js';
export type { Shadow } from './shared.js';
export { MAX_TEXT } from './text.js';
export {
  type BarcodeLayer,
  barcodeLayer,
  groupLayer,
  type IconLayer,
  type ImageLayer,
  iconLayer,
  imageLayer,
  type QrcodeLayer,
  qrcodeLayer,
  type ShapeLayer,
  type Span,
  type SpanFields,
  shapeLayer,
  type TextLayer,
  textLayer,
};

/** Every layer type by its name on the wire. */
export const LAYER_SCHEMAS = {
  text: textLayer,
  image: imageLayer,
  qrcode: qrcodeLayer,
  barcode: barcodeLayer,
  shape: shapeLayer,
  icon: iconLayer,
  group: groupLayer,
} as const;

/** Its layers are in its own coordinates. */
export type GroupLayer = Omit<Placed<z.output<typeof groupLayer>>, 'layers'> & { readonly layers: readonly Layer[] };

/** A layer that is drawn. */
export type Layer = TextLayer | ImageLayer | QrcodeLayer | BarcodeLayer | ShapeLayer | GroupLayer;
/** A layer of a payload. `resolve` makes shapes of icons. */
export type WrittenLayer = Layer | IconLayer;
export type LayerType = WrittenLayer['type'];
