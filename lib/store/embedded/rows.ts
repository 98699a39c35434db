// The row types of the embedded store's tables, and the checks of rows that are read from files.
import { isObject } from '../../contract/schema/fields.js';
import { type Operator, ROLES, type StoredSecret } from '../operator-store.js';
import type { ApiKey, LinkKey, StoredAsset, TemplateVersion, VersionedTemplate, Workspace } from '../types.js';
import type { TableDefinition } from './snapshot.js';

/** The fields that all rows have. */
export interface AnyRow {
  readonly id: string;
}

/** A line of the ledger that does not change. */
export interface LedgerLine {
  /** 1, 2, … in the order of the workspace's lines. */
  readonly number: number;
  readonly kind: 'grant' | 'charge';
  /** ISO 8601; of charges the start of their day. */
  readonly time: string;
  /** Negative for charges and credits taken back. */
  readonly amount: number;
  /** Number of charges. */
  readonly renders?: number;
}

export interface WorkspaceRow extends Workspace {
  /** Number of the latest line of the ledger. */
  readonly lines?: number;
  /** Lines that are not in the table `ledger` yet, or were not before a crash. */
  readonly unposted?: readonly LedgerLine[];
  /** The charges of one day in UTC, which are no line yet. Short, because every charge writes all rows. */
  readonly charges?: readonly [day: string, amount: number, renders: number];
  /** ISO 8601. The row of a deleted workspace stays. */
  readonly deletedAt?: string;
}

/**
 * Requests of a key in one hour: hours since 1970, requests, how many of these a rate limit refused, and milliseconds of
 * processor time, which rows of earlier versions lack.
 */
export type HourRow = readonly [hour: number, requests: number, refused: number, cpuMs?: number];

/** A key with the SHA-256 by which it is looked up. */
export interface KeyRow extends ApiKey {
  readonly hash: string;
  readonly hours?: readonly HourRow[];
}

/** A link key with its requests. */
export interface LinkRow extends LinkKey {
  readonly hours?: readonly HourRow[];
}

/** A version of a template. Its record is a file (content-folder.ts). */
export interface VersionRow extends TemplateVersion {
  /** Digest of the record's JSON text, hexadecimal. */
  readonly sha256: string;
  /** Length of the record's JSON text. */
  readonly bytes: number;
  readonly assetIds: readonly string[];
}

/** A template with its versions, oldest first. */
export interface TemplateRow {
  readonly id: string;
  readonly workspaceId: string;
  /** The position in lists. Newer templates have larger ones. */
  readonly ordinal: number;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly publishedVersion: number | null;
  readonly versions: readonly VersionRow[];
}

/** A template of format 1. */
export interface FormerTemplateRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly record: unknown;
}

export interface AssetRow extends StoredAsset {
  /** The position in lists. Newer assets have larger ones. */
  readonly ordinal: number;
}

/** The lines of a workspace's ledger in one month. */
export interface LedgerRow {
  /** `ws_… 2026-11`. */
  readonly id: string;
  readonly workspaceId: string;
  readonly month: string;
  readonly lines: readonly LedgerLine[];
}

/** Renders and failures of a day, and milliseconds of processor time, which rows of earlier versions lack. */
export type DayCounts = readonly [renders: number, failures: number, cpuMs?: number];

/** A workspace's renders, failures and processor time in one month, by day (`2026-11-22`). */
export interface UsageRow {
  /** `ws_… 2026-11`. */
  readonly id: string;
  readonly workspaceId: string;
  readonly month: string;
  readonly days: Readonly<Record<string, DayCounts>>;
}

/** A sign-in of an operator. */
export interface SessionRow extends StoredSecret {
  /** ISO 8601, to the minute or better. */
  readonly usedAt: string;
}

export interface OperatorRow extends Omit<Operator, 'hasPassword'> {
  readonly passwordHash?: string;
  /** The latest sign-in link, until it is used. */
  readonly token?: StoredSecret;
  readonly sessions: readonly SessionRow[];
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isAmount = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value) && value >= 0;
const isCount = (value: unknown): value is number => isAmount(value) && Number.isSafeInteger(value);
const isDigest = (value: unknown): boolean => isText(value) && /^[0-9a-f]{64}$/.test(value);
const isOptional = (value: unknown, isValid: (value: unknown) => boolean) => value === undefined || isValid(value);

