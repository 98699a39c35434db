// Reads templates: `GET /v1/templates`, `GET /v1/templates/{id}` and the schema of its variables.
import { matchesNone, templateTag } from '../../contract/api/headers.js';
import { listQuery, parseQuery } from '../../contract/api/query.js';
import type { TemplateAnswer, TemplatePage, TemplateSummary } from '../../contract/api/templates.js';
import type { TemplateAddress, VersionedTemplate } from '../../store/types.js';
import { variablesSchema } from '../../templates/variables-schema.js';
import { fromStore } from '../failure.js';
import { emptyAnswer, jsonAnswer } from '../http/answer.js';
import type { WorkspaceCall, WorkspaceOperation } from '../operation.js';
import type { Answer, ServiceOptions } from '../request.js';
import { boundedPage } from './bounded-page.js';

export function listTemplates({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run({ caller, query }) {
      const { limit, cursor } = parseQuery(listQuery, query);
      const list = (most: number) => store.listTemplates(caller.workspace.id, { limit: most, cursor });
      const page = await fromStore(boundedPage(list, limit));
      const answer: TemplatePage = { items: page.items.map(summaryOf), nextCursor: page.nextCursor };
      return jsonAnswer(200, answer);
    },
  };
}

export function getTemplate(options: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run(call) {
      const template = await fromStore(options.store.getTemplate(addressOf(call)));
      const tag = templateTag(template);
      if (matchesNone(call.context.request.ifNoneMatch, tag)) return emptyAnswer(304, [['ETag', tag]]);
      return templateAnswer(template, options);
    },
  };
}

/** The JSON Schema of what fills the version that renders use, or the latest one of a draft. */
export function getVariablesSchema({ store }: ServiceOptions): WorkspaceOperation {
  return {
    scope: 'templates:read',
    window: 'read',
    async run(call) {
      const address = addressOf(call);
      const { version, publishedVersion } = await fromStore(store.getTemplate(address));
      const { record } = await fromStore(store.getTemplateRecord(address, publishedVersion ?? version));
      return jsonAnswer(200, variablesSchema(record as Readonly<Record<string, unknown>>));
    },
  };
}

/** The template that the path names, in the caller's workspace. */
export function addressOf({ caller, parameters }: WorkspaceCall): TemplateAddress {
  return { id: parameters.id, workspaceId: caller.workspace.id };
}

interface TemplateAnswerOptions {
  readonly status?: number;
  readonly headers?: readonly [string, string][];
  readonly known?: unknown;
}

/** The answer for one template, with the record of its latest version; it is read unless `known` is that record. */
export async function templateAnswer(
  template: VersionedTemplate,
  { store }: ServiceOptions,
  { status = 200, headers = [], known }: TemplateAnswerOptions = {},
): Promise<Answer> {
  const { id, workspaceId, version } = template;
  const { record } =
    known === undefined ? await fromStore(store.getTemplateRecord({ id, workspaceId }, version)) : { record: known };
  const answer: TemplateAnswer = { ...summaryOf(template), record: record as TemplateAnswer['record'] };
  return jsonAnswer(status, answer, [['ETag', templateTag(template)], ...headers]);
}

function summaryOf(template: VersionedTemplate): TemplateSummary {
  const { id, name, version, publishedVersion, createdAt, updatedAt, width, height, hotspots } = template;
  return { id, name, version, publishedVersion, createdAt, updatedAt, width, height, hotspots: [...hotspots] };
}
