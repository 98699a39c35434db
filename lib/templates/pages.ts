// Resolves the pages of a document: the paths in errors and warnings name the page.
import { invalidRequest, joinPath, summary } from '../contract/messages/issues.js';
import { fieldPath, type LayerOrigin } from '../contract/messages/origins.js';
import { isObject } from '../contract/schema/fields.js';
import { isTemplate } from '../contract/template/record-layers.js';
import { CodedError, codedError, type Detail, type Warning } from '../errors.js';
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

/** The scenes of all pages. Throws as `PageErrors` does. */
export function resolvePages<Page>(pages: readonly Page[], resolvePage: (page: Page, index: number) => Scene): Scene[] {
  const errors = new PageErrors();
  const scenes = pages.flatMap((page, index) => {
    const path = joinPath('pages', index);
    const scene = errors.collect(path, () => resolvePage(page, index));
    return scene ? [pageScene(scene, path)] : [];
  });
  errors.throwAll();
  return scenes;
}

/** What is wrong with the pages of a document, of which all are checked before the first is painted. */
export class PageErrors {
  private readonly details: Detail[] = [];
  private first: CodedError | undefined;

  /** Calls `check` for the page at `path`; undefined when it throws. */
  collect<Result>(path: string, check: () => Result): Result | undefined {
    try {
      return check();
    } catch (error) {
      this.add(path, error);
      return undefined;
    }
  }

  /** Adds an error of the page at `path`. Throws those that are no CodedError. */
  add(path: string, error: unknown): void {
    if (!(error instanceof CodedError)) throw error;
    this.first ??= error;
    if (this.details.length <= MAX_DETAILS) this.details.push(...detailsAt(error, path));
  }

  /** Throws one error with all that is wrong, if there is any, of the code that the first bad page has. */
  throwAll(): void {
    const { first, details } = this;
    if (!first) return;
    if (first.code === 'invalid_request') throw invalidRequest(details);
    throw codedError(first.code, summary(details), { details, cause: first.cause });
  }
}

/** More details than an error shows are not collected. */
const MAX_DETAILS = 100;

/** The details of an error of the page at `path`. */
function detailsAt(error: CodedError, path: string): Detail[] {
  const { details, message } = error;
  if (details.length === 0) return [{ code: 'invalid_value', path, message }];
  return details.map((detail) =>
    detail.more === undefined ? { ...detail, path: fieldPath(path, detail.path) } : detail,
  );
}

/** The scene as a page of a document, at `path` of its payload. */
export function pageScene(scene: Scene, path: string): Scene {
  const { origins, warnings, canvasPath = '' } = scene;
  return {
    ...scene,
    format: 'pdf',
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
