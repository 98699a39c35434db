// Parses the raw layers of a scene, and checks URLs and the data of codes, which schemas can't. Reports the issues of all layers in
// one error. Fetches nothing, and loads neither fonts nor codecs.
import { barcodeIssue } from '../barcodes/check.js';
import { type AssetKind, assetReferences } from '../contract/asset-references.js';
import type { Layer } from '../contract/layers/index.js';
import { type FieldIssue, parseLayers } from '../contract/parse-layers.js';
import { RenderError } from '../errors.js';
import { qrcodeIssue } from '../layers/codes/qrcode.js';
import type { RawScene } from './scene.js';

/** Throws RenderError `render_failed` when `url` can't be that of an asset of this kind. */
export type CheckUrl = (url: string, kind: AssetKind) => void;

/** The layers with every default applied. Throws RenderError `render_failed` with every issue of every layer. */
export function checkLayers({ layers, origins }: Pick<RawScene, 'layers' | 'origins'>, checkUrl: CheckUrl): Layer[] {
  return parseLayers(layers, { origins, inspect: (layer) => layerIssues(layer, checkUrl) });
}

/** Issues of a layer beyond the types and bounds of its fields. */
function layerIssues(layer: Layer, checkUrl: CheckUrl): FieldIssue[] {
  const issues = urlIssues(layer, checkUrl);
  const issue = codeIssue(layer);
  return issue === undefined ? issues : [...issues, issue];
}

/** The issue of the data of a QR code or barcode, or of its logo. */
export function codeIssue(layer: Layer): FieldIssue | undefined {
  if (layer.type === 'qrcode') return qrcodeIssue(layer);
  const message = layer.type === 'barcode' ? barcodeIssue(layer) : undefined;
  return message === undefined ? undefined : { field: 'data', message };
}

/** Issues of the URLs of a layer, which may be raw. */
export function urlIssues(layer: Readonly<Record<string, unknown>>, checkUrl: CheckUrl): FieldIssue[] {
  return assetReferences(layer).flatMap(({ field, url, kind }) => {
    try {
      checkUrl(url, kind);
      return [];
    } catch (error) {
      if (error instanceof RenderError) return [{ field, message: error.message }];
      throw error;
    }
  });
}
