// A scene's raw layers → checked layers, all their faults at once: by their schemas, and by what only more than a schema
// sees. Draws nothing, fetches nothing, and loads neither fonts nor codecs.
import type { Assets } from './assets/loader.js';
import type { Layer } from './contract/layers.js';
import { type FieldFault, parseLayers } from './contract/parse.js';
import { RenderError } from './errors.js';
import { qrcodeFault } from './layers/qrcode.js';
import type { Scene } from './templates/scene.js';

/** The scene's layers, every default applied. Throws RenderError `render_failed` that names every fault; fetches nothing. */
export function checkScene({ layers, place }: Scene, assets: Pick<Assets, 'check'>): Layer[] {
  return parseLayers(layers, { place, inspect: (layer) => faultsOf(layer, assets) });
}

/** What is wrong with a layer beyond its fields' types and bounds. */
function faultsOf(layer: Layer, assets: Pick<Assets, 'check'>): FieldFault[] {
  switch (layer.type) {
    case 'image':
      return urlFaults('url', layer.url, assets);
    case 'text':
      return layer.customFontUrl === undefined ? [] : urlFaults('customFontUrl', layer.customFontUrl, assets);
    case 'qrcode': {
      const message = qrcodeFault(layer);
      return message === undefined ? [] : [{ field: 'data', message }];
    }
    case 'shape':
      return [];
  }
}

function urlFaults(field: string, url: string, assets: Pick<Assets, 'check'>): FieldFault[] {
  try {
    assets.check(url);
    return [];
  } catch (error) {
    if (error instanceof RenderError) return [{ field, message: error.message }];
    throw error;
  }
}
