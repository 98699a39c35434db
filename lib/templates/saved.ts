// A template's record that is to be saved → a Template: by its schema, and with URLs that the service can fetch.
import { parseAssetUrl } from '../assets/source.js';
import { isObject } from '../contract/fields.js';
import { summary } from '../contract/issues.js';
import { parseTemplate, type Template } from '../contract/template.js';
import { type Detail, RenderError } from '../errors.js';
import { urlFaults } from './check-layers.js';

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
  return urlFaults('', url, (given) => void parseAssetUrl(given)).map(({ message }) => ({ path, message }));
}
