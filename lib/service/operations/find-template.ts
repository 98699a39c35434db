// Finds the saved template that a request names.
import type { TemplateRequest } from '../../contract/api/request.js';
import { invalidRequest } from '../../contract/messages/issues.js';
import { isObject } from '../../contract/schema/fields.js';
import { checkSize } from '../../contract/template/parse.js';
import { RenderError } from '../../errors.js';
import type { TemplateStore } from '../../store/types.js';
import { themeIssue, themeNames } from '../../templates/data/data.js';
import { versionNotFound } from '../failure.js';
import type { FoundBrand } from '../render/call.js';

/**
 * The template that the request names, in `version` (of a replay) or the requested one, else the published one. Throws
 * RenderError: `template_not_found`, and `invalid_request` if it has no size or no theme of the requested name,
 * which the brand has not got either.
 */
export async function findTemplateOf(
  request: Pick<TemplateRequest, 'templateId' | 'templateVersion' | 'size' | 'theme'>,
  workspaceId: string,
  store: Pick<TemplateStore, 'findTemplate'>,
  version = request.templateVersion,
  brand?: FoundBrand,
): Promise<{ readonly record: unknown; readonly version: number }> {
  const { templateId, size, theme } = request;
  const template = await store.findTemplate(workspaceId, templateId, version);
  if (template) {
    checkVariant(template.record, { size, theme }, brand);
    return template;
  }
  // says the same for a draft, for an unknown template and for one of another workspace
  const message = version === undefined ? 'there is no published template with this id' : versionNotFound().message;
  throw new RenderError('template_not_found', message);
}

/** Throws RenderError `invalid_request` for a size that the template has not got, or a theme that neither it nor the brand has. */
export function checkVariant(
  record: unknown,
  { size, theme }: Pick<TemplateRequest, 'size' | 'theme'>,
  brand: FoundBrand | undefined,
): void {
  if (size !== undefined) checkSize(record, size);
  const names = themeNames(isObject(record) ? record.themes : undefined, brand?.record);
  if (theme !== undefined && !names.includes(theme)) throw invalidRequest([themeIssue(theme, names)]);
}
