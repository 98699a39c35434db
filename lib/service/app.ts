// The API as a function from request to answer. It knows nothing of sockets, so every rule can be tested without one.
import { definedFields } from '../contract/json/defined-fields.js';
import { openapi } from '../contract/openapi.js';
import type { CodedError } from '../errors.js';
import { audited } from '../store/audited.js';
import { createGuide } from './docs/guide.js';
import { docsAnswer } from './docs/page.js';
import { toRenderError } from './failure.js';
import { createHealth } from './health.js';
import { COMMON_HEADERS, errorAnswer, jsonAnswer, withHeaders } from './http/answer.js';
import { createHandler, type ServiceOperation, type WorkspaceOperation } from './operation.js';
import { addAsset, deleteAsset, getAsset, listAssets } from './operations/assets.js';
import { batchOperation } from './operations/batches.js';
import { getBrand, replaceBrand } from './operations/brand.js';
import { listFonts } from './operations/fonts.js';
import { imageHandler } from './operations/images.js';
import { inspectOperation } from './operations/inspect.js';
import { renderOperation } from './operations/render.js';
import { getRender, listRenders } from './operations/renders.js';
import {
  getTemplateVersion,
  listTemplateVersions,
  publishTemplate,
  restoreTemplate,
} from './operations/template-versions.js';
import { createTemplate, deleteTemplate, replaceTemplate } from './operations/template-writes.js';
import { getTemplate, getVariablesSchema, listTemplates } from './operations/templates.js';
import { getWorkspace } from './operations/workspace.js';
import {
  type Answer,
  createContext,
  type RequestContext,
  type RequestOutcome,
  type Service,
  type ServiceOptions,
} from './request.js';
import { createRouter, type Handler, type RouteTable } from './router.js';
import { isVisitor, visitorPage } from './visitor-page.js';

/** Retry-After of every 503 answer, in seconds. */
const RETRY_AFTER_SECONDS = 1;

export function createService(options: ServiceOptions): Service {
  const route = createRouter(createRoutes(options));
  const guide = createGuide();
  return async (request) => {
    const context = createContext(request);
    try {
      const answer = await (guide(context) ?? route(context));
      return outcomeOf(context, answer, context.failure);
    } catch (error) {
      const failure = toRenderError(error);
      if (failure.code === 'not_found' && context.route === undefined && isVisitor(request)) {
        const page = visitorPage(request.path, { hasDashboard: options.settings.DASHBOARD === 'on' });
        return outcomeOf(context, page, request.path === '/' ? undefined : failure);
      }
      // proxies must not keep the errors of image links, also those that come before their operation
      if (request.path.startsWith(IMAGES_PATH)) context.headers.set('Cache-Control', 'no-store');
      return outcomeOf(context, failureAnswer(failure, context), failure);
    }
  };
}

const INSPECT_ROUTE = '/v1/inspect';
const IMAGES_PATH = '/v1/images/';

/** Renders, or with `?dryRun=true` inspects, which log and metrics then see as that operation. */
function withDryRun(render: Handler, inspect: Handler): Handler {
  return (context, parameters) => {
    const values = new URLSearchParams(context.request.query).getAll('dryRun');
    if (values.length !== 1 || values[0] !== 'true') return render(context, parameters);
    context.route = INSPECT_ROUTE;
    return inspect(context, parameters);
  };
}

function createRoutes(options: ServiceOptions): RouteTable {
  const health = createHealth(options);
  let description: Answer | undefined;
  const describe = () => {
    description ??= { ...jsonAnswer(200, openapi()), isShared: true };
    return description;
  };
  const operation = (definition: ServiceOperation) => createHandler(definition, options);
  /** An operation that changes something: the audit log gets what the key does. */
  const change = (define: (options: ServiceOptions) => WorkspaceOperation) => {
    const run: ServiceOperation['run'] = (call) => {
      const store = audited(options.store, { kind: 'key', name: call.caller.key.id });
      return define({ ...options, store }).run(call);
    };
    return operation({ ...define(options), run });
  };
  const inspect = operation(inspectOperation(options, 'picture'));
  const inspectDocument = operation(inspectOperation(options, 'document'));
  return {
    '/v1/render': { POST: withDryRun(operation(renderOperation(options, 'picture')), inspect) },
    '/v1/documents': { POST: withDryRun(operation(renderOperation(options, 'document')), inspectDocument) },
    [INSPECT_ROUTE]: { POST: inspect },
    '/v1/batches': { POST: operation(batchOperation(options)) },
    '/v1/renders': { GET: operation(listRenders(options)) },
    '/v1/renders/{id}': { GET: operation(getRender(options)) },
    '/v1/templates': { GET: operation(listTemplates(options)), POST: change(createTemplate) },
    '/v1/templates/{id}': {
      GET: operation(getTemplate(options)),
      PUT: change(replaceTemplate),
      DELETE: change(deleteTemplate),
    },
    '/v1/templates/{id}/schema': { GET: operation(getVariablesSchema(options)) },
    '/v1/templates/{id}/versions': { GET: operation(listTemplateVersions(options)) },
    '/v1/templates/{id}/versions/{n}': { GET: operation(getTemplateVersion(options)) },
    '/v1/templates/{id}/restore': { POST: change(restoreTemplate) },
    '/v1/templates/{id}/publish': { POST: change(publishTemplate) },
    '/v1/images/{templateId}.{format}': { GET: imageHandler(options) },
    '/v1/assets': { GET: operation(listAssets(options)), POST: change(addAsset) },
    '/v1/assets/{id}': { GET: operation(getAsset(options)), DELETE: change(deleteAsset) },
    '/v1/brand': { GET: operation(getBrand(options)), PUT: change(replaceBrand) },
    '/v1/fonts': { GET: operation(listFonts(options)) },
    '/v1/workspace': { GET: operation(getWorkspace(options)) },
    '/healthz': { GET: health.alive },
    '/readyz': { GET: health.ready },
    '/openapi.json': { GET: describe },
    '/docs': { GET: docsAnswer },
  };
}

function failureAnswer(failure: CodedError, context: RequestContext): Answer {
  const answer = errorAnswer(failure, context);
  return answer.status === 503 ? withHeaders(answer, [['Retry-After', String(RETRY_AFTER_SECONDS)]]) : answer;
}

function outcomeOf(context: RequestContext, answer: Answer, failure?: CodedError): RequestOutcome {
  const { requestId, route, headers, caller, format, batch, assetFailures } = context;
  return {
    requestId,
    ...definedFields({ route, code: failure?.code, format, batch }),
    answer: withHeaders(answer, [...COMMON_HEADERS, ['X-Request-Id', requestId], ...headers]),
    ...(caller && { keyId: caller.key.id, workspaceId: caller.workspace.id }),
    ...((batch || assetFailures.length > 0) && { assetFailures }),
    ...(failure?.code === 'internal_error' && { cause: failure.cause ?? failure }),
  };
}
