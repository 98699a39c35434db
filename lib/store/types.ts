// The storage interface of the service and the admin commands. Two implementations (files in a data folder, PostgreSQL)
// pass one behaviour suite; code outside lib/store does not know which one runs.
import type { FontCategory } from '../contract/api/fonts.js';
import type { Scope } from '../contract/api/operations/operation.js';
import type { TemplateHotspot, TemplateSummary, VersionSummary } from '../contract/api/templates.js';
import type { KeyAnswer, KeyRequests, LinkKeyAnswer, WorkspaceSummary } from '../contract/dashboard.js';
import type { AuditStore, OperatorStore } from './operator-store.js';
import type { PageRequest, StorePage } from './page.js';
import type { UsageStore } from './usage-store.js';

export type { PageRequest, StorePage };

export type Plan = WorkspaceSummary['plan'];

export interface Workspace extends WorkspaceSummary {
  /** Credits granted and not yet charged; credits on hold are included. */
  readonly balance: number;
}

export type { Scope };

export interface ApiKey extends Omit<KeyAnswer, keyof KeyRequests> {
  readonly workspaceId: string;
}

/** A key that signs image links. The store has its public half only, so nothing that is stored can sign. */
export interface LinkKey extends Omit<LinkKeyAnswer, keyof KeyRequests> {
  readonly workspaceId: string;
  /** Ed25519: 32 bytes as base64url. */
  readonly publicKey: string;
}

/** Largest number of active link keys in a workspace: each has a separate rate limit. */
export const MAX_LINK_KEYS = 100;

/** A finished render, as `platen log` prints it. */
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

/** Credits reserved for a running render. A hold is settled or released exactly once. */
export interface Hold {
  readonly id: string;
  readonly workspaceId: string;
  readonly cost: number;
}

/** The windows in which a key's requests are counted: renders, and the operations that read or manage. */
export type RateWindow = 'render' | 'read';

/** Whether a request is within its key's rate limit, and the values of the RateLimit headers. */
export interface RateDecision {
  readonly allowed: boolean;
  readonly limit: number;
  /** Requests that are still allowed after this one. */
  readonly remaining: number;
  /** Milliseconds until the oldest counted request leaves the window; if refused, until a request is allowed again. */
  readonly resetMs: number;
}

/** The operations on requests and holds. Each rejects with RenderError `storage_unavailable` when storage fails. */
export interface RequestStore {
  /** The key with this SHA-256 (hex) and its workspace; undefined if there is none. The result is never stale. */
  findKey(hash: string): Promise<{ key: ApiKey; workspace: Workspace } | undefined>;
  /** The link key with this id and its workspace; undefined if there is none. The result is never stale. */
  findLinkKey(id: string): Promise<{ key: LinkKey; workspace: Workspace } | undefined>;
  /**
   * Counts one request of an API key or a link key against `limit` requests of this window in any 60 seconds. A refused one
   * is not counted.
   */
  countRequest(keyId: string, window: RateWindow, limit: number): Promise<RateDecision>;
  /** Reserves `cost` if the balance minus all open holds covers it; otherwise returns that difference. */
  hold(workspaceId: string, cost: number): Promise<{ hold: Hold } | { balance: number }>;
  /** Ends the hold without a charge. Does nothing when it has ended, so it can be called in a `finally`. */
  release(hold: Hold): Promise<void>;
  /**
   * Writes where a charge writes, and changes nothing. Resolves when that is durable, as a charge would be; rejects with
   * RenderError `storage_unavailable` when a charge would fail, such as on a full or read-only disk.
   */
  assertWritable(): Promise<void>;
}

