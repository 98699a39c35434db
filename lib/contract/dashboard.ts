// Types that the dashboard's pages and its admin API (`/dashboard/api/…`) exchange. Operations that the public API has too
// (templates, renders, assets) answer with that API's types. dashboard-bodies.ts checks the bodies.
import type { Warning } from '../errors.js';
import type { Scope } from './api/operations/operation.js';

export type OperatorRole = 'owner' | 'editor' | 'viewer';

/** Every answer that is no success. `details` name faults of fields, as in the API. */
export interface Failure {
  readonly success: false;
  readonly error: string;
  readonly code: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  readonly requestId?: string;
  /** Ids of the templates that use the asset, for the code `asset_in_use`. */
  readonly templates?: readonly string[];
}

export interface WorkspaceSummary {
  readonly id: string;
  readonly name: string;
  readonly plan: 'free' | 'paid';
}

/** `GET session`, and the answer to a sign-in. 401 `signed_out` without a session. */
export interface Session {
  readonly operator: { readonly id: string; readonly name: string; readonly role: OperatorRole };
  /** Workspaces that the operator may see, newest first. */
  readonly workspaces: readonly WorkspaceSummary[];
  /** The text that renders of free workspaces carry. */
  readonly watermark: string;
  /** Origin of the API for copied code, such as `http://127.0.0.1:8080`. */
  readonly origin: string;
  /** Credits of one render. */
  readonly creditsCost: number;
  readonly maxLayers: number;
  /** Version of the program. */
  readonly version: string;
}

/** `POST session`. 401 `wrong_password`; 429 `too_many_attempts` and 503 `busy` with Retry-After. `DELETE session`: 204. */
export interface SignInBody {
  readonly name: string;
  readonly password: string;
}

/** `POST session/link`: whose link this is, `{ name }`; 410 `link_invalid` when it was used or is too old. */
export interface LinkBody {
  readonly token: string;
}

/** `POST session/password`: uses the link up and signs in. The answer is a Session; 410 `link_invalid`. */
export interface PasswordBody {
  readonly token: string;
  /** 12 characters or more. */
  readonly password: string;
}

/** `GET workspaces`: `{ items: WorkspaceSummary[] }`. `POST workspaces` (owner): 201 WorkspaceSummary. */
export interface WorkspaceBody {
  readonly name: string;
  readonly plan: 'free' | 'paid';
}

/** `GET workspaces/{w}/keys`: `{ items: KeyAnswer[] }`, newest first. `DELETE workspaces/{w}/keys/{id}` revokes: KeyAnswer. */
export interface KeyAnswer {
  readonly id: string;
  readonly name: string;
  /**
   * The start of a key by which people recognise it: `svc_live_` and its first 8 characters; absent for keys of earlier
   * versions.
   */
  readonly prefix?: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'revoked';
  readonly createdAt: string;
  readonly lastUsedAt?: string;
  readonly rateLimit?: number;
  /** Requests of the last 24 hours. */
  readonly requests: number;
  readonly refused: number;
  /** Milliseconds of processor time of renders, also those that failed, in the last 24 hours. */
  readonly cpuMs: number;
}

/** `POST workspaces/{w}/keys`: 201 KeyAnswer with `key`, the raw key, which is shown once. */
export interface KeyBody {
  readonly name: string;
  readonly scopes: readonly Scope[];
}

/** `GET workspaces/{w}/links`: `{ items: LinkKeyAnswer[] }`, newest first. `DELETE workspaces/{w}/links/{id}` revokes. */
export interface LinkKeyAnswer {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'revoked';
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** Time at which an image was last drawn for it. */
  readonly lastUsedAt?: string;
  /** Images drawn in the last 24 hours, and of these, refused by the rate limit. */
  readonly requests: number;
  readonly refused: number;
  /** Milliseconds of processor time of renders, also those that failed, in the last 24 hours. */
  readonly cpuMs: number;
}

/** `POST workspaces/{w}/links`: 201 LinkKeyAnswer with `privateKey`, which is shown once; 409 `link_key_limit`. */
export interface LinkKeyBody {
  readonly name: string;
}

/** `GET workspaces/{w}/credits?limit=&cursor=`. */
export interface CreditsAnswer {
  readonly plan: 'free' | 'paid';
  readonly balance: number;
  readonly creditsCost: number;
  readonly rendersRemaining: number;
  readonly items: readonly {
    readonly kind: 'grant' | 'charge' | 'opening';
    readonly id: string;
    readonly time: string;
    readonly amount: number;
    readonly renders?: number;
  }[];
  readonly nextCursor: string | null;
}

/** `POST workspaces/{w}/credits` (owner): `{ balance }`. */
export interface GrantBody {
  /** A whole number of at least 1. */
  readonly amount: number;
}

/** `GET workspaces/{w}/usage?days=30`: oldest day first, today last. */
export interface UsageAnswer {
  readonly days: readonly {
    readonly date: string;
    readonly renders: number;
    readonly failures: number;
    readonly credits: number;
    /** Milliseconds of processor time of renders, also those that failed, of inspections and of previews of operators. */
    readonly cpuMs: number;
  }[];
  readonly balance: number;
  /** Whole days until the balance is used up, at the mean of the days since the first charge among these; null without charges. */
  readonly daysLeft: number | null;
}

/** `GET workspaces/{w}/audit` and, for owners, `GET audit`: `{ items, nextCursor }` with `?limit=&cursor=&action=`. */
export interface AuditAnswer {
  readonly items: readonly {
    readonly id: string;
    readonly time: string;
    readonly actor: { readonly kind: 'operator' | 'key' | 'command'; readonly name?: string | undefined };
    readonly action: string;
    readonly workspaceId?: string;
    readonly subject?: string;
    readonly details?: Readonly<Record<string, string | number | boolean | null>>;
  }[];
  readonly nextCursor: string | null;
}

/** `GET operators` (owner): `{ items: OperatorAnswer[] }`. `DELETE operators/{id}`: 204, 409 `last_owner`. */
export interface OperatorAnswer {
  readonly id: string;
  readonly name: string;
  readonly role: OperatorRole;
  readonly workspaces: readonly string[] | null;
  readonly hasPassword: boolean;
  readonly createdAt: string;
}

/** `POST operators` (owner): 201 OperatorAnswer with `link`; 409 `duplicate_name`. `POST operators/{id}/link`: `{ link }`. */
export interface OperatorBody {
  readonly name: string;
  readonly role: OperatorRole;
  readonly workspaces: readonly string[] | null;
}

/** `POST verify`, 10 a minute per operator, no charge: 429 `rate_limited`. Rendered with the workspace's watermark. */
export interface VerifyBody {
  readonly workspaceId: string;
  /** A body of `POST /v1/render`, or an unsaved template with `variables` and `size` beside it. */
  readonly payload: unknown;
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Name of one of the unsaved template's sizes. */
  readonly size?: string | undefined;
}

export interface VerifyAnswer {
  /** SHA-256 of the RGBA bytes with straight alpha, row by row, in hexadecimal. */
  readonly pixelsSha256: string;
  readonly format: string;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  readonly sizeBytes: number;
  readonly durationMs: number;
  /** Milliseconds by stage. */
  readonly timings: Readonly<Record<string, number>>;
  readonly warnings: readonly Warning[];
  readonly base64: string;
}

/** `GET fonts`: `{ items: FontAnswer[] }`, the fonts of FONTS_DIR; `GET fonts/{n}`: the file of the item at index `n`. */
export interface FontAnswer {
  readonly family: string;
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  /** Whether one file serves several weights. */
  readonly isVariable: boolean;
}
