// Finds the saved template that a request names.
import type { TemplateRequest } from '../../contract/api/request.js';
import { checkSize } from '../../contract/template/parse.js';
import { RenderError } from '../../errors.js';
import type { TemplateStore } from '../../store/types.js';
import { versionNotFound } from '../failure.js';

/**
 * The template that the request names, in `version` (of a replay) or the requested one, else the published one. Throws
 * RenderError: `template_not_found`, and `invalid_request` if it has no size of the requested name.
 */
export async function findTemplateOf(
  { templateId, templateVersion, size }: Pick<TemplateRequest, 'templateId' | 'templateVersion' | 'size'>,
  workspaceId: string,
  store: Pick<TemplateStore, 'findTemplate'>,
  version = templateVersion,
): Promise<{ readonly record: unknown; readonly version: number }> {
  const template = await store.findTemplate(workspaceId, templateId, version);
  if (template) {
    if (size !== undefined) checkSize(template.record, size);
    return template;
  }
  // says the same for a draft, for an unknown template and for one of another workspace
  const message = version === undefined ? 'there is no published template with this id' : versionNotFound().message;
  throw new RenderError('template_not_found', message);
}