/** The operations on workspaces, keys and credits. Unknown ids reject with a StoreError of code `not_found`. */
export interface AdminStore {
  createWorkspace(fields: { name: string; plan: Plan; credits: number }): Promise<Workspace>;
  /** Newest first, like all lists. */
  listWorkspaces(): Promise<Workspace[]>;
  /** Finds a workspace; undefined if there is none. The result is never stale. */
  findWorkspace(id: string): Promise<Workspace | undefined>;
  /** `hash` is the SHA-256 (hex) of the raw key. Storage never receives the raw key. */
  createKey(fields: {
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    hash: string;
    /** `keyPrefix` of the raw key. */
    prefix?: string | undefined;
    /** Renders a minute, instead of the server's limit. */
    rateLimit?: number | undefined;
  }): Promise<ApiKey>;
  listKeys(workspaceId: string): Promise<ApiKey[]>;
  /** Revoking a revoked key changes nothing. */
  revokeKey(id: string): Promise<ApiKey>;
  /** Rejects with a StoreError of code `link_key_limit` when the workspace has MAX_LINK_KEYS active ones. */
  createLinkKey(fields: { workspaceId: string; name: string; publicKey: string }): Promise<LinkKey>;
  listLinkKeys(workspaceId: string): Promise<LinkKey[]>;
  /** Revoking a revoked key changes nothing. */
  revokeLinkKey(id: string): Promise<LinkKey>;
  /** Deleted workspaces have one, too. */
  balance(workspaceId: string): Promise<{ workspaceId: string; balance: number }>;
  /** `amount` is a positive integer. */
  grant(workspaceId: string, amount: number): Promise<{ workspaceId: string; balance: number }>;
  updateWorkspace(id: string, fields: { readonly name?: string; readonly plan?: Plan }): Promise<Workspace>;
  /**
   * Deletes the workspace's keys, link keys, templates, brand and assets; its ledger and render log stay. Its keys are unknown from the next
   * request on, and no other operation finds the workspace.
   */
  deleteWorkspace(id: string): Promise<Workspace>;
  /** Takes credits back. Rejects with StoreError when less is available (the balance minus open holds). */
  revokeCredits(workspaceId: string, amount: number): Promise<{ workspaceId: string; balance: number }>;
}

/** The `Idempotency-Key` of a request, or the digest of a linked image. Each API key has its own. */
export interface IdempotencyKey {
  /** Id of the API key; for image links that of the workspace, whose link keys share their images. */
  readonly keyId: string;
  /** The header's value, or the digest. */
  readonly value: string;
}

/** The right of one request to settle its idempotency key. It ends when it is settled or released, or after some time. */
export interface IdempotencyLease {
  readonly id: string;
  readonly key: IdempotencyKey;
  /** SHA-256 of the canonical body, hex. */
  readonly fingerprint: string;
}

/** The first charged request of an idempotency key. */
export interface SettledRequest {
  readonly fingerprint: string;
  /** Id of its entry in the render log. */
  readonly renderId: string;
  /** Absent for a canvas. */
  readonly templateVersion?: number;
  /** The version of the workspace's brand; absent if it had none. */
  readonly brandVersion?: number;
  readonly creditsCost: number;
}

export type IdempotencyClaim =
  /** Nobody has settled this key: the caller renders, and settles or releases the lease. */
  | { readonly lease: IdempotencyLease }
  /** Settled in the last 24 hours, whatever the fingerprint: the caller compares. */
  | { readonly settled: SettledRequest }
  /** Another request has the lease. It ends in at most this many milliseconds. */
  | { readonly inProgressMs: number };

/** The data that a charge stores about its idempotency key. */
export interface Settlement {
  readonly lease: IdempotencyLease;
  readonly renderId: string;
  /** Absent for a canvas. */
  readonly templateVersion?: number | undefined;
  /** Absent for a workspace without a brand. */
  readonly brandVersion?: number | undefined;
}

export interface IdempotencyStore {
  /** Looks the key up and, if it is free, takes the lease: atomic over all nodes. Leases expire as holds do. */
  claimIdempotencyKey(key: IdempotencyKey, fingerprint: string): Promise<IdempotencyClaim>;
  /**
   * Returns for each key the fingerprint of the request that settled it in the last 24 hours; undefined if there is none. Takes
   * no lease.
   */
  settledFingerprints(keys: readonly IdempotencyKey[]): Promise<readonly (string | undefined)[]>;
  /** Ends the lease without settling the key. Does nothing when it has ended, so it can be called in a `finally`. */
  releaseIdempotencyLease(lease: IdempotencyLease): Promise<void>;
  /**
   * Charges the hold and ends it. Resolves with the new balance once the charge is durable. Rejects with StoreError if the
   * hold had ended before. With `settlement`, stores it in the same durable step: after a crash there is either both or
   * neither. If the lease has expired or been taken over, rejects and charges nothing. If it rejects for any reason,
   * nothing was charged, the key is not settled, and hold and lease have ended.
   */
  settle(hold: Hold, settlement?: Settlement): Promise<{ balance: number }>;
}

/** A variable of a template: a layer with a key. */
export type StoredHotspot = Readonly<TemplateHotspot>;

