// Checks a template's record before it is saved: its schema, and that the service can fetch its URLs.
import { parseAssetUrl } from '../assets/source.js';
import { isObject } from '../contract/fields.js';
import { summary } from '../contract/issues.js';
import { parseTemplate, type Template } from '../contract/template.js';
import { type Detail, RenderError } from '../errors.js';
import { urlFaults } from './check-layers.js';

/**
 * Parses the record of a template (contract/template.ts) and checks that each of its URLs is one that the service can fetch
 * or read, not a local path. Throws RenderError `invalid_request` with every issue.
 */
export function checkSavedTemplate(record: unknown, options: { readonly maxLayers: number }): Template {
  const urls = isObject(record) ? urlIssuesIn(record) : [];
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

function urlIssuesIn({ background, layers, hotspots }: Record<string, unknown>): Detail[] {
  const within = (holder: unknown, path: string): Detail[] => {
    if (!isObject(holder)) return [];
    const fields = { image: ['url'], text: ['customFontUrl'] }[String(holder.type)] ?? [];
    return fields.flatMap((field) => urlIssue(holder[field], `${path}.${field}`));
  };
  return [
    ...within(isObject(background) && { ...background, type: 'image' }, 'background'),
    ...[layers].flat().flatMap((layer, i) => within(layer, `layers[${i}]`)),
    ...[hotspots].flat().flatMap((hotspot, i) => within(hotspot, `hotspots[${i}]`)),
  ];
}

/** The schema reports values that are not strings. */
function urlIssue(url: unknown, path: string): Detail[] {
  if (typeof url !== 'string') return [];
  return urlFaults('', url, (given) => void parseAssetUrl(given, { hasAssets: true })).map(({ message }) => ({
    path,
    message,
  }));
}
