// Checks the bodies and queries that the dashboard's pages send, as dashboard.ts declares them.
import * as z from 'zod';
import type { Detail } from '../errors.js';
import { listQuery, parseQuery } from './api/query.js';
import { invalidRequest, issue } from './messages/issues.js';
import { choice, filledText, freeObject, isObject, number, record, text } from './schema/fields.js';
import { parseWith } from './schema/normalize.js';

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

export const signInBody = record({ name: filledText(MAX_NAME_LENGTH), password: filledText(MAX_PASSWORD_LENGTH) });
export const linkBody = record({ token });
export const passwordBody = record({ token, password: newPassword });
export const operatorBody = record({
  name: operatorName,
  role: choice(['owner', 'editor', 'viewer']),
  workspaces: z.array(filledText(MAX_NAME_LENGTH), { error: 'an array of workspace ids, or null for all' }).nullable(),
});

export const workspaceBody = record({ name: name(), plan: choice(['free', 'paid']) });

const SCOPES = ['render:write', 'render:read', 'templates:read', 'templates:write', 'batch:write'] as const;

export const keyBody = record({
  name: name(),
  scopes: z
    .array(choice(SCOPES), { error: 'an array of scopes' })
    .min(1, { error: 'at least one scope' })
    .transform((scopes) => [...new Set(scopes)]),
});

export const linkKeyBody = record({ name: name() });

export const grantBody = record({ amount: number({ min: 1, whole: true }) });

export const verifyBody = record({
  workspaceId: filledText(MAX_NAME_LENGTH),
  payload: freeObject(),
  variables: freeObject().optional(),
  size: filledText(MAX_NAME_LENGTH).optional(),
});

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