/** A record to save, with what is derived from it. The record has passed `checkSavedTemplate`. */
export interface TemplateDraft {
  readonly record: { readonly name: string; readonly width: number; readonly height: number };
  /** Hotspots in drawing order. */
  readonly hotspots: readonly StoredHotspot[];
  /** Ids of the assets that the record names (`asset:ID`). */
  readonly assetIds: readonly string[];
}

/** A template of the latest version. */
export interface VersionedTemplate extends Readonly<Omit<TemplateSummary, 'hotspots'>> {
  readonly workspaceId: string;
  readonly hotspots: readonly StoredHotspot[];
}

/** An immutable version of a template. */
export interface TemplateVersion extends Readonly<Omit<VersionSummary, 'hotspots'>> {
  readonly hotspots: readonly StoredHotspot[];
}

/** Names a template. With a workspace, a template of another workspace counts as unknown. */
export interface TemplateAddress {
  readonly id: string;
  readonly workspaceId?: string | undefined;
}

/** The versions that a write requires; otherwise it fails with a StoreError of code `version_conflict`. */
export interface ExpectedVersion {
  /** The latest version. */
  readonly version: number;
  /** The published version, 0 for none; any by default. */
  readonly publishedVersion?: number | undefined;
}

export interface TemplateWrite {
  /** Whether the new version becomes the published one. */
  readonly publish: boolean;
  readonly ifVersion?: ExpectedVersion | undefined;
}

/** The latest 100 versions of a template and the published one are kept, and the latest 100 of a brand. */
export const MAX_VERSIONS = 100;

/** Unknown templates and versions reject with a StoreError of code `not_found`. */
export interface TemplateStore {
  /** Finds the record that a render uses: of `version`, else of the published version. Undefined if there is none. */
  findTemplate(
    workspaceId: string,
    templateId: string,
    version?: number,
  ): Promise<{ readonly record: unknown; readonly version: number } | undefined>;
  createTemplate(
    workspaceId: string,
    draft: TemplateDraft,
    options: { readonly publish: boolean },
  ): Promise<VersionedTemplate>;
  /** Adds a version. */
  replaceTemplate(address: TemplateAddress, draft: TemplateDraft, options: TemplateWrite): Promise<VersionedTemplate>;
  /** Adds a version that equals an old one, and publishes it if `publish` is set. */
  restoreTemplate(address: TemplateAddress, version: number, options: TemplateWrite): Promise<VersionedTemplate>;
  publishTemplate(address: TemplateAddress, version: number, ifVersion?: ExpectedVersion): Promise<VersionedTemplate>;
  /** Deletes all versions. */
  deleteTemplate(address: TemplateAddress, ifVersion?: ExpectedVersion): Promise<VersionedTemplate>;
  getTemplate(address: TemplateAddress): Promise<VersionedTemplate>;
  /** The record of a version, else of the latest, as it was saved. */
  getTemplateRecord(
    address: TemplateAddress,
    version?: number,
  ): Promise<{ readonly record: unknown; readonly version: TemplateVersion }>;
  /** Lists the templates of one workspace, or else of all. */
  listTemplates(workspaceId: string | undefined, page: PageRequest): Promise<StorePage<VersionedTemplate>>;
  listTemplateVersions(address: TemplateAddress, page: PageRequest): Promise<StorePage<TemplateVersion>>;
}

/** A version of a workspace's brand. Versions never change; renders use the latest one. */
export interface StoredBrand {
  /** 1, 2, … */
  readonly version: number;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The brand as it was saved. */
  readonly record: unknown;
}

/** The brands of workspaces, each with its latest 100 versions. */
export interface BrandStore {
  /** The workspace's brand of `version`, else the latest one; undefined if there is none. The result is never stale. */
  findBrand(workspaceId: string, version?: number): Promise<StoredBrand | undefined>;
  /**
   * Saves the next version. Rejects with a StoreError of code `not_found` for an unknown workspace, and `version_conflict` if
   * `ifVersion` is not the latest version; 0 stands for none.
   */
  replaceBrand(workspaceId: string, record: object, ifVersion?: number): Promise<StoredBrand>;
}

