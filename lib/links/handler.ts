// `createImageHandler` serves signed image links from any server, from a Request to a Response.
import { ERRORS } from '../contract/api/errors.js';
import { matchesNone } from '../contract/api/headers.js';
import { definedFields } from '../contract/json/defined-fields.js';
import type { Template } from '../contract/payload.js';
import { CodedError, RenderError, ServiceError } from '../errors.js';
import {
  cacheControl,
  IMAGE_FORMATS,
  readFields,
  readSignature,
  redirectOf,
  type SignedLink,
  verifyLink,
} from './link.js';
import { type ImageHandler, type ImageHandlerOptions, maxAgeOf, type RenderTemplate } from './options.js';
import { publicKeyOf } from './sign.js';

/** The last segment of the path: the template's id and the format. */
const FILE = new RegExp(`/([^/]+)\\.(${IMAGE_FORMATS.join('|')})$`);

export function createHandler(options: ImageHandlerOptions, render: RenderTemplate): ImageHandler {
  const { templates, key } = options;
  const maxAge = maxAgeOf(options);
  const renderImage: RenderTemplate = options.renderer
    ? (template, callOptions) => options.renderer!.render(template, callOptions)
    : render;
  const publicKey = publicKeyOf(key);
  // every request awaits it, and rejects with its error
  publicKey.catch(() => {});

  async function findTemplate(id: string): Promise<Template> {
    const found =
      typeof templates === 'function' ? await templates(id) : Object.hasOwn(templates, id) ? templates[id] : undefined;
    if (found === undefined) throw new RenderError('template_not_found', 'there is no template with this id');
    return found;
  }

  async function imageOf(link: SignedLink, file: readonly string[], { headers, signal }: Request): Promise<Response> {
    const fields = readFields(link, Date.now());
    const template = await findTemplate(decodeId(file[1]));
    const { variables, quality, theme, locale } = fields;
    const format = file[2] as (typeof IMAGE_FORMATS)[number];
    const { bytes, mimeType } = await renderImage(template, {
      ...{ variables, quality, format, signal },
      ...definedFields({ theme, locale }),
    });
    const tag = `"${await sha256(bytes)}"`;
    const cacheHeaders = { ETag: tag, 'Cache-Control': cacheControl(maxAge, fields, Date.now()), ...COMMON_HEADERS };
    if (matchesNone(headers.get('If-None-Match') ?? undefined, tag)) {
      return new Response(null, { status: 304, headers: cacheHeaders });
    }
    return new Response(bytes, {
      headers: { ...cacheHeaders, 'Content-Type': mimeType, 'Content-Length': String(bytes.length) },
    });
  }

  return async (request) => {
    const verifier = await publicKey;
    const { method } = request;
    const { pathname, search } = new URL(request.url);
    let fallback: string | undefined;
    let response: Response;
    try {
      if (method !== 'GET' && method !== 'HEAD') {
        throw new ServiceError('method_not_allowed', `${method} is not allowed here; allowed: GET, HEAD`);
      }
      const file = FILE.exec(pathname);
      if (!file) throw new ServiceError('not_found', 'there is nothing at this path');
      const link = readSignature(pathname + search);
      await verifyLink(link, verifier);
      fallback = redirectOf(link);
      response = await imageOf(link, file, request);
    } catch (error) {
      response = failed(error, fallback);
    }
    return method === 'HEAD' ? new Response(null, response) : response;
  };
}

const COMMON_HEADERS = { 'Access-Control-Allow-Origin': '*', 'X-Content-Type-Options': 'nosniff' };

/** The answer for an error; anything but a RenderError is unexpected, and its message is not for strangers. */
function failed(error: unknown, fallback: string | undefined): Response {
  const known =
    error instanceof CodedError ? error : new ServiceError('internal_error', 'an unexpected error', { cause: error });
  const headers: Record<string, string> = { 'Cache-Control': 'no-store', ...COMMON_HEADERS };
  if (fallback !== undefined) return new Response(null, { status: 302, headers: { ...headers, Location: fallback } });
  const { code, message, details } = known;
  if (code === 'method_not_allowed') headers.Allow = 'GET, HEAD';
  const body = { success: false, error: message, code, ...(details.length > 0 && { details }) };
  return Response.json(body, { status: ERRORS[code].status, headers });
}

function decodeId(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    throw new ServiceError('not_found', 'there is nothing at this path');
  }
}

/** base64url, as the service's entity tags have it. */
async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const text = btoa(String.fromCharCode(...digest));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
