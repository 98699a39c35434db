// Describes a route of the admin API: who may use it, and what it does. The guards read it, so no route can bypass them.
import type { Permit } from '../service/admission/index.js';
import type { DashboardParts } from '../service/compose.js';
import type { Answer, RequestContext } from '../service/request.js';
import type { PathParameters } from '../service/router.js';
import { audited } from '../store/audited.js';
import type { Operator, Role } from '../store/operator-store.js';
import type { Store, Workspace } from '../store/types.js';
import { workspaceNotFound } from './errors.js';

export interface DashboardOptions extends DashboardParts {
  readonly store: Store;
  /** Version of the program. */
  readonly version: string;
  /** Monotonic milliseconds; `performance.now` by default. */
  readonly clock?: () => number;
}

/** A request that passed the guards. */
export interface DashboardRequest {
  readonly context: RequestContext;
  readonly parameters: PathParameters;
  readonly query: URLSearchParams;
  /** Admits a large body; a render may use it. */
  readonly permit: Permit | undefined;
  /** Reads the body. */
  body(): Promise<Uint8Array>;
  /** Reads the body as JSON, which its Content-Type must name. */
  json(): Promise<unknown>;
}

/** A request by an operator who is signed in and has the role that the route needs. */
export interface OperatorRequest extends DashboardRequest {
  readonly operator: Operator;
}

/** A request for a workspace that the operator may see. */
export interface WorkspaceRequest extends OperatorRequest {
  readonly workspace: Workspace;
}

interface RouteOptions {
  /** Largest body in bytes. */
  readonly maxBodyBytes?: number;
}

/** A route that everyone may use, without a session. */
interface PublicRoute extends RouteOptions {
  readonly access: 'anyone';
  readonly run: (request: DashboardRequest) => Promise<Answer>;
}

interface OperatorRoute extends RouteOptions {
  readonly access: 'operator';
  /** The lowest role that may use the route. */
  readonly role: Role;
  readonly run: (request: OperatorRequest) => Promise<Answer>;
}

/** A route whose path has the parameter `{workspace}`. */
interface WorkspaceRoute extends RouteOptions {
  readonly access: 'workspace';
  readonly role: Role;
  readonly run: (request: WorkspaceRequest) => Promise<Answer>;
}

export type AdminRoute = PublicRoute | OperatorRoute | WorkspaceRoute;

export const anyone = (run: PublicRoute['run'], options: RouteOptions = {}): AdminRoute => {
  return { access: 'anyone', run, ...options };
};
export const operator = (role: Role, run: OperatorRoute['run'], options: RouteOptions = {}): AdminRoute => {
  return { access: 'operator', role, run, ...options };
};
export const workspace = (role: Role, run: WorkspaceRoute['run'], options: RouteOptions = {}): AdminRoute => {
  return { access: 'workspace', role, run, ...options };
};

export type AdminMethod = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** Routes by their path below `/dashboard/api/`, then by method. GET reads; every other method needs the CSRF header. */
export type AdminRoutes = Readonly<Record<string, Readonly<Partial<Record<AdminMethod, AdminRoute>>>>>;

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };

export function hasRole({ role }: Operator, least: Role): boolean {
  return RANKS[role] >= RANKS[least];
}

export function maySee({ role, workspaces }: Operator, workspaceId: string): boolean {
  return role === 'owner' || workspaces === null || workspaces.includes(workspaceId);
}

/** Finds a workspace. Throws the same error when it doesn't exist and when the operator may not see it. */
export async function visibleWorkspace(
  { operator: who, context }: Pick<OperatorRequest, 'operator' | 'context'>,
  id: string,
  { store }: DashboardOptions,
): Promise<Workspace> {
  const found = maySee(who, id) ? await store.findWorkspace(id) : undefined;
  if (!found) throw workspaceNotFound();
  context.workspaceId = id;
  return found;
}

/** The store for a request that changes something: it records in the audit log what the operator does. */
export function storeOf({ operator: { name } }: OperatorRequest, { store, logger }: DashboardOptions): Store {
  return audited(store, { kind: 'operator', name }, (message) => logger.error(message));
}
