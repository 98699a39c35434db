// Converts between database rows and the types of the storage interface.
import { randomBytes } from 'node:crypto';
import { formatReceived } from '../../contract/json/describe.js';
import { addCredits } from '../credits.js';
import {
  type ApiKey,
  type LinkKey,
  type Plan,
  type Scope,
  type StoredAsset,
  type StoredHotspot,
  type StoredTypeface,
  StoreError,
  type TemplateVersion,
  type VersionedTemplate,
  type Workspace,
} from '../types.js';

const MILLIONTHS = 1e6;
/** Longest id that is looked up, in characters; generated ids have about 30. */
const MAX_ID_LENGTH = 200;

/** A bigint column, which the driver returns as text. Credits are below 2^53 millionths, so they fit a number. */
export type BigintText = string;

export interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly plan: Plan;
  readonly balance: BigintText;
}

export interface KeyRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly prefix: string | null;
  readonly scopes: Scope[];
  readonly state: ApiKey['state'];
  readonly created_at: Date;
  readonly rate_limit: number | null;
  readonly last_used_at: Date | null;
}

export interface LinkRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly name: string;
  readonly public_key: Buffer;
  readonly state: LinkKey['state'];
  readonly created_at: Date;
  readonly revoked_at: Date | null;
  readonly last_used_at: Date | null;
}

/** A row of `template_list`. */
export interface TemplateRow {
  readonly id: string;
  readonly ordinal: BigintText;
  readonly workspace_id: string;
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** JSON. */
  readonly hotspots: string;
  readonly version: number;
  readonly published_version: number | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export type VersionRow = Pick<TemplateRow, 'version' | 'name' | 'width' | 'height' | 'hotspots' | 'created_at'>;

export interface AssetRow {
  readonly id: string;
  readonly ordinal: BigintText;
  readonly workspace_id: string;
  readonly kind: StoredAsset['kind'];
  readonly mime_type: string;
  readonly bytes: BigintText;
  readonly sha256: Buffer;
  readonly width: number | null;
  readonly height: number | null;
  readonly family: string | null;
  readonly weight: number | null;
  readonly style: 'normal' | 'italic' | null;
  /** JSON. */
  readonly typeface: string | null;
  readonly created_at: Date;
}

export const WORKSPACE_COLUMNS = 'id, name, plan, balance';
/**
 * The last use of the API key or link key in table `k`: the count of its newest request. A copied store has the time without a
 * count.
 */
const LAST_USED = `(SELECT to_timestamp(max(r.last - r.shift) / 1e6) FROM platen.rate_windows r
  WHERE r.key_id = k.id AND (r.next > 0 OR r.last > 0)) AS last_used_at`;
/** The columns of a KeyRow, from the table `k` of keys. */
export const KEY_COLUMNS = `k.id, k.workspace_id, k.name, k.prefix, k.scopes, k.state, k.created_at, k.rate_limit, ${LAST_USED}`;
/** The columns of a LinkRow, from the table `k` of links. */
export const LINK_COLUMNS = `k.id, k.workspace_id, k.name, k.public_key, k.state, k.created_at, k.revoked_at, ${LAST_USED}`;

export function fromMillionths(millionths: BigintText): number {
  return Number(millionths) / MILLIONTHS;
}

export function toMillionths(credits: number): number {
  return Math.round(addCredits(credits, 0) * MILLIONTHS);
}

export function workspaceOf({ id, name, plan, balance }: WorkspaceRow): Workspace {
  return { id, name, plan, balance: fromMillionths(balance) };
}

export function keyOf(row: KeyRow): ApiKey {
  const { id, workspace_id: workspaceId, name, prefix, scopes, state, created_at, rate_limit, last_used_at } = row;
  return {
    id,
    workspaceId,
    name,
    ...(prefix !== null && { prefix }),
    scopes,
    state,
    createdAt: created_at.toISOString(),
    ...(rate_limit !== null && { rateLimit: rate_limit }),
    ...(last_used_at !== null && { lastUsedAt: last_used_at.toISOString() }),
  };
}

export function linkKeyOf(row: LinkRow): LinkKey {
  const { id, workspace_id: workspaceId, name, public_key, state, created_at, revoked_at, last_used_at } = row;
  return {
    id,
    workspaceId,
    name,
    publicKey: public_key.toString('base64url'),
    state,
    createdAt: created_at.toISOString(),
    ...(revoked_at !== null && { revokedAt: revoked_at.toISOString() }),
    ...(last_used_at !== null && { lastUsedAt: last_used_at.toISOString() }),
  };
}

export function templateOf(row: TemplateRow): VersionedTemplate {
  const { id, workspace_id, name, width, height, hotspots, version, published_version, created_at, updated_at } = row;
  return {
    id,
    workspaceId: workspace_id,
    name,
    width,
    height,
    hotspots: JSON.parse(hotspots) as StoredHotspot[],
    version,
    publishedVersion: published_version,
    createdAt: created_at.toISOString(),
    updatedAt: updated_at.toISOString(),
  };
}

export function versionOf({ version, name, width, height, hotspots, created_at }: VersionRow): TemplateVersion {
  const parsed = JSON.parse(hotspots) as StoredHotspot[];
  return { version, name, width, height, hotspots: parsed, createdAt: created_at.toISOString() };
}

export function assetOf(row: AssetRow): StoredAsset {
  const { id, workspace_id, kind, mime_type, bytes, sha256, created_at } = row;
  const { width, height, family, weight, style, typeface } = row;
  return {
    id,
    workspaceId: workspace_id,
    kind,
    mimeType: mime_type,
    bytes: Number(bytes),
    sha256: sha256.toString('hex'),
    ...(width !== null && { width }),
    ...(height !== null && { height }),
    ...(family !== null && { family }),
    ...(weight !== null && { weight }),
    ...(style !== null && { style }),
    ...(typeface !== null && { typeface: JSON.parse(typeface) as StoredTypeface }),
    createdAt: created_at.toISOString(),
  };
}

/** Whether `text` can be an id. PostgreSQL rejects NUL in text, and a very long text is not worth a query. */
export function isPossibleId(text: string): boolean {
  return text.length <= MAX_ID_LENGTH && !text.includes('\0');
}

/** Replaces NUL, which PostgreSQL rejects in text, by U+FFFD. */
export function escapeName(text: string): string {
  return text.replaceAll('\0', '\ufffd');
}

/** A new id, such as `tpl_…`. */
export const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`;

/** Returns `id`. Throws StoreError when it can't be an id; `noun` says of what. */
export function validId(id: string, noun: string): string {
  if (!isPossibleId(id)) throw notFound(id, noun);
  return id;
}

export function notFound(id: string, noun: string): StoreError {
  return new StoreError(`there is no ${noun} ${formatReceived(id)}`, { code: 'not_found' });
}
