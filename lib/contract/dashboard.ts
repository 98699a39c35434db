// Types that the dashboard's pages and its admin API (`/dashboard/api/…`) exchange, and the checks of what the pages send.
// Operations that the public API has too (templates, renders, assets) answer with that API's types.
import * as z from 'zod';
import type { Detail, Warning } from '../errors.js';
import type { Scope } from './api/operations/operation.js';
import { listQuery, parseQuery } from './api/query.js';
import { invalidRequest, issue } from './messages/issues.js';
import { choice, filledText, freeObject, isObject, number, record, text } from './schema/fields.js';
import { parseWith } from './schema/normalize.js';

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

/** Longest name of an operator, a key or a workspace. */
const MAX_NAME_LENGTH = 100;
/** Longest URL of an asset, in characters; the head of a request has 16 KiB. */
const MAX_URL_LENGTH = 8192;
/** Days of one answer about usage. */
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;
const MIN_PASSWORD_LENGTH = 12;
const MAX_PASSWORD_LENGTH = 1000;

/** A name, which people see on one line: no control characters, line separators or marks that turn the reading direction. */
const name = () =>
  filledText(MAX_NAME_LENGTH)
    .transform((value) => value.trim())
    .refine((value) => value !== '' && ![...value].some(isInvisible), {
      error: `a name of 1 to ${MAX_NAME_LENGTH} characters on one line`,
    });

function isInvisible(character: string): boolean {
  const code = character.codePointAt(0)!;
  return (
    code < 0x20 ||
    (code >= 0x7f && code < 0xa0) ||
    (code >= 0x2028 && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069) ||
    (code >= 0xd800 && code < 0xe000)
  );
}

export const operatorName = name();

const newPassword = text(MAX_PASSWORD_LENGTH).refine((value) => [...value].length >= MIN_PASSWORD_LENGTH, {
  error: `a password of at least ${MIN_PASSWORD_LENGTH} characters`,
});

const token = filledText(MAX_NAME_LENGTH);

/** `POST session`. 401 `wrong_password`; 429 `too_many_attempts` and 503 `busy` with Retry-After. `DELETE session`: 204. */
export const signInBody = record({ name: filledText(MAX_NAME_LENGTH), password: filledText(MAX_PASSWORD_LENGTH) });

/** `POST session/link`: whose link this is, `{ name }`; 410 `link_invalid` when it was used or is too old. */
export const linkBody = record({ token });

/** `POST session/password`: uses the link up and signs in. The answer is a Session; 410 `link_invalid`. */
export const passwordBody = record({ token, password: newPassword });

/** `POST operators` (owner): 201 OperatorAnswer with `link`; 409 `duplicate_name`. `POST operators/{id}/link`: `{ link }`. */
export const operatorBody = record({
  name: operatorName,
  role: choice(['owner', 'editor', 'viewer']),
  workspaces: z.array(filledText(MAX_NAME_LENGTH), { error: 'an array of workspace ids, or null for all' }).nullable(),
});

/** `GET workspaces`: `{ items: WorkspaceSummary[] }`. `POST workspaces` (owner): 201 WorkspaceSummary. */
export const workspaceBody = record({ name: name(), plan: choice(['free', 'paid']) });

const SCOPES = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'] as const;

/** `POST workspaces/{w}/keys`: 201 KeyAnswer with `key`, the raw key, which is shown once. */
export const keyBody = record({
  name: name(),
  scopes: z
    .array(choice(SCOPES), { error: 'an array of scopes' })
    .min(1, { error: 'at least one scope' })
    .transform((scopes): readonly Scope[] => [...new Set(scopes)]),
});

/** `POST workspaces/{w}/links`: 201 LinkKeyAnswer with `privateKey`, which is shown once; 409 `link_key_limit`. */
export const linkKeyBody = record({ name: name() });

/** `POST workspaces/{w}/credits` (owner): `{ balance }`. */
export const grantBody = record({ amount: number({ min: 1, whole: true }) });

/** `POST verify`, 10 a minute per operator, no charge: 429 `rate_limited`. Rendered with the workspace's watermark. */
export const verifyBody = record({
  workspaceId: filledText(MAX_NAME_LENGTH),
  payload: freeObject(),
  variables: freeObject().optional(),
  size: filledText(MAX_NAME_LENGTH).optional(),
});

export type SignInBody = z.output<typeof signInBody>;
export type PasswordBody = z.output<typeof passwordBody>;
export type KeyBody = z.output<typeof keyBody>;
export type LinkKeyBody = z.output<typeof linkKeyBody>;
export type GrantBody = z.output<typeof grantBody>;
export type OperatorBody = z.output<typeof operatorBody>;
/** Its payload is what the editor holds, checked or not. */
export type VerifyBody = Omit<z.output<typeof verifyBody>, 'payload'> & { readonly payload: unknown };

const usageQuery = record({ days: number({ min: 1, max: MAX_DAYS, whole: true }).default(DEFAULT_DAYS) });
const auditQuery = listQuery.extend({ action: filledText(MAX_NAME_LENGTH).optional() });
const assetQuery = record({ workspace: filledText(MAX_NAME_LENGTH).optional(), url: filledText(MAX_URL_LENGTH) });

export const parseUsageQuery = (query: URLSearchParams) => parseQuery(usageQuery, query);
export const parseAuditQuery = (query: URLSearchParams) => parseQuery(auditQuery, query);
export const parseAssetQuery = (query: URLSearchParams) => parseQuery(assetQuery, query);

/** The body as `schema` describes it. Throws RenderError `invalid_request`. */
export function parseBody<Body>(schema: z.ZodType<Body>, body: unknown): Body {
  const { data, details } = parseWith(schema, body, isObject(body) ? withoutSecrets(body) : body);
  if (data) return data;
  const received = Array.isArray(body) ? body : typeof body;
  throw invalidRequest(isObject(body) ? details.map(withoutSecretValue) : [issue('', received, 'an object')]);
}

function withoutSecretValue({ value, ...detail }: Detail): Detail {
  const isSecret = SECRETS.includes(detail.path) || value === undefined;
  return isSecret ? detail : { ...detail, value };
}

const SECRETS: readonly string[] = ['password', 'token'];

/** Messages quote what they received, but never a password or a token. */
function withoutSecrets(body: Record<string, unknown>): Record<string, unknown> {
  const secretFields = SECRETS.filter((field) => typeof body[field] === 'string');
  return { ...body, ...Object.fromEntries(secretFields.map((field) => [field, '…'])) };
}
