// What the page does with templates' records: saves, copies and exports them.
import type { TemplateAnswer, TemplateSummary, VersionAnswer } from '../../../lib/contract/api/templates.js';
import { api, failureOf, send, withQuery } from '../../app/api.js';
import { inWorkspace } from '../../app/session.js';

/** `templatePath('tpl_1', 'publish')` → `workspaces/ws_1/templates/tpl_1/publish`. */
export function templatePath(id: string, operation?: string): string {
  return inWorkspace(`templates/${encodeURIComponent(id)}${operation === undefined ? '' : `/${operation}`}`);
}

/** Saves JSON text, just as it is, as a new template. Rejects with ApiError, with the faults of its fields. */
export async function createTemplate(text: string, publish: boolean): Promise<TemplateAnswer> {
  const path = withQuery(inWorkspace('templates'), { publish: String(publish) });
  const headers = { 'content-type': 'application/json', 'x-platen-csrf': '1' };
  const response = await send(path, { method: 'POST', headers, body: text });
  if (!response.ok) throw await failureOf(response);
  return response.json();
}

/** A draft with the latest record of a template, under another name. */
export async function duplicateTemplate(id: string, names: readonly string[]): Promise<TemplateAnswer> {
  const { record } = await api.get<TemplateAnswer>(templatePath(id));
  const name = copyName(String(record.name), names);
  return createTemplate(JSON.stringify({ ...record, name }), false);
}

const MAX_NAME_LENGTH = 200;

/** `Card copy`, `Card copy 2`, …: the first that is free. */
export function copyName(name: string, taken: readonly string[]): string {
  const stem = name.replace(/ copy(?: \d+)?$/, '');
  for (let count = 1; ; count++) {
    const ending = count === 1 ? ' copy' : ` copy ${count}`;
    const copy = stem.slice(0, MAX_NAME_LENGTH - ending.length) + ending;
    if (!taken.includes(copy)) return copy;
  }
}

/** The file of a record: the same bytes as of `render templates export`, so that an import of it exports the same again. */
export function exportedText(record: unknown): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}

/** Lets the browser save the latest version, or another one, as a file. */
export async function exportTemplate({ id, name }: Pick<TemplateSummary, 'id' | 'name'>, version?: number) {
  const path = version === undefined ? templatePath(id) : templatePath(id, `versions/${version}`);
  const { record } = await api.get<VersionAnswer>(path);
  const url = URL.createObjectURL(new Blob([exportedText(record)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${fileName(name)}${version === undefined ? '' : `-${version}`}.json`;
  link.click();
  // the browser has taken the file by then
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const MAX_FILE_NAME_LENGTH = 80;

/** A name that every file system takes: `Event card – 2027` → `event-card-2027`. */
export function fileName(name: string): string {
  const words = name.toLowerCase().match(/[\p{Letter}\p{Mark}\p{Number}]+/gu) ?? [];
  return words.join('-').slice(0, MAX_FILE_NAME_LENGTH).replace(/-$/, '') || 'template';
}
