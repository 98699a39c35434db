// Generates the OpenAPI 3.1 document of the service. Operations come from their table, fields, bounds and defaults from the
// zod schemas, statuses and codes from the table of errors.
import type * as z from 'zod';
import type { ErrorCode } from '../errors.js';
import { asciiLowercase } from '../unicode/ascii.js';
import { assetAnswer, assetPage } from './api/assets.js';
import { batchFailure, batchItems, batchLine, batchPicture, batchRows, batchSummary } from './api/batch.js';
import { brandAnswer, brandRecord } from './api/brand.js';
import { ERRORS } from './api/errors.js';
import { font, fontList, fontStyle } from './api/fonts.js';
import { inspectAnswer, inspectedLayer, inspectedLine } from './api/inspection.js';
import { linkedImage } from './api/operations/images.js';
import { OPERATIONS } from './api/operations/index.js';
import {
  ANSWER_HEADERS,
  errorsOf,
  header,
  type Operation,
  type OperationAnswer,
  type OperationBody,
  type OtherBody,
  RATE_HEADERS,
  REQUEST_HEADERS,
} from './api/operations/operation.js';
import { imageQuery, METADATA_PREFIX, rendersQuery, VARIABLE_PREFIX } from './api/query.js';
import { renderEntry, renderPage } from './api/renders.js';
import { documentPagesRequest, documentTemplateRequest, templateRequest } from './api/request.js';
import { detail, errorBody, paywallBody, renderResponse } from './api/response.js';
import {
  templateAnswer,
  templateHotspot,
  templatePage,
  templateSummary,
  variablesSchema,
  versionAnswer,
  versionBody,
  versionPage,
  versionSummary,
} from './api/templates.js';
import { workspaceAnswer } from './api/workspace.js';
import {
  canvasRequestWithLayers,
  documentCanvasRequestWithLayers,
  LAYER_COMPONENTS,
  namedJsonSchemas,
  TEMPLATE_COMPONENTS,
} from './json-schema.js';

type Json = Record<string, unknown>;

const reference = (name: string, kind = 'schemas') => ({ $ref: `#/components/${kind}/${name}` });

/** The named schemas, referring to each other by `#/components/schemas/…`. */
function components(): Json {
  const named = {
    CanvasRequest: canvasRequestWithLayers,
    TemplateRequest: templateRequest,
    DocumentCanvasRequest: documentCanvasRequestWithLayers,
    DocumentTemplateRequest: documentTemplateRequest,
    DocumentPagesRequest: documentPagesRequest,
    ...LAYER_COMPONENTS,
    RenderResponse: renderResponse,
    Inspection: inspectAnswer,
    InspectedLayer: inspectedLayer,
    InspectedLine: inspectedLine,
    BatchRows: batchRows,
    BatchItems: batchItems,
    BatchLine: batchLine,
    BatchPicture: batchPicture,
    BatchFailure: batchFailure,
    BatchSummary: batchSummary,
    RenderEntry: renderEntry,
    RenderPage: renderPage,
    ...TEMPLATE_COMPONENTS,
    Template: templateAnswer,
    VariablesSchema: variablesSchema,
    TemplateSummary: templateSummary,
    TemplatePage: templatePage,
    TemplateVersion: versionAnswer,
    TemplateVersionSummary: versionSummary,
    TemplateVersionPage: versionPage,
    TemplateVariable: templateHotspot,
    VersionBody: versionBody,
    Asset: assetAnswer,
    AssetPage: assetPage,
    BrandRecord: brandRecord,
    Brand: brandAnswer,
    FontList: fontList,
    Font: font,
    FontStyle: fontStyle,
    Workspace: workspaceAnswer,
    Detail: detail,
    Error: errorBody,
    PaywallError: paywallBody,
  };
  return namedJsonSchemas(named, (id) => reference(id).$ref);
}

function parametersOf({ parameters = {}, query, headers = [] }: Operation): Json[] {
  return [
    ...Object.entries(parameters).map(([name, { description, example }]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
      example,
    })),
    ...(query ? queryParameters(query) : []),
    ...headers.map((name) => reference(name, 'parameters')),
  ];
}

