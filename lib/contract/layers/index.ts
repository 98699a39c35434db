// The schemas of all layer types. Parsing applies every default; the renderer's layer types are inferred from the output.
import { type BarcodeLayer, barcodeLayer } from './barcode.js';
import { type ImageLayer, imageLayer } from './image.js';
import { type QrcodeLayer, qrcodeLayer } from './qrcode.js';
import { type ShapeLayer, shapeLayer } from './shape.js';
import { type TextLayer, textLayer } from './text.js';

export type { Symbology } from './barcode.js';
export type { Shadow } from './shared.js';
export { MAX_TEXT } from './text.js';
export {
  type BarcodeLayer,
  barcodeLayer,
  type ImageLayer,
  imageLayer,
  type QrcodeLayer,
  qrcodeLayer,
  type ShapeLayer,
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
} as const;

export type Layer = TextLayer | ImageLayer | QrcodeLayer | BarcodeLayer | ShapeLayer;
export type LayerType = Layer['type'];
