// The rows that a copy transfers, and how they are compared.
import { createHash } from 'node:crypto';
import type { KeyRow, LinkRow, OperatorRow, WorkspaceRow } from '../embedded/rows.js';
import type { AuditEntry } from '../operator-store.js';
import type { RenderEntry, SettledRequest, StoredAsset, TemplateVersion, VersionedTemplate } from '../types.js';

/** A charge in a database. A data folder has no charges. */
export interface CopiedCharge {
  readonly id: string;
  readonly workspaceId: string;
  readonly cost: number;
  /** ISO 8601 with microseconds. */
  readonly chargedAt: string;
}

/** All lines of a workspace's ledger. */
export interface CopiedLedger {
  /** Id of the workspace. */
  readonly id: string;
  /** Grants in their order. */
  readonly grants: readonly { readonly time: string; readonly amount: number }[];
  /** Charges by day (`2026-11-22`). */
  readonly charges: readonly { readonly day: string; readonly amount: number; readonly renders: number }[];
}

/** Renders of a workspace on one day, and milliseconds of processor time. */
export interface UsageDay {
  /** The workspace's id, a space, and the day (`2026-11-22`). */
  readonly id: string;
  readonly renders: number;
  readonly failures: number;
  readonly cpuMs: number;
}

/** An operator without its sessions and its sign-in link. */
export interface CopiedOperator extends Omit<OperatorRow, 'name' | 'sessions' | 'token'> {
  /** The name: it is unique too, and a target may have another operator of that name. */
  readonly id: string;
  readonly operatorId: string;
}

/** A template without its versions. */
export type TemplateHead = Omit<VersionedTemplate, 'name' | 'width' | 'height' | 'hotspots'>;

export interface RecordedVersion extends TemplateVersion {
  /** The template's id, a space, and the version. */
  readonly id: string;
  readonly templateId: string;
  readonly assetIds: readonly string[];
  /** JSON text. */
  readonly record: string;
}

/** A version of a workspace's brand. */
export interface CopiedBrand {
  /** The workspace's id, a space, and the version. */
  readonly id: string;
  readonly workspaceId: string;
  readonly version: number;
  readonly createdAt: string;
  /** JSON text. */
  readonly record: string;
}

export interface AssetContent extends StoredAsset {
  readonly content: Uint8Array;
}

/** An idempotency key of the last 24 hours. */
export interface SettledKey extends SettledRequest {
  /** SHA-256 of the API key's id and the header's value, hex. */
  readonly id: string;
  /** ISO 8601. */
  readonly settledAt: string;
}

export interface CopyRows {
  readonly workspaces: WorkspaceRow;
  readonly keys: KeyRow;
  readonly 'link keys': LinkRow;
  readonly templates: TemplateHead;
  readonly versions: RecordedVersion;
  readonly 'brand versions': CopiedBrand;
  readonly assets: AssetContent;
  readonly charges: CopiedCharge;
  readonly ledgers: CopiedLedger;
  readonly 'idempotency keys': SettledKey;
  readonly 'usage days': UsageDay;
  readonly operators: CopiedOperator;
  readonly 'audit entries': AuditEntry;
  readonly renders: RenderEntry;
}
export type CopyKind = keyof CopyRows;

/** The kinds in order of copying: rows that other rows refer to come first. */
export const COPY_KINDS = [
  ...(['workspaces', 'keys', 'link keys', 'templates', 'versions', 'brand versions', 'assets'] as const),
  ...(['charges', 'ledgers', 'usage days', 'idempotency keys', 'operators', 'audit entries', 'renders'] as const),
] as const satisfies CopyKind[];

/** Rows per batch, unless they are large. */
export const BATCH_SIZE = 1000;

/**
 * The fields that are compared. Entries of the logs never change, so their ids are enough. The time of a key's last use does
 * not count, and the content of an asset counts by its digest.
 */
const COMPARED: Readonly<Record<CopyKind, string>> = {
  workspaces: 'id name plan balance deletedAt',
  keys: 'id workspaceId name scopes state createdAt prefix rateLimit hash',
  'link keys': 'id workspaceId name publicKey state createdAt revokedAt',
  templates: 'id workspaceId version publishedVersion createdAt updatedAt',
  versions: 'id name width height hotspots createdAt assetIds record',
  'brand versions': 'id createdAt record',
  assets: 'id workspaceId kind mimeType bytes sha256 width height family weight style typeface createdAt',
  charges: 'id workspaceId cost chargedAt',
  ledgers: 'id grants charges',
  'usage days': 'id renders failures cpuMs',
  operators: 'id operatorId role workspaces passwordHash createdAt',
  'idempotency keys': 'id fingerprint renderId templateVersion brandVersion creditsCost settledAt',
  'audit entries': 'id',
  renders: 'id',
};

/** A digest that is equal for equal rows. */
export function fingerprint<Kind extends CopyKind>(kind: Kind, row: CopyRows[Kind]): string {
  const fields = COMPARED[kind].split(' ').map((name) => row[name as keyof CopyRows[Kind]]);
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64');
}
