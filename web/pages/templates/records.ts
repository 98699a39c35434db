// Saves, copies and exports templates' records.
import type { TemplateAnswer, TemplateSummary, VersionAnswer } from '../../../lib/contract/api/templates.js';
import { api, withQuery } from '../../app/api.js';
import { inWorkspace } from '../../app/session.js';
import { saveFile } from '../../preview/download.js';
import { copyName, exportedText, fileName } from './names.js';

/** Returns the path of an operation: `templatePath('tpl_1', 'publish')` → `workspaces/ws_1/templates/tpl_1/publish`. */
export function templatePath(id: string, operation?: string): string {
  return inWorkspace(`templates/${encodeURIComponent(id)}${operation === undefined ? '' : `/${operation}`}`);
}

/** Saves JSON text, exactly as it is, as a new template. Rejects with ApiError, with the faults of its fields. */
export function createTemplate(text: string, publish: boolean): Promise<TemplateAnswer> {
  return api.postText(withQuery(inWorkspace('templates'), { publish: String(publish) }), text);
}

/** Saves a draft with the latest record of a template, under another name. */
export async function duplicateTemplate(id: string, names: readonly string[]): Promise<TemplateAnswer> {
  const { record } = await api.get<TemplateAnswer>(templatePath(id));
  const name = copyName(String(record.name), names);
  return createTemplate(JSON.stringify({ ...record, name }), false);
}

/** Lets the browser save the latest version, or another one, as a file. Rejects with ApiError. */
export async function exportTemplate({ id, name }: Pick<TemplateSummary, 'id' | 'name'>, version?: number) {
  const path = version === undefined ? templatePath(id) : templatePath(id, `versions/${version}`);
  const { record } = await api.get<VersionAnswer>(path);
  const file = `${fileName(name)}${version === undefined ? '' : `-${version}`}.json`;
  saveFile(exportedText(record), file, 'application/json');
}
