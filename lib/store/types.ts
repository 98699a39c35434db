// The storage interface of the service and the admin commands. Two implementations (files in a data folder, PostgreSQL)
// pass one behaviour suite; code outside lib/store does not know which one runs.

export type Plan = 'free' | 'paid';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Credits granted and not yet charged; credits on hold are included. */
  readonly balance: number;
}

export type Scope = 'render:write' | 'render:read' | 'templates:read' | 'templates:write' | 'batch:write';

export interface ApiKey {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'revoked';
  /** ISO 8601. */
  readonly createdAt: string;
}

export interface StoredTemplate {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
}

/** One finished render, as `render log` prints it. */
export interface RenderEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  readonly workspaceId: string;
  readonly keyId: string;
  readonly templateId?: string;
  readonly format: string;
  readonly width: number;
  readonly height: number;
  readonly durationMs: number;
  readonly sizeBytes: number;
  readonly creditsCost: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** Credits reserved for a running render. A hold is settled or released exactly once. */
export interface Hold {
  readonly id: string;
  readonly workspaceId: string;
  readonly cost: number;
}

/** Whether a request is within its key's rate limit, and the values of the RateLimit headers. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests that are still allowed after this one. */
  readonly remaining: number;
  /** Milliseconds until the oldest counted request leaves the window; if refused, until a request is allowed again. */
  readonly resetMs: number;
}

/** The operations of a request. Each rejects with RenderError `storage_unavailable` when storage fails. */
export interface RequestStore {
  /** The key with this SHA-256 (hex) and its workspace; undefined if there is none. The result is never stale. */
  findKey(hash: string): Promise<{ key: ApiKey; workspace: Workspace } | undefined>;
  /** Counts one request of a key against `limit` requests in any 60 seconds. A refused request is not counted. */
  countRequest(keyId: string, limit: number): Promise<RateDecision>;
  /** The imported template record; undefined if the workspace has no such template. */
  findTemplate(workspaceId: string, templateId: string): Promise<unknown | undefined>;
  /** Reserves `cost` if the balance minus all open holds covers it; otherwise returns that difference. */
  hold(workspaceId: string, cost: number): Promise<{ hold: Hold } | { balance: number }>;
  /**
   * Charges the hold and ends it. Resolves with the new balance once the charge is durable. If it rejects, nothing was
   * charged and the hold has ended as well. Rejects with StoreError if the hold had ended before.
   */
  settle(hold: Hold): Promise<{ balance: number }>;
  /** Ends the hold without a charge. Does nothing when it has ended, so it can be called in a `finally`. */
  release(hold: Hold): Promise<void>;
  /** Adds to the render log in the background. Entries that can't be written are dropped with a warning. */
  appendRender(entry: RenderEntry): void;
}

/** The operations of the admin commands. Unknown ids reject with StoreError. */
export interface AdminStore {
  createWorkspace(fields: { name: string; plan: Plan; credits: number }): Promise<Workspace>;
  /** Newest first, like all lists. */
  listWorkspaces(): Promise<Workspace[]>;
  /** `hash` is the SHA-256 (hex) of the raw key. Storage never receives the raw key. */
  createKey(fields: { workspaceId: string; name: string; scopes: readonly Scope[]; hash: string }): Promise<ApiKey>;
  listKeys(workspaceId: string): Promise<ApiKey[]>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(id: string): Promise<ApiKey>;
  balance(workspaceId: string): Promise<{ workspaceId: string; balance: number }>;
  /** `amount` is a positive integer. */
  grant(workspaceId: string, amount: number): Promise<{ workspaceId: string; balance: number }>;
  /** `record` has passed parseTemplate. */
  importTemplate(workspaceId: string, record: { name: string; width: number; height: number }): Promise<StoredTemplate>;
  listTemplates(workspaceId?: string): Promise<StoredTemplate[]>;
  showTemplate(id: string): Promise<StoredTemplate>;
  /** The record as it was imported. */
  exportTemplate(id: string): Promise<unknown>;
  deleteTemplate(id: string): Promise<StoredTemplate>;
  listRenders(workspaceId: string, limit: number): Promise<RenderEntry[]>;
}

export interface Store extends RequestStore, AdminStore {
  close(): Promise<void>;
}

/** A failure for the user, such as an unknown id, a duplicate key or a locked folder. The message is one line. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
