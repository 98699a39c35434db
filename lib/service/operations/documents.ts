// The bodies of documents of several pages: checked page by page, and turned into what the engine renders.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseItems, type RawItem } from '../../contract/api/batch.js';
import { parsePagesRequest } from '../../contract/api/request.js';
import { joinPath, limitWarnings } from '../../contract/messages/issues.js';
import { fieldPath } from '../../contract/messages/origins.js';
import { unknownInRequest } from '../../contract/unknown-fields.js';
import type { Warning } from '../../errors.js';
import type { Settings } from '../../settings.js';
import { pageFields } from '../../templates/pages.js';
import { BatchTemplates } from '../batch/templates.js';
import type { FoundBrand } from '../render/call.js';
import type { DocumentRequest } from '../render/document.js';
import type { CheckedPages, ServiceOptions } from '../request.js';
import { checkVariant } from './find-template.js';

/** Pages that are checked in one turn of the event loop. */
const PAGES_PER_TURN = 5;

/** Parses a body with `pages`. Throws RenderError `invalid_request` with what is wrong with any page. */
export async function readPagesRequest(
  body: unknown,
  { MAX_LAYERS: maxLayers }: Pick<Settings, 'MAX_LAYERS'>,
): Promise<{ readonly payload: CheckedPages; readonly warnings: readonly Warning[] }> {
  const { pages: raw, ...document } = parsePagesRequest(body);
  let warnings: readonly Warning[] = limitWarnings(unknownInRequest(body, 'pages'));
  const items = raw.map((each, index): RawItem => {
    const path = joinPath('pages', index);
    const { page, warnings: ignored } = pageFields(each);
    warnings = limitWarnings(warnings, located(ignored, path));
    return { path, name: undefined, body: page as RawItem['body'] };
  });
  const parsing = parseItems(items, { maxLayers, output: 'document' }, PAGES_PER_TURN);
  let step = parsing.next();
  for (; !step.done; step = parsing.next()) await nextTurn();
  const pages = step.value;
  for (const [index, { path, body: page }] of items.entries()) {
    warnings = limitWarnings(warnings, located(unknownInRequest(page, pages[index].kind), path));
  }
  return { payload: { ...document, pages }, warnings };
}

function* located(warnings: Iterable<Warning>, path: string): Generator<Warning> {
  for (const warning of warnings) yield { ...warning, path: fieldPath(path, warning.path) };
}

/** The document of a request for pages. The templates that they name are found when their pages are rendered. */
export function documentOf(
  { pages, document, quality, lossless }: CheckedPages,
  workspaceId: string,
  { store }: Pick<ServiceOptions, 'store'>,
  brand: FoundBrand | undefined,
): DocumentRequest {
  // what is published when the document starts fills all of its pages
  const templates = new BatchTemplates(workspaceId, store);
  return {
    document,
    quality,
    lossless,
    pages: pages.map((request, index) => ({
      path: joinPath('pages', index),
      request,
      async findRecord() {
        if (request.kind === 'canvas') return undefined;
        const { record } = await templates.find(request);
        checkVariant(record, request, brand);
        return record;
      },
    })),
  };
}
