// Writes templates: `POST /v1/templates`, `PUT` and `DELETE /v1/templates/{id}`. `If-Match` names the version to replace.
import { parseIfMatch } from '../../contract/api/headers.js';
import { parseQuery, publishQuery } from '../../contract/api/query.js';
import { MAX_RECORD_BYTES } from '../../contract/api/templates.js';
import { loadDataFor } from '../../load-data.js';
import type { ExpectedVersion, TemplateDraft } from '../../store/types.js';
import { draftOf } from '../../templates/draft.js';
import { fromStore, versionConflict } from '../failure.js';
import { emptyAnswer } from '../http/answer.js';
import type { WorkspaceCall, WorkspaceOperation } from '../operation.js';
import type { ServiceOptions } from '../request.js';
import { addressOf, templateAnswer } from './templates.js';

export function createTemplate(options: ServiceOptions): WorkspaceOperation {
  const { store, settings } = options;
  return {
    scope: 'templates:write',
    window: 'read',
    maxBodyBytes: maxRecordBytes(settings),
    async run(call) {
      const draft = await readDraft(call, settings);
      const { publish } = parseQuery(publishQuery, call.query);
      const template = await store.createTemplate(call.caller.workspace.id, draft, { publish });
      return templateAnswer(template, options, {
        status: 201,
        headers: [['Location', `/v1/templates/${template.id}`]],
        known: draft.record,
      });
    },
  };
}

export function replaceTemplate(options: ServiceOptions): WorkspaceOperation {
  const { store, settings } = options;
  return {
    scope: 'templates:write',
    window: 'read',
    maxBodyBytes: maxRecordBytes(settings),
    async run(call) {
      const draft = await readDraft(call, settings);
      const { publish } = parseQuery(publishQuery, call.query);
      const ifVersion = await expectedVersion(call, options);
      const template = await fromStore(store.replaceTemplate(addressOf(call), draft, { publish, ifVersion }));
      // not read back: a failure would hide that the version has been made
      return templateAnswer(template, options, { known: draft.record });
    },
  };
}

export function deleteTemplate(options: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:write',
    window: 'read',
    async run(call) {
      const ifVersion = await expectedVersion(call, options);
      await fromStore(options.store.deleteTemplate(addressOf(call), ifVersion));
      return emptyAnswer(204, []);
    },
  };
}

function maxRecordBytes({ MAX_BODY_BYTES }: ServiceOptions['settings']): number {
  return Math.min(MAX_RECORD_BYTES, MAX_BODY_BYTES);
}

async function readDraft(call: WorkspaceCall, { MAX_LAYERS }: ServiceOptions['settings']): Promise<TemplateDraft> {
  const record = await call.json();
  await loadDataFor(record);
  return draftOf(record, { maxLayers: MAX_LAYERS });
}

/**
 * Returns the version that a write may replace, from `If-Match`; undefined for any version. The store compares it in the same
 * step as the write. Throws RenderError `version_conflict` when no version can match.
 */
export async function expectedVersion(
  call: WorkspaceCall,
  { store }: ServiceOptions,
): Promise<ExpectedVersion | undefined> {
  const states = parseIfMatch(call.context.request.ifMatch);
  if (states === undefined || states.length === 1) return states?.[0];
  const template = await fromStore(store.getTemplate(addressOf(call)));
  const published = template.publishedVersion ?? 0;
  const found = states.find(
    ({ version, publishedVersion = published }) => version === template.version && publishedVersion === published,
  );
  if (!found) throw versionConflict();
  return found;
}
