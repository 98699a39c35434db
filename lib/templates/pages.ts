// Resolves the pages of a document: the paths in errors and warnings name the page.
import { invalidRequest, joinPath, summary } from '../contract/messages/issues.js';
import { fieldPath, type LayerOrigin } from '../contract/messages/origins.js';
import { isObject } from '../contract/schema/fields.js';
import { isTemplate } from '../contract/template/record-layers.js';
import { CodedError, type Detail, RenderError, type Warning } from '../errors.js';
import type { Scene } from './scene.js';

/** Fields that a document has once, not its pages. */
const DOCUMENT_FIELDS = ['format', 'responseType', 'metadata', 'document'] as const;

/** The page of a payload without the fields that only the document has, and a warning about each of them. */
export function pageFields(raw: unknown): { readonly page: unknown; readonly warnings: readonly Warning[] } {
  if (!isObject(raw) || isTemplate(raw)) return { page: raw, warnings: [] };
  const ignored = DOCUMENT_FIELDS.filter((field) => raw[field] !== undefined);
  if (ignored.length === 0) return { page: raw, warnings: [] };
  const page = Object.fromEntries(Object.entries(raw).filter(([key]) => !ignored.some((field) => field === key)));
  const message = 'has no effect on a page: that of the document counts';
  return { page, warnings: ignored.map((path) => ({ code: 'no_effect' as const, path, message })) };
}

/**
 * The scenes of all pages. Throws one RenderError with what is wrong with any of them, of the code that the first bad page
 * has.
 */
export function resolvePages<Page>(pages: readonly Page[], resolvePage: (page: Page, index: number) => Scene): Scene[] {
  const scenes: Scene[] = [];
  const details: Detail[] = [];
  let first: CodedError | undefined;
  for (const [index, page] of pages.entries()) {
    const path = joinPath('pages', index);
    try {
      const scene = resolvePage(page, index);
      scenes.push({ ...atPath(scene, path), format: 'pdf' });
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      first ??= error;
      details.push(...detailsAt(error, path));
    }
  }
  if (!first) return scenes;
  if (first.code === 'invalid_request') throw invalidRequest(details);
  throw new RenderError(first.code as RenderError['code'], summary(details), { details, cause: first.cause });
}

/** The details of an error of the page at `path`. */
function detailsAt(error: CodedError, path: string): Detail[] {
  const { details, message } = error;
  if (details.length === 0) return [{ code: 'invalid_value', path, message }];
  return details.map((detail) =>
    detail.more === undefined ? { ...detail, path: fieldPath(path, detail.path) } : detail,
  );
}

function atPath(scene: Scene, path: string): Scene {
  const { origins, warnings, canvasPath = '' } = scene;
  return {
    ...scene,
    canvasPath: fieldPath(path, canvasPath),
    origins: origins.map((origin) => originAt(origin, path)),
    warnings: warnings.map((warning) => ({ ...warning, path: fieldPath(path, warning.path) })),
  };
}

function originAt(origin: LayerOrigin, path: string): LayerOrigin {
  const { variable, inserted, layers } = origin;
  return {
    ...origin,
    path: fieldPath(path, origin.path),
    ...(variable && { variable: { ...variable, path: fieldPath(path, variable.path) } }),
    ...(inserted && { inserted: inserted.map((each) => ({ ...each, path: fieldPath(path, each.path) })) }),
    ...(layers && { layers: layers.map((each) => originAt(each, path)) }),
  };
}
