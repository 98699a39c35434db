// Puts the guards before the routes of the admin API: site → session → role → workspace → body.
import { ServiceError } from '../errors.js';
import type { Tenant } from '../service/admission/index.js';
import { admitBody, readBody, readJson, tenantOf } from '../service/checks.js';
import type { Answer, RequestContext } from '../service/request.js';
import type { Handler, PathParameters, RouteTable } from '../service/router.js';
import type { Operator } from '../store/operator-store.js';
import { DashboardError } from './errors.js';
import type { Guards } from './guards.js';
import {
  type AdminRoute,
  type AdminRoutes,
  type DashboardOptions,
  type DashboardRequest,
  hasRole,
  visibleWorkspace,
} from './route.js';
import type { Sessions } from './sign-in/sessions.js';

interface AdminOptions {
  readonly options: DashboardOptions;
  readonly guards: Guards;
  readonly sessions: Sessions;
}

/** Turns the routes into request handlers, keyed by their full path. */
export function adminTable(routes: AdminRoutes, parts: AdminOptions): RouteTable {
  return Object.fromEntries(
    Object.entries(routes).map(([pattern, methods]) => [
      `/dashboard/api/${pattern}`,
      Object.fromEntries(Object.entries(methods).map(([method, route]) => [method, guarded(route, parts)])),
    ]),
  );
}

function guarded(route: AdminRoute, { options, guards, sessions }: AdminOptions): Handler {
  return async (context, parameters) => {
    guards.checkSite(context.request);
    if (route.access === 'anyone') return await withBody(route, { context, parameters }, undefined, options, route.run);
    const who = await signedIn(context, sessions);
    context.operatorId = who.id;
    if (!hasRole(who, route.role)) {
      throw new DashboardError('forbidden', `this takes the role ${route.role}; yours is ${who.role}`);
    }
    if (route.access === 'operator') {
      const own = { id: who.id, weight: 1 };
      return await withBody(route, { context, parameters }, own, options, (request) =>
        route.run({ ...request, operator: who }),
      );
    }
    const workspace = await visibleWorkspace({ operator: who, context }, parameters.workspace, options);
    const tenant = tenantOf(workspace, options.settings);
    return await withBody(route, { context, parameters }, tenant, options, (request) =>
      route.run({ ...request, operator: who, workspace }),
    );
  };
}

async function signedIn(context: RequestContext, sessions: Sessions): Promise<Operator> {
  const operator = await sessions.find(context.request);
  if (!operator) throw new DashboardError('signed_out', 'there is no session, or it has ended: sign in');
  return operator;
}

/** Runs a route and gives it access to the request's body. */
async function withBody(
  { maxBodyBytes }: AdminRoute,
  { context, parameters }: { readonly context: RequestContext; readonly parameters: PathParameters },
  tenant: Tenant | undefined,
  options: DashboardOptions,
  run: (request: DashboardRequest) => Promise<Answer>,
): Promise<Answer> {
  const { request } = context;
  const permit = maxBodyBytes === undefined ? undefined : admitBody(context, maxBodyBytes, tenant, options);
  const limit = maxBodyBytes ?? 0;
  try {
    return await run({
      context,
      parameters,
      query: new URLSearchParams(request.query),
      permit,
      body: () => readBody(context, limit),
      async json() {
        const type = request.header?.('content-type') ?? 'none';
        if (!/^application\/json *(;|$)/i.test(type)) {
          const received = JSON.stringify(type.slice(0, 40));
          throw new ServiceError(
            'unsupported_media_type',
            `received Content-Type ${received}, expected application/json`,
          );
        }
        return await readJson(context, limit);
      },
    });
  } finally {
    permit?.release();
  }
}
