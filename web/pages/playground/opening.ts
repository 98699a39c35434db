// Loads the payload that an address names: a logged render's, or a template's.
import type { RenderLogEntry } from '../../../lib/contract/api/renders.js';
import type { TemplateAnswer, VersionAnswer } from '../../../lib/contract/api/templates.js';
import { api } from '../../app/api.js';
import { inWorkspace } from '../../app/session.js';
import { sampleVariables } from '../../preview/hotspots.js';

export interface Opened {
  readonly text?: string;
  /** A remark for the person. */
  readonly note?: string;
}

/** Loads the payload; undefined if the address names none. Rejects with ApiError. */
export async function openAddress(query: URLSearchParams): Promise<Opened | undefined> {
  const [render, template, version] = ['render', 'template', 'version'].map((name) => query.get(name) || undefined);
  if (render !== undefined) return openRender(render);
  return template === undefined ? undefined : openTemplate(template, version);
}

async function openRender(id: string): Promise<Opened> {
  const entry = await api.get<RenderLogEntry>(inWorkspace(`renders/${encodeURIComponent(id)}`));
  if (entry.templateId === undefined) {
    return { note: 'This render had a payload of its own, without a template. The log keeps no payloads.' };
  }
  if (entry.variables === undefined) {
    const opened = await openTemplate(entry.templateId, entry.templateVersion && String(entry.templateVersion), entry);
    const note = 'The log has no variables of this render: these are the template’s own. LOG_VARIABLES=on keeps them.';
    return { ...opened, note };
  }
  return { text: written(entry.templateId, entry.templateVersion, entry.variables, entry) };
}

async function openTemplate(
  id: string,
  version: string | undefined | 0,
  output: Pick<RenderLogEntry, 'format' | 'metadata'> | undefined = undefined,
): Promise<Opened> {
  const path = `templates/${encodeURIComponent(id)}`;
  const { record } = version
    ? await api.get<VersionAnswer>(inWorkspace(`${path}/versions/${encodeURIComponent(version)}`))
    : await api.get<TemplateAnswer>(inWorkspace(path));
  return { text: written(id, version ? Number(version) : undefined, sampleVariables(record), output) };
}

function written(
  templateId: string,
  templateVersion: number | undefined,
  variables: unknown,
  { format, metadata }: Partial<Pick<RenderLogEntry, 'format' | 'metadata'>> = {},
): string {
  const payload = { templateId, templateVersion, variables, format, metadata };
  return `${JSON.stringify(payload, null, 2)}\n`;
}
