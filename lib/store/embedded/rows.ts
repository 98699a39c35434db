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

/** A version of a brand. Its record is a file (content-folder.ts). */
export type BrandVersionRow = Pick<VersionRow, 'version' | 'sha256' | 'bytes' | 'createdAt'>;

/** The brand of a workspace with its versions, oldest first. */
export interface BrandRow {
  /** The workspace's id. */
  readonly id: string;
  readonly workspaceId: string;
  readonly versions: readonly BrandVersionRow[];
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

type Check = (value: unknown) => boolean;
const optional = (isValid: Check) => (value: unknown) => isOptional(value, isValid);
const oneOf =
  (...values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value);
const listOf =
  (isValid: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isValid);

/** A check of fields by their names, separated by spaces. */
type Fields = readonly [names: string, isValid: Check];

/** A check that a value is an object with these fields. */
function shape(...fields: readonly Fields[]): Check {
  const checks = fields.flatMap(([names, isValid]) => names.split(' ').map((name) => [name, isValid] as const));
  return (value) => isObject(value) && checks.every(([name, isValid]) => isValid(value[name]));
}

function tableOf<Row>(table: string, ...fields: readonly Fields[]): TableDefinition<Row> {
  const isValid = shape(...fields);
  return { table, isRow: (row): row is Row => isValid(row) };
}

const isState = oneOf('active', 'revoked');

export const WORKSPACES = tableOf<WorkspaceRow>(
  'workspaces',
  ['id name', isText],
  ['plan', oneOf('free', 'paid')],
  ['balance', isAmount],
  ['lines', optional(isCount)],
  ['unposted', optional(isLines)],
  ['charges', optional(isCharges)],
  ['deletedAt', optional(isText)],
);

export const KEYS = tableOf<KeyRow>(
  'keys',
  ['id workspaceId name createdAt', isText],
  ['scopes', listOf(isText)],
  ['state', isState],
  ['hash', isDigest],
  ['hours', optional(isHours)],
  ['prefix lastUsedAt', optional(isText)],
  ['rateLimit', optional(isCount)],
);

export const LINKS = tableOf<LinkRow>(
  'links',
  ['id workspaceId name publicKey createdAt', isText],
  ['state', isState],
  ['revokedAt lastUsedAt', optional(isText)],
  ['hours', optional(isHours)],
);

const isVersionRow = shape(
  ['version bytes', isCount],
  ['sha256', isDigest],
  ['name createdAt', isText],
  ['width height', isAmount],
  ['hotspots', listOf(isObject)],
  ['assetIds', listOf(isText)],
);
const isFormerTemplate = shape(['id workspaceId name', isText], ['width height', isAmount], ['record', isObject]);
const isTemplate = shape(
  ['id workspaceId createdAt updatedAt', isText],
  ['ordinal', isCount],
  ['publishedVersion', (value) => value === null || isCount(value)],
  ['versions', (value) => listOf(isVersionRow)(value) && (value as readonly unknown[]).length > 0],
);

export const TEMPLATES: TableDefinition<TemplateRow> = {
  table: 'templates',
  isRow: (row, version): row is TemplateRow => (version === 1 ? isFormerTemplate(row) : isTemplate(row)),
};

const isBrandVersion = shape(['version bytes', isCount], ['sha256', isDigest], ['createdAt', isText]);

export const BRANDS = tableOf<BrandRow>(
  'brands',
  ['id workspaceId', isText],
  ['versions', (value) => listOf(isBrandVersion)(value) && (value as readonly unknown[]).length > 0],
);

export const ASSETS = tableOf<AssetRow>(
  'assets',
  ['id workspaceId mimeType createdAt', isText],
  ['ordinal bytes', isCount],
  ['kind', oneOf('image', 'font')],
  ['sha256', isDigest],
  ['width height weight', optional(isAmount)],
  ['family', optional(isText)],
  ['style', oneOf(undefined, 'normal', 'italic')],
  [
    'typeface',
    optional(shape(['scripts', listOf(isText)], ['category sample', isText], ['isVariable', oneOf(true, false)])),
  ],
);

const SECRET: readonly Fields[] = [
  ['hash', isDigest],
  ['expiresAt', isText],
];

export const OPERATORS = tableOf<OperatorRow>(
  'operators',
  ['id name createdAt', isText],
  ['role', oneOf(...ROLES)],
  ['workspaces', (value) => value === null || listOf(isText)(value)],
  ['passwordHash', optional(isText)],
  ['token', optional(shape(...SECRET))],
  ['sessions', listOf(shape(...SECRET, ['usedAt', isText]))],
);

export const LEDGER = tableOf<LedgerRow>('ledger', ['id workspaceId month', isText], ['lines', isLines]);

export const USAGE = tableOf<UsageRow>(
  'usage',
  ['id workspaceId month', isText],
  [
    'days',
    (days) => isObject(days) && Object.entries(days).every(([day, counts]) => isDay(day) && isCounts(counts, 2)),
  ],
);

/** A function from a row to the value with these fields alone: those that the row has. */
function picker<Value>(fields: string): (row: object) => Value {
  const names = fields.split(' ');
  return (row) => {
    const all = row as Readonly<Record<string, unknown>>;
    return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]))) as Value;
  };
}

/** The public fields of a key: without its hash and without fields that a later version may have added. */
export const keyOf: (row: KeyRow) => ApiKey = picker(
  'id workspaceId name scopes state createdAt prefix rateLimit lastUsedAt',
);

/** The public fields of a link key. */
export const linkKeyOf: (row: LinkRow) => LinkKey = picker(
  'id workspaceId name publicKey state createdAt revokedAt lastUsedAt',
);

export const versionOf: (row: VersionRow) => TemplateVersion = picker('version name width height hotspots createdAt');

export const assetOf: (row: AssetRow) => StoredAsset = picker(
  'id workspaceId kind mimeType bytes sha256 width height family weight style typeface createdAt',
);

export const workspaceOf: (row: WorkspaceRow) => Workspace = picker('id name plan balance');

export function operatorOf({ id, name, role, workspaces, passwordHash, createdAt }: OperatorRow): Operator {
  return { id, name, role, workspaces, hasPassword: passwordHash !== undefined, createdAt };
}

export function latestOf({ versions }: TemplateRow): VersionRow {
  return versions[versions.length - 1];
}

export function templateOf(row: TemplateRow): VersionedTemplate {
  const { id, workspaceId, publishedVersion, createdAt, updatedAt } = row;
  const { name, width, height, hotspots, version } = latestOf(row);
  return { id, workspaceId, name, width, height, hotspots, version, publishedVersion, createdAt, updatedAt };
}
