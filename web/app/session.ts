// Who is signed in, and the workspace that the pages show.
import { computed, effect, signal } from '@preact/signals';
import type { OperatorRole, Session, WorkspaceSummary } from '../../lib/contract/dashboard.js';
import { ApiError, api, whenSignedOut } from './api.js';
import { current, navigate, query } from './router.js';

export const LOGIN = '/dashboard/login';
export const HOME = '/dashboard/';
const REMEMBERED = 'platen.workspace';

/** The session; undefined until the server has answered, null if nobody is signed in. */
export const session = signal<Session | null | undefined>(undefined);
/** The error that kept the session from loading. */
export const sessionError = signal<ApiError | undefined>(undefined);

/** The workspace chosen in this window: another window may show another workspace. */
const chosen = signal(recall());

/** The workspace that the pages show; undefined if the operator has none. */
export const workspace = computed<WorkspaceSummary | undefined>(() => {
  const workspaces = session.value?.workspaces ?? [];
  return workspaces.find(({ id }) => id === chosen.value) ?? workspaces[0];
});

/** Returns the path of an operation on the chosen workspace: `inWorkspace('keys')` → `workspaces/ws_1/keys`. */
export function inWorkspace(operation: string): string {
  return `workspaces/${encodeURIComponent(workspace.value?.id ?? '')}/${operation}`;
}

/** Whether the operator has one of these roles. The pages don't show what a role may not do. */
export function hasRole(...roles: readonly OperatorRole[]): boolean {
  const role = session.value?.operator.role;
  return role !== undefined && roles.includes(role);
}

/** Whether the operator may edit keys, templates and renders: owners and editors may. */
export const canEdit = computed(() => hasRole('owner', 'editor'));
/** Whether the operator may manage credits, workspaces and operators. */
export const isOwner = computed(() => hasRole('owner'));

export async function loadSession(): Promise<void> {
  sessionError.value = undefined;
  try {
    session.value = await api.get<Session>('session');
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) session.value = null;
    else sessionError.value = error;
  }
}

/** Takes over the session of a sign-in, and goes to the page that the operator wanted. */
export function signedIn(next: Session): void {
  const wanted = query.value.get('next') ?? '';
  session.value = next;
  // only paths of the dashboard: `//host` and `/\host` would lead elsewhere
  navigate(/^\/dashboard\/[\w/?=&%.-]*$/.test(wanted) ? wanted : HOME, { replace: true });
}

export async function signOut(): Promise<void> {
  await api.delete('session');
  session.value = null;
  navigate(LOGIN);
}

/** Shows a workspace, now and on the next visit. An address with `?workspace=` does so too. */
export function chooseWorkspace(id: string): void {
  chosen.value = id;
  try {
    localStorage.setItem(REMEMBERED, id);
  } catch {
    // storage may be off; this window knows the choice all the same
  }
}

function recall(): string {
  try {
    return localStorage.getItem(REMEMBERED) ?? '';
  } catch {
    return '';
  }
}

whenSignedOut(() => {
  session.value = null;
});

/** Leads to Sign in when there is no session, and back afterwards. */
export function guardPages(): void {
  effect(() => {
    if (session.value !== null || current.value?.route.isPublic) return;
    const { pathname, search } = location;
    const next = pathname === HOME ? '' : `?next=${encodeURIComponent(pathname + search)}`;
    navigate(LOGIN + next, { replace: true });
  });
  effect(() => {
    const named = query.value.get('workspace');
    if (named) chooseWorkspace(named);
  });
}