/** An entry of the render log: a render that was charged or repeated, or one that failed. */
export interface LoggedRender extends RenderEntry {
  readonly status: 'ok' | 'failed';
  /** The error's code; failed entries only. */
  readonly code?: string;
  /** The first fault; failed entries only. */
  readonly detail?: { readonly path: string; readonly message: string };
  readonly templateVersion?: number;
  /** SHA-256 of the bytes, base64url. */
  readonly sha256?: string;
  /** Whole milliseconds of processor time of the render process; absent when it is unknown or nothing ran for the request. */
  readonly cpuMs?: number;
  /** Number of warnings. */
  readonly warnings: number;
  /** Variables of the request; stored with LOG_VARIABLES=on, up to 16 KiB as JSON. */
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Id of the entry whose charge this repeat used. */
  readonly replayOf?: string;
}

export interface RenderLogFilter {
  readonly status?: 'ok' | 'failed' | undefined;
  readonly templateId?: string | undefined;
  readonly keyId?: string | undefined;
  /** ISO 8601, inclusive. */
  readonly from?: string | undefined;
  /** ISO 8601, exclusive. */
  readonly to?: string | undefined;
  /** Values of metadata's own fields, compared as text. */
  readonly metadata?: Readonly<Record<string, string>> | undefined;
}

export interface RenderLogStore {
  /** Adds in the background. Entries that can't be written are dropped with a warning. */
  appendRender(entry: LoggedRender): void;
  /** Scans a bounded number of entries: a page may be shorter than its limit and still have a cursor. */
  listRenders(workspaceId: string, filter: RenderLogFilter, page: PageRequest): Promise<StorePage<LoggedRender>>;
  findRender(workspaceId: string, id: string): Promise<LoggedRender | undefined>;
}

/** A picture or a font of a workspace. */
export interface StoredAsset {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: 'image' | 'font';
  readonly mimeType: string;
  readonly bytes: number;
  /** Digest of the content, hexadecimal. */
  readonly sha256: string;
  /** Images only: natural size. */
  readonly width?: number;
  readonly height?: number;
  /** Fonts only. */
  readonly family?: string;
  readonly weight?: number;
  readonly style?: 'normal' | 'italic';
  readonly typeface?: StoredTypeface;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** Facts for lists of fonts; absent for fonts that were added before these were stored. */
export interface StoredTypeface {
  /** ISO 15924 codes, the main script first. */
  readonly scripts: readonly string[];
  readonly category: FontCategory;
  /** A text in the main script. */
  readonly sample: string;
  readonly isVariable: boolean;
}

export interface AssetStore {
  /**
   * Stores `content`, or finds the workspace's asset with the same bytes (`isNew` is then false). Rejects with a StoreError
   * of code `asset_quota` when the workspace's assets would exceed `quotaBytes`.
   */
  addAsset(
    asset: Omit<StoredAsset, 'id' | 'createdAt' | 'bytes'>,
    content: Uint8Array,
    quotaBytes: number,
  ): Promise<{ readonly asset: StoredAsset; readonly isNew: boolean }>;
  findAsset(workspaceId: string, id: string): Promise<StoredAsset | undefined>;
  /** The content, checked against its SHA-256. */
  readAsset(workspaceId: string, id: string): Promise<Uint8Array | undefined>;
  listAssets(workspaceId: string, page: PageRequest): Promise<StorePage<StoredAsset>>;
  /** All fonts of the workspace. */
  listFontAssets(workspaceId: string): Promise<readonly StoredAsset[]>;
  /**
   * Rejects with a StoreError of code `not_found`, or `asset_in_use` whose `templates` name the asset in their latest or
   * published version, unless `force` is set.
   */
  deleteAsset(workspaceId: string, id: string, options: { readonly force: boolean }): Promise<StoredAsset>;
}

export interface Store
  extends RequestStore,
    IdempotencyStore,
    AdminStore,
    TemplateStore,
    BrandStore,
    RenderLogStore,
    AssetStore,
    OperatorStore,
    AuditStore,
    UsageStore {
  close(): Promise<void>;
}

/** Reasons of failures that callers distinguish. */
export type StoreErrorCode =
  | 'not_found'
  | 'version_conflict'
  | 'invalid_cursor'
  | 'asset_quota'
  | 'asset_in_use'
  | 'link_key_limit'
  | 'duplicate_name'
  | 'last_owner';

/** A failure for the user, such as an unknown id, a duplicate key or a locked folder. The message is one line. */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode | undefined;
  /** Ids of the templates that use the asset, for the code `asset_in_use`. */
  readonly templates: readonly string[];

  constructor(
    message: string,
    options: ErrorOptions & { readonly code?: StoreErrorCode; readonly templates?: readonly string[] } = {},
  ) {
    super(message, options);
    this.code = options.code;
    this.templates = options.templates ?? [];
  }
}
