// Checks a template's record before it is saved: its schema, and that the service can fetch its URLs.
import { parseAssetUrl } from '../assets/source.js';
import { isObject } from '../contract/fields.js';
import { summary } from '../contract/issues.js';
import { walkLayers } from '../contract/nested-layers.js';
import { fieldPath } from '../contract/origins.js';
import { parseTemplate, type Template } from '../contract/template.js';
import { type Detail, RenderError } from '../errors.js';
import { urlIssues } from './check-layers.js';

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

/** Leaves out URLs that are no strings: the schema reports them. */
function urlIssuesIn({ background, layers, hotspots }: Record<string, unknown>): Detail[] {
  const within = (holder: unknown, path: string): Detail[] => {
    if (!isObject(holder)) return [];
    const issues = urlIssues(holder, (url) => void parseAssetUrl(url, { hasAssets: true }));
    return issues.map(({ field, message }) => ({ path: fieldPath(path, field), message }));
  };
  const inList = (list: unknown, name: string) =>
    [...walkLayers([list].flat(), name)].flatMap(({ layer, path }) => within(layer, path));
  return [
    ...within(isObject(background) && { ...background, type: 'image' }, 'background'),
    ...inList(layers, 'layers'),
    ...inList(hotspots, 'hotspots'),
  ];
}
