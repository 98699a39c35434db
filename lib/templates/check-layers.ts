// Parses the raw layers of a scene, and checks URLs and QR code data, which schemas can't. Reports the issues of all layers in
// one error. Fetches nothing, and loads neither fonts nor codecs.
import type { Layer } from '../contract/layers/index.js';
import { type FieldIssue, parseLayers } from '../contract/parse-layers.js';
import { RenderError } from '../errors.js';
import { qrcodeIssue } from '../layers/qrcode.js';
import type { RawScene } from './scene.js';

/** Throws RenderError `render_failed` when `url` can't be that of an asset in `field`, `url` or `customFontUrl`. */
export type CheckUrl = (url: string, field: string) => void;

/** The layers with every default applied. Throws RenderError `render_failed` with every issue of every layer. */
export function checkLayers({ layers, origins }: Pick<RawScene, 'layers' | 'origins'>, checkUrl: CheckUrl): Layer[] {
  return parseLayers(layers, { origins, inspect: (layer) => layerIssues(layer, checkUrl) });
}

/** Issues of a layer beyond the types and bounds of its fields. */
function layerIssues(layer: Layer, checkUrl: CheckUrl): FieldIssue[] {
  switch (layer.type) {
    case 'image':
      return urlFaults('url', layer.url, checkUrl);
    case 'text':
      return layer.customFontUrl === undefined ? [] : urlFaults('customFontUrl', layer.customFontUrl, checkUrl);
    case 'qrcode': {
      const message = qrcodeIssue(layer);
      return message === undefined ? [] : [{ field: 'data', message }];
    }
    case 'shape':
      return [];
  }
}

/** The issue of the URL in `field`, if it has one. */
export function urlFaults(field: string, url: string, checkUrl: CheckUrl): FieldIssue[] {
  try {
    checkUrl(url, field);
    return [];
  } catch (error) {
    if (error instanceof RenderError) return [{ field, message: error.message }];
    throw error;
  }
}

/** The URL of an image, or of a text's own font. */
export function assetUrlOf(layer: Layer): string | undefined {
  return layer.type === 'image' ? layer.url : layer.type === 'text' ? layer.customFontUrl : undefined;
}