const isDay = (value: unknown): boolean => isText(value) && /^\d{4}-\d\d-\d\d$/.test(value);
const isSum = ({ amount, renders }: Readonly<Record<string, unknown>>): boolean =>
  typeof amount === 'number' && Number.isFinite(amount) && isOptional(renders, isCount);
const isLines = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.every(
    (line) =>
      isObject(line) &&
      isCount(line.number) &&
      (line.kind === 'grant' || line.kind === 'charge') &&
      isText(line.time) &&
      Number.isFinite(Date.parse(line.time)) &&
      isSum(line),
  );
const isCharges = (value: unknown): boolean =>
  Array.isArray(value) && value.length === 3 && isDay(value[0]) && isSum({ amount: value[1], renders: value[2] });
const isCounts = (value: unknown, least: number): boolean =>
  Array.isArray(value) && (value.length === least || value.length === least + 1) && value.every(isCount);
const isHours = (value: unknown): boolean => Array.isArray(value) && value.every((hour) => isCounts(hour, 3));

export const WORKSPACES: TableDefinition<WorkspaceRow> = {
  table: 'workspaces',
  isRow: (row): row is WorkspaceRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.name) &&
    (row.plan === 'free' || row.plan === 'paid') &&
    isAmount(row.balance) &&
    isOptional(row.lines, isCount) &&
    isOptional(row.unposted, isLines) &&
    isOptional(row.charges, isCharges) &&
    isOptional(row.deletedAt, isText),
};

export const KEYS: TableDefinition<KeyRow> = {
  table: 'keys',
  isRow: (row): row is KeyRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    isText(row.name) &&
    Array.isArray(row.scopes) &&
    row.scopes.every(isText) &&
    (row.state === 'active' || row.state === 'revoked') &&
    isText(row.createdAt) &&
    isDigest(row.hash) &&
    isOptional(row.hours, isHours) &&
    isOptional(row.prefix, isText) &&
    isOptional(row.rateLimit, isCount) &&
    isOptional(row.lastUsedAt, isText),
};

export const LINKS: TableDefinition<LinkRow> = {
  table: 'links',
  isRow: (row): row is LinkRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    isText(row.name) &&
    isText(row.publicKey) &&
    (row.state === 'active' || row.state === 'revoked') &&
    isText(row.createdAt) &&
    isOptional(row.revokedAt, isText) &&
    isOptional(row.hours, isHours) &&
    isOptional(row.lastUsedAt, isText),
};

export const TEMPLATES: TableDefinition<TemplateRow> = {
  table: 'templates',
  isRow: (row, version): row is TemplateRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    (version === 1
      ? isText(row.name) && isAmount(row.width) && isAmount(row.height) && isObject(row.record)
      : isCount(row.ordinal) &&
        isText(row.createdAt) &&
        isText(row.updatedAt) &&
        (row.publishedVersion === null || isCount(row.publishedVersion)) &&
        Array.isArray(row.versions) &&
        row.versions.length > 0 &&
        row.versions.every(isVersionRow)),
};

function isVersionRow(row: unknown): boolean {
  return (
    isObject(row) &&
    isCount(row.version) &&
    isDigest(row.sha256) &&
    isCount(row.bytes) &&
    isText(row.name) &&
    isAmount(row.width) &&
    isAmount(row.height) &&
    Array.isArray(row.hotspots) &&
    row.hotspots.every(isObject) &&
    Array.isArray(row.assetIds) &&
    row.assetIds.every(isText) &&
    isText(row.createdAt)
  );
}

const isTypeface = (value: unknown) =>
  isObject(value) &&
  Array.isArray(value.scripts) &&
  value.scripts.every(isText) &&
  isText(value.category) &&
  isText(value.sample) &&
  typeof value.isVariable === 'boolean';