function queryParameters(query: z.ZodObject): Json[] {
  const { Query } = namedJsonSchemas({ Query: query }, (id) => id);
  const named = Object.entries(Query.properties as Readonly<Record<string, Json>>).map(
    ([name, { description, ...schema }]) => ({ name, in: 'query', description, schema }),
  );
  if (query === imageQuery) return [...named, VARIABLES_PARAMETER, SIGNATURE_PARAMETER];
  return query === rendersQuery ? [...named, METADATA_PARAMETER] : named;
}

/** An exploded object: each of its properties is a parameter of the query. */
const prefixedParameter = (name: string, prefix: string, description: string) => ({
  name,
  in: 'query',
  style: 'form',
  explode: true,
  description,
  schema: {
    type: 'object',
    patternProperties: { [`^${prefix.replace('.', '\\.')}`]: { type: 'string' } },
    additionalProperties: false,
  },
});

const METADATA_PARAMETER = prefixedParameter(
  'metadata',
  METADATA_PREFIX,
  `renders whose metadata has this field with this value, compared as text: ${METADATA_PREFIX}order=42`,
);
const VARIABLES_PARAMETER = prefixedParameter(
  'variables',
  VARIABLE_PREFIX,
  `the text of a variable of the template: ${VARIABLE_PREFIX}title=Hello`,
);
const SIGNATURE_PARAMETER = {
  name: 'signature',
  in: 'query',
  required: true,
  description: 'the last parameter: Ed25519 over the path and the query before it, base64url',
  schema: { type: 'string', pattern: '^[A-Za-z0-9_-]{86}$' },
};

function requestBody({ mediaType, schemas, description, example, others = [] }: OperationBody): Json {
  const [first, ...rest] = schemas.map((name) => reference(name));
  const schema = rest.length > 0 ? { oneOf: [first, ...rest] } : first;
  return {
    required: true,
    description,
    content: {
      [mediaType]: { ...(schema ? { schema } : BYTES), ...(example !== undefined && { example }) },
      ...otherContents(others),
    },
  };
}

/** Lines of JSON are described by the schema of one line: OpenAPI 3.1 has no other way. */
function otherContents(bodies: readonly OtherBody[]): Json {
  return Object.fromEntries(
    bodies.map(({ mediaType, lines, example }) => {
      const bytes = mediaType === 'text/csv' ? { schema: { type: 'string' } } : BYTES;
      return [
        mediaType,
        { ...(lines === undefined ? bytes : { schema: reference(lines) }), ...(example !== undefined && { example }) },
      ];
    }),
  );
}

const BYTES = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };
const DOCUMENTS = { 'image/svg+xml': { schema: { type: 'string' } }, 'application/pdf': BYTES };
const PICTURES = Object.fromEntries(['png', 'jpeg', 'webp', 'avif'].map((format) => [`image/${format}`, BYTES]));

function answerOf(
  { status, description, schema, example, isPicture, isDocument, streams = [], headers = [] }: OperationAnswer,
  isSigned = false,
): Json {
  // an image of a link has them if it was counted; 302 and 304 have none
  const rate = isSigned && status !== 200 ? [] : Object.keys(RATE_HEADERS);
  const content = {
    ...(schema !== undefined && { 'application/json': { schema: reference(schema), example } }),
    ...(isPicture && PICTURES),
    ...(isDocument && DOCUMENTS),
    ...otherContents(streams),
  };
  return {
    description,
    headers: Object.fromEntries([...headers, ...rate].map((name) => [name, reference(name, 'headers')])),
    ...(Object.keys(content).length > 0 && { content }),
  };
}

