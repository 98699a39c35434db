// Serves what previews need from the server: `asset?url=` gives a file that a render would load, `fonts` lists the files of
// FONTS_DIR, and `verify` renders without charging.
import { sniffAsset, unknownAsset } from '../../assets/inspect.js';
import type { AssetFailure } from '../../assets/prefetch.js';
import { mimeTypeOf } from '../../codecs/codec.js';
import { parseRequest, type RenderRequest } from '../../contract/api/request.js';
import {
  type FontAnswer,
  parseAssetQuery,
  parseBody,
  type VerifyAnswer,
  type VerifyBody,
  verifyBody,
} from '../../contract/dashboard.js';
import { limitWarnings } from '../../contract/messages/issues.js';
import { checkSize, checkTemplate } from '../../contract/template/parse.js';
import { isTemplate } from '../../contract/template/record-layers.js';
import { unknownInRequest } from '../../contract/unknown-fields.js';
import { CodedError, type Detail, RenderError, ServiceError, type Warning } from '../../errors.js';
import { engineCall } from '../../service/charged-render.js';
import { rateLimited } from '../../service/checks.js';
import { base64Answer, jsonAnswer } from '../../service/http/answer.js';
import { findBrandOf } from '../../service/operations/find-brand.js';
import { findTemplateOf } from '../../service/operations/find-template.js';
import type { FoundBrand } from '../../service/render/call.js';
import type { Answer } from '../../service/request.js';
import { SlidingWindowLimiter } from '../../store/sliding-window.js';
import type { Workspace } from '../../store/types.js';
import { type AdminRoutes, type DashboardOptions, type OperatorRequest, operator, visibleWorkspace } from '../route.js';

/** Renders that one operator may start within 60 seconds. */
const MAX_VERIFICATIONS = 10;
/** Room for the rest of a body beside its payload. */
const ENVELOPE_BYTES = 16 * 1024;

export function previewRoutes(options: DashboardOptions): AdminRoutes {
  const { engine, settings, userFonts, clock = () => performance.now() } = options;
  const verifications = new SlidingWindowLimiter(clock);

  const countVerification = ({ operator: { id }, context }: OperatorRequest) => {
    const rate = verifications.count(id, MAX_VERIFICATIONS);
    if (rate.allowed) return;
    const { error, retryAfter } = rateLimited(rate);
    context.headers.set('Retry-After', String(retryAfter));
    throw error;
  };

  return {
    asset: {
      GET: operator('viewer', async (request) => {
        const { workspace: id, url } = parseAssetQuery(request.query);
        // files of the web need no workspace
        const workspace = id === undefined ? undefined : await visibleWorkspace(request, id, options);
        const { request: sent, assetFailures } = request.context;
        const call = {
          workspaceId: workspace?.id,
          owner: workspace?.id ?? request.operator.id,
          timeoutMs: settings.RENDER_TIMEOUT_MS,
          signal: sent.signal,
          onAssetFailure: (failure: AssetFailure) => void assetFailures.push(failure),
        };
        const file = await engine.fetchAsset(url, call).catch((error) => {
          throw badUrl(error);
        });
        sent.signal.throwIfAborted();
        const { bytes } = file;
        if (sniffAsset(file) === undefined) throw new ServiceError('unsupported_media_type', unknownAsset(bytes));
        return fileAnswer(bytes);
      }),
    },
    fonts: {
      GET: operator('viewer', async () => {
        const items = userFonts.map(({ bytes: _bytes, ...font }): FontAnswer => font);
        return jsonAnswer(200, { items });
      }),
    },
    'fonts/{n}': {
      GET: operator('viewer', async ({ parameters: { n } }) => {
        const font = /^\d{1,6}$/.test(n) ? userFonts[Number(n)] : undefined;
        if (!font) throw new ServiceError('not_found', 'there is no font of this number');
        return fileAnswer(font.bytes);
      }),
    },
    verify: {
      POST: operator(
        'editor',
        async (request) => {
          countVerification(request);
          const body = parseBody(verifyBody, await request.json());
          const workspace = await visibleWorkspace(request, body.workspaceId, options);
          const brand = await findBrandOf(workspace.id, options.store);
          const { payload, record, warnings } = await readPayload(body, workspace, brand, options);
          const image = await engine.verify(
            payload,
            record,
            engineCall({ ...request, caller: { workspace } }, options, brand),
          );
          request.context.request.signal.throwIfAborted();
          request.context.format = image.format;
          const answer: Omit<VerifyAnswer, 'base64'> = {
            pixelsSha256: image.pixelsSha256,
            format: image.format,
            mimeType: mimeTypeOf(image.format),
            width: image.width,
            height: image.height,
            sizeBytes: image.bytes.length,
            durationMs: Math.round(performance.now() - request.context.startedAt),
            timings: Object.fromEntries(image.timings.map(([stage, ms]) => [stage, Math.round(ms * 1000) / 1000])),
            warnings: limitWarnings(warnings, image.warnings),
          };
          return base64Answer(answer, image.bytes);
        },
        { maxBodyBytes: settings.MAX_BODY_BYTES + ENVELOPE_BYTES },
      ),
    },
  };
}

/**
 * Answers with the file as bytes that no browser displays or runs, since an SVG may contain scripts. The file's media type is
 * left out: the page that draws it looks at the content.
 */
function fileAnswer(bytes: Uint8Array): Answer {
  const headers = new Map([
    ['Content-Type', 'application/octet-stream'],
    ['Content-Disposition', 'attachment'],
  ]);
  return { status: 200, headers, body: bytes, length: bytes.length };
}

/** An invalid URL in a payload fails the render; here it is a fault of the request. */
function badUrl(error: unknown): unknown {
  if (!(error instanceof CodedError) || error.code !== 'render_failed') return error;
  const details: Detail[] = [{ code: 'invalid_url', path: 'url', message: error.message }];
  return new RenderError('invalid_request', `url: ${error.message}`, { details, cause: error });
}

interface VerifiedPayload {
  readonly payload: RenderRequest;
  /** The template's record. */
  readonly record: unknown;
  /** Warnings about fields of the request itself. */
  readonly warnings: readonly Warning[];
}

/** Reads what to render: an unsaved template, or a body of `POST /v1/render`. */
async function readPayload(
  { payload: body, variables, size }: VerifyBody,
  workspace: Workspace,
  brand: FoundBrand | undefined,
  { store, settings: { MAX_LAYERS: maxLayers } }: DashboardOptions,
): Promise<VerifiedPayload> {
  if (isTemplate(body)) {
    checkTemplate(body, { maxLayers });
    if (size !== undefined) checkSize(body, size);
    const payload = parseRequest({ templateId: 'unsaved', variables: variables ?? {}, size }, { maxLayers });
    return { payload, record: body, warnings: [] };
  }
  const payload = parseRequest(body, { maxLayers });
  const isIgnored = variables !== undefined && Object.keys(variables).length > 0;
  const ignored: Warning = {
    code: 'no_effect',
    path: 'variables',
    message: 'are ignored: the payload is no template (it has no hotspots)',
  };
  const warnings = limitWarnings(isIgnored ? [ignored] : [], unknownInRequest(body, payload.kind));
  if (payload.kind === 'canvas') return { payload, record: undefined, warnings };
  const { record } = await findTemplateOf(payload, workspace.id, store, undefined, brand);
  return { payload, record, warnings };
}
