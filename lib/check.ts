// A scene's raw layers → checked layers, all their faults at once: by their schemas, and by what only more than a schema
// sees. Draws nothing, fetches nothing, and loads neither fonts nor codecs.
import { checkUrl } from './assets/address.js';
import type { Assets } from './assets/loader.js';
import { summary } from './contract/faults.js';
import { isObject } from './contract/fields.js';
import type { Layer } from './contract/layers.js';
import { type FieldFault, parseLayers } from './contract/parse.js';
import { parseTemplate, type Template } from './contract/template.js';
import { type Detail, RenderError } from './errors.js';
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

/**
 * The template of a record that is to be saved. Beside its own rules (contract/template.ts) every URL in it must be one
 * that the service fetches: a local path means nothing there. Throws RenderError `invalid_request` that names every fault.
 */
export function checkSavedTemplate(record: unknown, options: { readonly maxLayers: number }): Template {
  const urls = isObject(record) ? urlFaultsIn(record) : [];
  let template: Template | undefined;
  let details = urls;
  try {
    template = parseTemplate(record, options);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    details = [...error.details, ...urls];
  }
  if (template && details.length === 0) return template;
  throw new RenderError('invalid_request', `the template is malformed: ${summary(details)}`, { details });
}

function urlFaultsIn({ background, layers, hotspots }: Record<string, unknown>): Detail[] {
  const within = (holder: unknown, path: string): Detail[] => {
    if (!isObject(holder)) return [];
    const fields = { image: ['url'], text: ['customFontUrl'] }[String(holder.type)] ?? [];
    return fields.flatMap((field) => urlFault(holder[field], `${path}.${field}`));
  };
  return [
    ...within(isObject(background) && { ...background, type: 'image' }, 'background'),
    ...[layers].flat().flatMap((layer, i) => within(layer, `layers[${i}]`)),
    ...[hotspots].flat().flatMap((hotspot, i) => within(hotspot, `hotspots[${i}]`)),
  ];
}

/** What is not text at all is a fault of its schema. */
function urlFault(url: unknown, path: string): Detail[] {
  if (typeof url !== 'string') return [];
  const check = (given: string) => void checkUrl(given);
  return urlFaults('', url, { check }).map(({ message }) => ({ path, message }));
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