/** Returns a response for each error status, with its possible codes. */
function errorResponses(operation: Operation): Json {
  const isRender = operation.id === 'render';
  const { isSigned = false } = operation;
  const codesOf = new Map<number, ErrorCode[]>();
  for (const code of errorsOf(operation)) {
    const { status } = ERRORS[code];
    codesOf.set(status, [...(codesOf.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...codesOf]
      .sort(([a], [b]) => a - b)
      .map(([status, codes]) => {
        const lines = codes.map((code) => {
          const { wire, when } = ERRORS[code];
          const hasCode = wire || !isRender;
          return `${code}${hasCode ? '' : ' (sent without code)'}: ${when}`;
        });
        const hasRetry = [409, 429, 503].includes(status) && !codes.includes('asset_in_use');
        const schema = reference(status === ERRORS.credits_exhausted.status && !isSigned ? 'PaywallError' : 'Error');
        const answer = {
          description: lines.join('\n\n'),
          ...(hasRetry && { headers: { 'Retry-After': reference('Retry-After', 'headers') } }),
          content: { 'application/json': { schema } },
        };
        return [String(status), answer];
      }),
  );
}

/** The HTTP server's own answer, to any operation. */
const HEADERS_TOO_LARGE = { description: 'More than 100 headers, or more than 16 KiB of them; the body is empty' };

function describe(operation: Operation): Json {
  const { id, tag, summary, description, scope, body, answers, isSigned } = operation;
  const parameters = parametersOf(operation);
  const needs = isSigned ? 'Needs no API key.' : scope ? `Needs the scope ${scope}.` : 'Any valid key may call it.';
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: `${description}\n\n${needs}`,
    security: isSigned ? [] : [{ apiKey: scope ? [scope] : [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBody(body) }),
    responses: {
      ...Object.fromEntries(answers.map((answer) => [String(answer.status), answerOf(answer, isSigned)])),
      ...errorResponses(operation),
      '431': HEADERS_TOO_LARGE,
    },
  };
}

/** A health check; its answer 503 says why it fails. */
function probe(operationId: string, summary: string, whyNot: string): Json {
  const answer = (description: string) => ({
    description,
    content: { 'application/json': { schema: { type: 'object', properties: { status: { type: 'string' } } } } },
  });
  const refused = { ...answer(whyNot), headers: { 'Retry-After': reference('Retry-After', 'headers') } };
  const responses = { '200': answer('ok'), '431': HEADERS_TOO_LARGE, '503': refused };
  return { get: { operationId, tags: ['Health'], summary, security: [], responses } };
}

function paths(): Json {
  const described: Record<string, Json> = {};
  for (const operation of [...OPERATIONS, linkedImage]) {
    described[operation.path] = {
      ...described[operation.path],
      [asciiLowercase(operation.method)]: describe(operation),
    };
  }
  return described;
}

const TAGS = [
  { name: 'Render', description: 'Pictures from JSON' },
  { name: 'Documents', description: 'SVG and PDF' },
  { name: 'Inspection', description: 'What a render would draw' },
  { name: 'Batches', description: 'Many pictures for one request' },
  { name: 'Render log', description: 'What was rendered' },
  { name: 'Templates', description: 'Saved templates and their versions' },
  { name: 'Assets', description: 'Pictures and fonts of a workspace' },
  { name: 'Brand', description: 'Tokens, fonts and logos of a workspace' },
  { name: 'Fonts', description: 'Families that texts may name' },
  { name: 'Workspace', description: 'Credits and limits' },
  { name: 'Health', description: 'For load balancers and supervisors' },
];

/** The OpenAPI 3.1 document of the service, a fresh plain object each time. */
export function openapi(): Json {
  return structuredClone({
    openapi: '3.1.0',
    info: {
      title: 'Platen',
      version: '1.0.0',
      description: 'Renders an image from a saved template or from a canvas with layers, and returns it at once.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // relative to the address that the document came from
    servers: [{ url: '/', description: 'This server' }],
    security: [{ apiKey: [] }],
    tags: TAGS,
    paths: {
      ...paths(),
      '/healthz': probe('alive', 'Whether the server is alive, or should be restarted', 'starting, closing'),
      '/readyz': probe(
        'ready',
        'Whether the server should get requests now',
        'starting, storage_unavailable, draining, closing',
      ),
    },
    components: {
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description:
            'The header Authorization: Bearer <key>. A key is svc_live_ and 64 hexadecimal characters, belongs to one workspace and is shown once, when it is made.',
        },
      },
      parameters: Object.fromEntries(
        Object.entries(REQUEST_HEADERS).map(([name, description]) => [
          name,
          { name, in: 'header', description, schema: { type: 'string' } },
        ]),
      ),
      headers: { ...ANSWER_HEADERS, ...RATE_HEADERS, 'Retry-After': header('Seconds to wait', 'integer') },
      schemas: components(),
    },
  });
}
