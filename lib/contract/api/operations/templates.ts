// The operations of `/v1/templates`.
import { listQuery, publishQuery } from '../query.js';
import {
  NEW_TEMPLATE,
  RECORD,
  SUMMARY,
  TEMPLATE,
  TEMPLATE_ID,
  VARIABLES_SCHEMA,
  VERSION,
  VERSION_SUMMARY,
} from './examples.js';
import { json, type Operation, type OperationAnswer, type OperationBody, page } from './operation.js';

const id = { description: 'id of a template', example: TEMPLATE_ID };
const shared = { tag: 'Templates', window: 'read' } as const;
const reads = { ...shared, method: 'GET', scope: 'templates:read' } as const;
const writes = { ...shared, scope: 'templates:write' } as const;

const record: OperationBody = {
  mediaType: 'application/json',
  schemas: ['TemplateRecord'],
  description: 'The template, up to 4 MiB. Every fault is in details.',
  example: RECORD,
};
const version: OperationBody = {
  mediaType: 'application/json',
  schemas: ['VersionBody'],
  description: 'A version of this template.',
  example: { version: 1 },
};
const one: OperationAnswer = json('The template', 'Template', TEMPLATE, ['ETag']);
const unchanged: OperationAnswer = {
  status: 304,
  description: 'The client has it already, as If-None-Match says; the body is empty',
  headers: ['ETag'],
};

export const listTemplates: Operation = {
  ...reads,
  id: 'listTemplates',
  path: '/v1/templates',
  summary: 'List templates',
  description: 'The templates of the workspace, newest first.',
  query: listQuery,
  exampleQuery: 'limit=10',
  answers: [page('TemplatePage', SUMMARY)],
  errors: ['invalid_request'],
};

export const createTemplate: Operation = {
  ...writes,
  id: 'createTemplate',
  method: 'POST',
  path: '/v1/templates',
  summary: 'Create a template',
  description: 'Saves version 1, and publishes it unless publish is false.',
  query: publishQuery,
  body: record,
  answers: [{ ...json('The new template', 'Template', NEW_TEMPLATE, ['Location', 'ETag']), status: 201 }],
  errors: [],
};

export const getTemplate: Operation = {
  ...reads,
  id: 'getTemplate',
  path: '/v1/templates/{id}',
  summary: 'Get a template',
  description: 'The latest version, with its record.',
  parameters: { id },
  headers: ['If-None-Match'],
  answers: [one, unchanged],
  errors: ['template_not_found'],
};

export const getTemplateSchema: Operation = {
  ...reads,
  id: 'getTemplateSchema',
  path: '/v1/templates/{id}/schema',
  summary: "Get the schema of a template's variables",
  description: 'A JSON Schema of what fills it: the variables that it declares, its hotspots and placeholders.',
  parameters: { id },
  answers: [json('The schema', 'VariablesSchema', VARIABLES_SCHEMA)],
  errors: ['template_not_found'],
};

export const replaceTemplate: Operation = {
  ...writes,
  id: 'replaceTemplate',
  method: 'PUT',
  path: '/v1/templates/{id}',
  summary: 'Replace a template',
  description:
    'Saves the record as the next version, and publishes it unless publish is false. With If-Match, only if nobody else has saved a version since.',
  parameters: { id },
  query: publishQuery,
  headers: ['If-Match'],
  exampleHeaders: { 'If-Match': '"1"' },
  body: record,
  answers: [one],
  errors: ['template_not_found', 'version_conflict'],
};

export const deleteTemplate: Operation = {
  ...writes,
  id: 'deleteTemplate',
  method: 'DELETE',
  path: '/v1/templates/{id}',
  summary: 'Delete a template',
  description: 'Deletes all versions. Renders of it answer 404 from then on.',
  parameters: { id },
  headers: ['If-Match'],
  answers: [{ status: 204, description: 'It is deleted' }],
  errors: ['invalid_request', 'template_not_found', 'version_conflict'],
};

export const listVersions: Operation = {
  ...reads,
  id: 'listTemplateVersions',
  path: '/v1/templates/{id}/versions',
  summary: 'List the versions of a template',
  description: 'Newest first. The latest 100 versions and the published one are kept.',
  parameters: { id },
  query: listQuery,
  answers: [page('TemplateVersionPage', VERSION_SUMMARY)],
  errors: ['invalid_request', 'template_not_found'],
};

export const getVersion: Operation = {
  ...reads,
  id: 'getTemplateVersion',
  path: '/v1/templates/{id}/versions/{n}',
  summary: 'Get one version of a template',
  description: 'With its record. A version never changes.',
  parameters: { id, n: { description: 'the version: 1, 2, …', example: '1' } },
  headers: ['If-None-Match'],
  answers: [json('The version', 'TemplateVersion', VERSION, ['ETag']), unchanged],
  errors: ['template_not_found'],
};

export const restoreVersion: Operation = {
  ...writes,
  id: 'restoreTemplateVersion',
  method: 'POST',
  path: '/v1/templates/{id}/restore',
  summary: 'Restore a version',
  description: 'Makes a new version that equals an old one, and publishes it unless publish is false.',
  parameters: { id },
  query: publishQuery,
  headers: ['If-Match'],
  body: version,
  answers: [one],
  errors: ['template_not_found', 'version_conflict'],
};

export const publishVersion: Operation = {
  ...writes,
  id: 'publishTemplateVersion',
  method: 'POST',
  path: '/v1/templates/{id}/publish',
  summary: 'Publish a version',
  description: 'Renders use this version from now on. It may be an old one.',
  parameters: { id },
  headers: ['If-Match'],
  body: version,
  answers: [one],
  errors: ['template_not_found', 'version_conflict'],
};
