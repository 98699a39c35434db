// What the service and the admin commands ask of storage, in business verbs. Two implementations (the embedded files,
// PostgreSQL) stand behind it and pass one behaviour suite; nothing outside this room knows which one runs.

export type Plan = 'free' | 'paid';

export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  /** Credits granted and not yet charged; what is on hold is still in it. */
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

/** One finished render, as `render log` shows it. */
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

/** Credits set aside for a render that runs. Settled or released exactly once. */
export interface Hold {
  readonly id: string;
  readonly workspaceId: string;
  readonly cost: number;
}

/** Whether a request fits into its key's window, and what the RateLimit headers say. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests that still fit after this one. */
  readonly remaining: number;
  /** Milliseconds until the oldest counted request leaves the window; for a refused request, until one fits again. */
  readonly resetMs: number;
}

/** What serving a request needs. Every verb rejects with RenderError `storage_unavailable` when storage fails. */
export interface RequestStore {
  /** The key of that SHA-256 (hex) with its workspace; undefined when no key has it. Never from a stale copy. */
  findKey(hash: string): Promise<{ key: ApiKey; workspace: Workspace } | undefined>;
  /** Counts one request of a key against `limit` in any 60 seconds; a refused one is not counted. */
  countRequest(keyId: string, limit: number): Promise<RateDecision>;
  /** The record that was imported, when it belongs to that workspace. */
  findTemplate(workspaceId: string, templateId: string): Promise<unknown | undefined>;
  /** Sets `cost` aside if balance less holds allows it; else gives that difference: what is left to spend. */
  hold(workspaceId: string, cost: number): Promise<{ hold: Hold } | { balance: number }>;
  /**
   * Charges the hold. Resolves with the new balance only once the charge is durable; rejected, nothing was charged.
   * It ends the hold in both cases, and rejects with StoreError for one that has ended.
   */
  settle(hold: Hold): Promise<{ balance: number }>;
  /** Gives the hold back; does nothing when it has ended, so that it may stand in a `finally`. */
  release(hold: Hold): Promise<void>;
  /** Adds to the render log. Never delays or fails a render: what can't be written is dropped with a warning. */
  appendRender(entry: RenderEntry): void;
}

/** What the admin commands need. Unknown ids reject with StoreError, whose message is one line for the user. */
export interface AdminStore {
  createWorkspace(fields: { name: string; plan: Plan; credits: number }): Promise<Workspace>;
  /** Newest first, as all lists. */
  listWorkspaces(): Promise<Workspace[]>;
  /** `hash` is the SHA-256 (hex) of the raw key, which storage never sees. */
  createKey(fields: { workspaceId: string; name: string; scopes: readonly Scope[]; hash: string }): Promise<ApiKey>;
  listKeys(workspaceId: string): Promise<ApiKey[]>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(id: string): Promise<ApiKey>;
  balance(workspaceId: string): Promise<{ workspaceId: string; balance: number }>;
  /** `amount` is a whole number above 0. */
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

/** A request that the stored data can't satisfy: an unknown id, a name that is taken. One line for the user. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
}
