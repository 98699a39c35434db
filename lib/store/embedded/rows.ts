// The row types of the embedded store's tables, and the checks of rows that are read from files.
import { isObject } from '../../contract/fields.js';
import { type Operator, ROLES, type StoredSecret } from '../operator-store.js';
import type { ApiKey, StoredAsset, TemplateVersion, VersionedTemplate, Workspace } from '../types.js';
import type { TableDefinition } from './snapshot.js';

/** The fields that all rows have. */
export interface AnyRow {
  readonly id: string;
}

export interface WorkspaceRow extends Workspace {
  /** ISO 8601. The row of a deleted workspace stays. */
  readonly deletedAt?: string;
}

/** A key with the SHA-256 by which it is looked up. */
export interface KeyRow extends ApiKey {
  readonly hash: string;
}

/** One version of a template. Its record is a file (content-folder.ts). */
export interface VersionRow extends TemplateVersion {
  /** Of the record's JSON text, hex. */
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

export const WORKSPACES: TableDefinition<WorkspaceRow> = {
  table: 'workspaces',
  isRow: (row): row is WorkspaceRow =>
    isObject(row) &&
    isText(row.id) &&
    isText(row.name) &&
    (row.plan === 'free' || row.plan === 'paid') &&
    isAmount(row.balance) &&
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
    isOptional(row.prefix, isText) &&
    isOptional(row.rateLimit, isCount) &&
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
  const { id, workspaceId, kind, mimeType, bytes, sha256, width, height, family, weight, style, createdAt } = row;
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
    createdAt,
  };
}
