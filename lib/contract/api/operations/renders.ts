// `POST /v1/render`, `POST /v1/inspect`, the render log and the workspace.
import { inspectQuery, renderQuery, rendersQuery } from '../query.js';
import { CANVAS, DOCUMENT, INSPECTION, PICTURE, RENDER, RENDER_ID, WORKSPACE } from './examples.js';
import { type AnswerHeader, json, type Operation, type OperationBody, page } from './operation.js';

const body: OperationBody = {
  mediaType: 'application/json',
  schemas: ['CanvasRequest', 'TemplateRequest'],
  description: 'Unknown fields are ignored, with a warning.',
  example: CANVAS,
};

const RENDER_HEADERS: readonly AnswerHeader[] = [
  'X-Render-Duration-Ms',
  'X-Canvas-Width',
  'X-Canvas-Height',
  'X-Service-Watermark',
  'X-Service-Credits-Remaining',
  'X-Service-Renders-Remaining',
  'X-Service-Alt',
  'X-Service-Metadata',
  'X-Service-Warnings',
  'X-Service-Render-Id',
  'Idempotency-Replayed',
  'ETag',
];

const RENDER_ERRORS: Operation['errors'] = [
  'credits_exhausted',
  'template_not_found',
  'idempotency_in_progress',
  'idempotency_mismatch',
  'render_failed',
  'asset_failed',
  'render_timeout',
];

export const render: Operation = {
  id: 'render',
  method: 'POST',
  path: '/v1/render',
  tag: 'Render',
  summary: 'Render one image',
  description:
    'A canvas with layers, or a saved template with variables. Each answer of 200 takes the cost of a render from the credits of the workspace that owns the key. A request with an Idempotency-Key is charged once in 24 hours, however often it is sent.',
  scope: 'render:write',
  window: 'render',
  query: renderQuery,
  headers: ['Idempotency-Key'],
  body,
  exampleHeaders: { 'Idempotency-Key': 'order-42' },
  answers: [
    {
      status: 200,
      description: 'The picture: JSON for responseType json and base64, the bytes themselves for binary.',
      schema: 'RenderResponse',
      example: PICTURE,
      isPicture: true,
      headers: RENDER_HEADERS,
    },
  ],
  errors: RENDER_ERRORS,
};

export const renderDocument: Operation = {
  id: 'renderDocument',
  method: 'POST',
  path: '/v1/documents',
  tag: 'Documents',
  summary: 'Render a document',
  description:
    'An SVG or a PDF of a canvas with layers, or of a saved template with variables; or a PDF of several such pages. Everything else is as in POST /v1/render, but that each error has a code, and that the answer is the file itself unless responseType says otherwise. It costs a render for each page, those included that a group with paginate adds. With ?dryRun=true it is inspected, and takes no credits.',
  scope: 'render:write',
  window: 'render',
  query: renderQuery,
  headers: ['Idempotency-Key'],
  body: {
    ...body,
    schemas: ['DocumentCanvasRequest', 'DocumentTemplateRequest', 'DocumentPagesRequest'],
    example: { ...CANVAS, format: 'svg' },
  },
  exampleHeaders: { 'Idempotency-Key': 'order-43' },
  answers: [
    {
      status: 200,
      description: 'The document: the bytes themselves for binary, JSON for responseType json and base64.',
      schema: 'RenderResponse',
      example: DOCUMENT,
      isDocument: true,
      headers: [...RENDER_HEADERS, 'X-Service-Pages'],
    },
  ],
  errors: RENDER_ERRORS,
};

export const inspect: Operation = {
  id: 'inspect',
  method: 'POST',
  path: '/v1/inspect',
  tag: 'Inspection',
  summary: 'Inspect a payload',
  description:
    'What a render of the same body would draw, without drawing it: the boxes of the layers, the lines and fonts of texts, the shown parts of images. Images and fonts are fetched. It takes no credits, whatever the balance, and leaves no entry in the render log.',
  scope: 'render:write',
  window: 'render',
  query: inspectQuery,
  body,
  answers: [json('The layers as they would be drawn', 'Inspection', INSPECTION)],
  errors: ['template_not_found', 'render_failed', 'asset_failed', 'render_timeout'],
};

export const listRenders: Operation = {
  id: 'listRenders',
  method: 'GET',
  path: '/v1/renders',
  tag: 'Render log',
  summary: 'List renders',
  description:
    'The render log of the workspace, newest first: renders that were charged or replayed, and those that failed with 402, 404, 422 or 5xx except 503. A filtered page may have fewer entries than limit, and a cursor to go on.',
  scope: 'render:read',
  window: 'read',
  query: rendersQuery,
  exampleQuery: 'status=ok&limit=10',
  answers: [page('RenderPage', RENDER)],
  errors: ['invalid_request'],
};

export const getRender: Operation = {
  id: 'getRender',
  method: 'GET',
  path: '/v1/renders/{id}',
  tag: 'Render log',
  summary: 'Get one render',
  description: 'One entry of the render log. It has no picture: pictures are not stored.',
  scope: 'render:read',
  window: 'read',
  parameters: { id: { description: 'as in renderId and X-Service-Render-Id', example: RENDER_ID } },
  answers: [json('The entry', 'RenderEntry', RENDER)],
  errors: ['render_not_found'],
};

export const getWorkspace: Operation = {
  id: 'getWorkspace',
  method: 'GET',
  path: '/v1/workspace',
  tag: 'Workspace',
  summary: 'Get the workspace of the key',
  description: 'Its credits, and the limits of the key that asks.',
  window: 'read',
  answers: [json('The workspace', 'Workspace', WORKSPACE)],
  errors: [],
};
