// Types that the dashboard's pages and its admin API (`/dashboard/api/…`) exchange, and the checks of what the pages send.
// Operations that the public API has too (templates, renders, assets) answer with that API's types.
import * as z from 'zod';
import type { Detail, Warning } from '../errors.js';
import type { Scope } from './api/operations/operation.js';
import { listQuery, parseQuery } from './api/query.js';
import { invalidRequest, issue } from './messages/issues.js';
import { choice, filledText, freeObject, isObject, number, record, text } from './schema/fields.js';
import { parseWith } from './schema/normalize.js';

/** owner: all workspaces, and the operators. editor: templates, keys and playground of its workspaces. viewer: reads them. */
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

/** What a key's requests of the last 24 hours took. */
export interface KeyRequests {
  readonly requests: number;
  /** Number of these that a rate limit refused. */
  readonly refused: number;
  /** Milliseconds of processor time of renders, also those that failed. */
  readonly cpuMs: number;
}

/** `GET workspaces/{w}/keys`: `{ items: KeyAnswer[] }`, newest first. `DELETE workspaces/{w}/keys/{id}` revokes: KeyAnswer. */
export interface KeyAnswer extends KeyRequests {
  readonly id: string;
  readonly name: string;
  /**
   * The start of the key by which people recognise it: `svc_live_` and its first 8 characters. Absent for keys of earlier
   * versions.
   */
  readonly prefix?: string;
  readonly scopes: readonly Scope[];
  readonly state: 'active' | 'revoked';
  /** ISO 8601. */
  readonly createdAt: string;
  /** ISO 8601, to the minute or better; absent for a key that was never used. */
  readonly lastUsedAt?: string;
  /** Renders a minute, instead of the server's limit. */
  readonly rateLimit?: number;
}

/** `GET workspaces/{w}/links`: `{ items: LinkKeyAnswer[] }`, newest first. `DELETE workspaces/{w}/links/{id}` revokes. */
export interface LinkKeyAnswer extends KeyRequests {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'revoked';
  /** ISO 8601. */
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** Time at which an image was last drawn for it: ISO 8601, to the minute or better; absent if none was. */
  readonly lastUsedAt?: string;
}

/** A line of a workspace's account. All amounts of a workspace, oldest first, add up to its balance. */
export interface LedgerEntry {
  /** `charge`: all charges of one day in UTC. `opening`: the total of what was before this program counted. */
  readonly kind: 'grant' | 'charge' | 'opening';
  readonly id: string;
  /** ISO 8601; of charges the day at 00:00. */
  readonly time: string;
  /** Negative for charges, and for grants that took credits back. */
  readonly amount: number;
  /** Number of charges. */
  readonly renders?: number;
}

/** `GET workspaces/{w}/credits?limit=&cursor=`. */
export interface CreditsAnswer {
  readonly plan: 'free' | 'paid';
  readonly balance: number;
  readonly creditsCost: number;
  readonly rendersRemaining: number;
  readonly items: readonly LedgerEntry[];
  readonly nextCursor: string | null;
}

/** Renders of one day in UTC. */
export interface DayUsage {
  /** `2026-11-22`. */
  readonly date: string;
  /** Renders that succeeded. */
  readonly renders: number;
  /** Renders that the render log has as failed. */
  readonly failures: number;
  /** Credits that were charged. */
  readonly credits: number;
  /** Milliseconds of processor time of renders, also those that failed, of inspections and of previews of operators. */
  readonly cpuMs: number;
}

/** `GET workspaces/{w}/usage?days=30`: oldest day first, today last. */
export interface UsageAnswer {
  readonly days: readonly DayUsage[];
  readonly balance: number;
  /** Whole days until the balance is used up, at the mean of the days since the first charge among these; null without charges. */
  readonly daysLeft: number | null;
}

/** Something that was done, by whom and when. It contains no secret. */
export interface AuditEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  /** An operator by its name, an API key by its id, or the command line. */
  readonly actor: { readonly kind: 'operator' | 'key' | 'command'; readonly name?: string | undefined };
  /** Noun and verb, such as `key.create`, `session.fail`, `credits.grant`, `template.publish`. */
  readonly action: string;
  readonly workspaceId?: string;
  /** Id of what was changed. */
  readonly subject?: string;
  /** Details for readers: names, amounts, versions. */
  readonly details?: Readonly<Record<string, string | number | boolean | null>>;
}

/** `GET workspaces/{w}/audit` and, for owners, `GET audit`: `{ items, nextCursor }` with `?limit=&cursor=&action=`. */
export interface AuditAnswer {
  readonly items: readonly AuditEntry[];
  readonly nextCursor: string | null;
}

/** `GET operators` (owner): `{ items: OperatorAnswer[] }`. `DELETE operators/{id}`: 204, 409 `last_owner`. */
export interface OperatorAnswer {
  readonly id: string;
  /** Unique, compared exactly. */
  readonly name: string;
  readonly role: OperatorRole;
  /** Ids of the workspaces that it may see; null: all of them, as an owner always may. */
  readonly workspaces: readonly string[] | null;
  /** Whether it has ever set a password. */
  readonly hasPassword: boolean;
  /** ISO 8601. */
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
