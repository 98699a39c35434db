// The dashboard, which answers at `/dashboard` and below as soon as an operator exists.
import { definedFields } from '../contract/json/defined-fields.js';
import { ServiceError } from '../errors.js';
import { emptyAnswer } from '../service/http/answer.js';
import {
  type Answer,
  createContext,
  type RequestContext,
  type RequestOutcome,
  type Service,
} from '../service/request.js';
import { createRouter } from '../service/router.js';
import { adminTable } from './admin.js';
import { auditRoutes } from './api/audit.js';
import { contentRoutes } from './api/content.js';
import { creditRoutes } from './api/credits.js';
import { keyRoutes } from './api/keys.js';
import { linkRoutes } from './api/links.js';
import { operatorRoutes } from './api/operators.js';
import { previewRoutes } from './api/preview.js';
import { type SessionOptions, sessionRoutes } from './api/session.js';
import { workspaceRoutes } from './api/workspaces.js';
import { type FailedAnswer, failureOf } from './errors.js';
import { createGuards } from './guards.js';
import { withSafeHeaders } from './headers.js';
import type { AdminRoutes, DashboardOptions } from './route.js';
import { createKnownBrowsers } from './sign-in/known-browsers.js';
import { createSessions } from './sign-in/sessions.js';
import { listFiles } from './static/files.js';
import { pageTable, readManifest } from './static/pages.js';

export function adminRoutes(options: DashboardOptions, session: SessionOptions): AdminRoutes {
  return {
    ...sessionRoutes(options, session),
    ...operatorRoutes(options),
    ...workspaceRoutes(options),
    ...keyRoutes(options),
    ...linkRoutes(options),
    ...creditRoutes(options),
    ...contentRoutes(options),
    ...auditRoutes(options),
    ...previewRoutes(options),
  };
}

export type { DashboardOptions } from './route.js';

/** Milliseconds for which the store isn't asked again whether an operator exists. */
const FRESH_MS = 1000;

export function createDashboard(options: DashboardOptions): Service {
  const { settings, store, port } = options;
  const guards = createGuards(settings, port);
  const isSecure = settings.DASHBOARD_ORIGIN?.startsWith('https:') ?? false;
  const sessions = createSessions(store, isSecure);
  const browsers = createKnownBrowsers(isSecure);
  const manifest = readManifest();
  const files = listFiles(manifest?.workers ?? []);
  const route = createRouter(
    {
      '/dashboard': { GET: () => emptyAnswer(308, [['Location', '/dashboard/']]) },
      ...pageTable(manifest),
      ...adminTable(adminRoutes(options, { sessions, browsers }), { options, guards, sessions }),
    },
    { preflight: false },
  );
  let hadOperatorsAt = Number.NEGATIVE_INFINITY;

  const hasOperators = async (): Promise<boolean> => {
    if (settings.DASHBOARD === 'off') return false;
    if (performance.now() - hadOperatorsAt < FRESH_MS) return true;
    if (!(await store.hasOperators())) return false;
    hadOperatorsAt = performance.now();
    return true;
  };

  const answer = async (context: RequestContext): Promise<Answer> => {
    const { request } = context;
    if (!(await hasOperators())) throw new ServiceError('not_found', 'there is nothing at this path');
    guards.checkHost(request);
    const file = files.get(request.path);
    if (!file) return await route(context);
    context.route = file.route;
    if (request.method === 'GET' || request.method === 'HEAD') return await file.answer(request);
    context.headers.set('Allow', 'GET, HEAD');
    throw new ServiceError('method_not_allowed', `${request.method} is not allowed here; allowed: GET, HEAD`);
  };

  return async (request) => {
    const context = createContext(request);
    try {
      return outcomeOf(context, await answer(context));
    } catch (error) {
      const failure = failureOf(error, context);
      return outcomeOf(context, failure.answer, failure);
    }
  };
}

function outcomeOf(context: RequestContext, answer: Answer, failure?: FailedAnswer): RequestOutcome {
  const { requestId, route, headers, operatorId, workspaceId, format, assetFailures } = context;
  const withOwn = { ...answer, headers: new Map([...answer.headers, ...headers]) };
  return {
    requestId,
    ...definedFields({ route, code: failure?.code, operatorId, workspaceId, format, cause: failure?.cause }),
    answer: withSafeHeaders(withOwn, requestId),
    ...(assetFailures.length > 0 && { assetFailures }),
  };
}