export const ASSETS: TableDefinition<AssetRow> = {
  table: 'assets',
  isRow: (row): row is AssetRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    isCount(row.ordinal) &&
    (row.kind === 'image' || row.kind === 'font') &&
    isText(row.mimeType) &&
    isCount(row.bytes) &&
    isDigest(row.sha256) &&
    isOptional(row.width, isAmount) &&
    isOptional(row.height, isAmount) &&
    isOptional(row.family, isText) &&
    isOptional(row.weight, isAmount) &&
    (row.style === undefined || row.style === 'normal' || row.style === 'italic') &&
    isOptional(row.typeface, isTypeface) &&
    isText(row.createdAt),
};

export const OPERATORS: TableDefinition<OperatorRow> = {
  table: 'operators',
  isRow: (row): row is OperatorRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.name) &&
    ROLES.some((role) => role === row.role) &&
    (row.workspaces === null || (Array.isArray(row.workspaces) && row.workspaces.every(isText))) &&
    isText(row.createdAt) &&
    isOptional(row.passwordHash, isText) &&
    isOptional(row.token, isSecret) &&
    Array.isArray(row.sessions) &&
    row.sessions.every((session) => isSecret(session) && isText(session.usedAt)),
};

export const LEDGER: TableDefinition<LedgerRow> = {
  table: 'ledger',
  isRow: (row): row is LedgerRow =>
    isObject(row) && isText(row.id) && isText(row.workspaceId) && isText(row.month) && isLines(row.lines),
};

export const USAGE: TableDefinition<UsageRow> = {
  table: 'usage',
  isRow: (row): row is UsageRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.workspaceId) &&
    isText(row.month) &&
    isObject(row.days) &&
    Object.entries(row.days).every(([day, counts]) => isDay(day) && isCounts(counts, 2)),
};

function isSecret(value: unknown): value is StoredSecret & Record<string, unknown> {
  return isObject(value) && isDigest(value.hash) && isText(value.expiresAt);
}

/** The public fields of a key: without its hash and without fields that a later version may have added. */
export function keyOf(row: KeyRow): ApiKey {
  const { id, workspaceId, name, scopes, state, createdAt, prefix, rateLimit, lastUsedAt } = row;
  return {
    id,
    workspaceId,
    name,
    scopes,
    state,
    createdAt,
    ...(prefix !== undefined && { prefix }),
    ...(rateLimit !== undefined && { rateLimit }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  };
}

/** The public fields of a link key. */
export function linkKeyOf(row: LinkRow): LinkKey {
  const { id, workspaceId, name, publicKey, state, createdAt, revokedAt, lastUsedAt } = row;
  return {
    id,
    workspaceId,
    name,
    publicKey,
    state,
    createdAt,
    ...(revokedAt !== undefined && { revokedAt }),
    ...(lastUsedAt !== undefined && { lastUsedAt }),
  };
}

export function operatorOf({ id, name, role, workspaces, passwordHash, createdAt }: OperatorRow): Operator {
  return { id, name, role, workspaces, hasPassword: passwordHash !== undefined, createdAt };
}

export function workspaceOf({ id, name, plan, balance }: WorkspaceRow): Workspace {
  return { id, name, plan, balance };
}

export function latestOf({ versions }: TemplateRow): VersionRow {
  return versions[versions.length - 1];
}

export function templateOf(row: TemplateRow): VersionedTemplate {
  const { id, workspaceId, publishedVersion, createdAt, updatedAt } = row;
  const { name, width, height, hotspots, version } = latestOf(row);
  return { id, workspaceId, name, width, height, hotspots, version, publishedVersion, createdAt, updatedAt };
}

export function versionOf({ version, name, width, height, hotspots, createdAt }: VersionRow): TemplateVersion {
  return { version, name, width, height, hotspots, createdAt };
}

export function assetOf(row: AssetRow): StoredAsset {
  const { id, workspaceId, kind, mimeType, bytes, sha256, createdAt } = row;
  const { width, height, family, weight, style, typeface } = row;
  return {
    id,
    workspaceId,
    kind,
    mimeType,
    bytes,
    sha256,
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(family !== undefined && { family }),
    ...(weight !== undefined && { weight }),
    ...(style !== undefined && { style }),
    ...(typeface !== undefined && { typeface }),
    createdAt,
  };
}
