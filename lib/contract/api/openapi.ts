// Generates the OpenAPI 3.1 document of the service. Fields, bounds and defaults come from the zod schemas, statuses and codes
// from the table of errors.
import type { ErrorCode } from '../../errors.js';
import { canvasRequestWithLayers, LAYER_COMPONENTS, namedJsonSchemas } from '../json-schema.js';
import { ERRORS } from './errors.js';
import { templateRequest } from './request.js';
import { detail, errorBody, paywallBody, renderResponse } from './response.js';

type Json = Record<string, unknown>;

const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: string) => ({ 'application/json': { schema: reference(name) } });
const header = (description: string, type = 'string') => ({ description, schema: { type } });

/** The named schemas, referring to each other by `#/components/schemas/…`. */
function components(): Json {
  const named = {
    CanvasRequest: canvasRequestWithLayers,
    TemplateRequest: templateRequest,
    ...LAYER_COMPONENTS,
    RenderResponse: renderResponse,
    Detail: detail,
    Error: errorBody,
    PaywallError: paywallBody,
  };
  return namedJsonSchemas(named, (id) => reference(id).$ref);
}

/** One response per error status, with the codes that it may have. */
function errorResponses(): Json {
  const codesOf = new Map<number, string[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    const { status, wire, when } = ERRORS[code];
    const line = `${code}${wire ? '' : ' (sent without code)'}: ${when}`;
    codesOf.set(status, [...(codesOf.get(status) ?? []), line]);
  }
  const retries = new Set([429, 503]);
  return Object.fromEntries(
    [...codesOf].map(([status, codes]) => [
      String(status),
      {
        description: codes.join('\n\n'),
        ...(retries.has(status) ? { headers: { 'Retry-After': header('Seconds to wait', 'integer') } } : {}),
        content: json(status === ERRORS.credits_exhausted.status ? 'PaywallError' : 'Error'),
      },
    ]),
  );
}

const IMAGE_HEADERS = {
  'X-Render-Duration-Ms': header('Server-side render time', 'number'),
  'X-Canvas-Width': header('Width in pixels', 'integer'),
  'X-Canvas-Height': header('Height in pixels', 'integer'),
  'X-Service-Watermark': header('Whether the picture carries a watermark', 'boolean'),
  'X-Service-Credits-Remaining': header('Credit balance after this render', 'number'),
  'X-Service-Renders-Remaining': header('Renders left at the standard cost', 'integer'),
  'X-Service-Metadata': header('The request’s metadata as percent-encoded JSON, when 4 KiB or less'),
  'X-Service-Warnings': header(
    'How many warnings there are, at most 100; absent when none. responseType json gives them in full',
    'integer',
  ),
};

/** The HTTP server's own answer, to any operation. */
const HEADERS_TOO_LARGE = { description: 'More than 100 headers, or more than 16 KiB of them; the body is empty' };

/** A health check; its answer 503 says why it fails. */
function probe(operationId: string, summary: string, whyNot: string): Json {
  const answer = (description: string) => ({
    description,
    content: { 'application/json': { schema: { type: 'object', properties: { status: { type: 'string' } } } } },
  });
  const refused = { ...answer(whyNot), headers: { 'Retry-After': header('Seconds to wait', 'integer') } };
  const responses = { '200': answer('ok'), '431': HEADERS_TOO_LARGE, '503': refused };
  return { get: { operationId, summary, security: [], responses } };
}

/** The OpenAPI 3.1 document of the service, a fresh plain object each time. */
export function openapi(): Json {
  const picture = { schema: { type: 'string', contentMediaType: 'application/octet-stream' } };
  return {
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
    paths: {
      '/v1/render': {
        post: {
          operationId: 'render',
          summary: 'Render one image',
          description:
            'A canvas with layers, or a saved template with variables. Each answer of 200 takes the cost of a render from the credits of the workspace that owns the key.',
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: { oneOf: [reference('CanvasRequest'), reference('TemplateRequest')] } },
            },
          },
          responses: {
            '200': {
              description: 'The picture: JSON for responseType json and base64, the bytes themselves for binary.',
              headers: IMAGE_HEADERS,
              content: {
                ...json('RenderResponse'),
                ...Object.fromEntries(['png', 'jpeg', 'webp', 'avif'].map((format) => [`image/${format}`, picture])),
              },
            },
            ...errorResponses(),
            '431': HEADERS_TOO_LARGE,
          },
        },
      },
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
      schemas: components(),
    },
  };
}
