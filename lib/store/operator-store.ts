// The store's operations for the dashboard: operators, their sessions, and the audit log.
import type { AuditEntry, OperatorAnswer, OperatorRole } from '../contract/dashboard.js';
import type { PageRequest, StorePage } from './page.js';

export type { AuditEntry };
/** A person who may use the dashboard. */
export type Operator = OperatorAnswer;
export type Role = OperatorRole;

export const ROLES: readonly Role[] = ['owner', 'editor', 'viewer'];

/** A secret that storage knows by its SHA-256 (hex) alone. */
export interface StoredSecret {
  readonly hash: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** Unknown ids reject with a StoreError of code `not_found`. */
export interface OperatorStore {
  hasOperators(): Promise<boolean>;
  /** Rejects with a StoreError of code `duplicate_name` if the name is taken. */
  createOperator(fields: {
    readonly name: string;
    readonly role: Role;
    readonly workspaces: readonly string[] | null;
  }): Promise<Operator>;
  /** Newest first. */
  listOperators(): Promise<Operator[]>;
  findOperator(
    name: string,
  ): Promise<{ readonly operator: Operator; readonly passwordHash: string | undefined } | undefined>;
  /** Ends its sessions and sign-in links. Rejects with a StoreError of code `last_owner` rather than remove the last owner. */
  removeOperator(id: string): Promise<Operator>;
  /** Makes a sign-in link valid, and the operator's earlier ones invalid. */
  createSignInToken(operatorId: string, token: StoredSecret): Promise<void>;
  /** The operator of a link that is valid now. */
  findSignInToken(hash: string): Promise<Operator | undefined>;
  /**
   * Uses up a sign-in link: stores the password and ends all sessions of the operator, in one durable step. Undefined, and
   * nothing changed, if the link is not valid. Of two calls at once, one succeeds.
   */
  setPassword(tokenHash: string, passwordHash: string): Promise<Operator | undefined>;
  /**
   * Starts a session. If `passwordHash` is no longer the operator's, the operator counts as unknown, so that a password that
   * was replaced while it was being checked starts no session.
   */
  createSession(operatorId: string, session: StoredSecret, passwordHash?: string): Promise<void>;
  /**
   * The operator of a session that has not ended or expired and was used in the last `idleMs`, and notes the use: to the
   * minute or better, written in the background. The result is never stale: a removed operator has no session.
   */
  useSession(hash: string, idleMs: number): Promise<Operator | undefined>;
  /** Does nothing when the session has ended. */
  endSession(hash: string): Promise<void>;
}

/** Who changed something: an operator by its name, an API key by its id, or the command line. */
export type Actor =
  | { readonly kind: 'operator' | 'key'; readonly name: string }
  | { readonly kind: 'command'; readonly name?: undefined };

export interface AuditFilter {
  /** Entries of these workspaces only; undefined: all entries, those without a workspace included. */
  readonly workspaceIds?: readonly string[] | undefined;
  readonly action?: string | undefined;
}

export interface AuditStore {
  /** Resolves when the entry is durable. */
  appendAudit(entry: Omit<AuditEntry, 'id' | 'time'>): Promise<void>;
  /** Newest first. Scans a bounded number of entries: a page may be shorter than its limit and still have a cursor. */
  listAudit(filter: AuditFilter, page: PageRequest): Promise<StorePage<AuditEntry>>;
}
