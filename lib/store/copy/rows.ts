// The rows that a copy transfers, and how they are compared.
import {
  assetOf,
  type KeyRow,
  keyOf,
  type LinkRow,
  linkKeyOf,
  type WorkspaceRow,
  workspaceOf,
} from '../embedded/rows.js';
import type { AuditEntry, Role } from '../operator-store.js';
import type { RenderEntry, SettledRequest, StoredAsset, TemplateVersion } from '../types.js';

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
export interface CopiedOperator {
  /** The name: it is unique too, and a target may have another operator of that name. */
  readonly id: string;
  readonly operatorId: string;
  readonly role: Role;
  readonly workspaces: readonly string[] | null;
  readonly passwordHash?: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A template without its versions. */
export interface TemplateHead {
  readonly id: string;
  readonly workspaceId: string;
  /** The latest version. */
  readonly version: number;
  readonly publishedVersion: number | null;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface RecordedVersion extends TemplateVersion {
  /** The template's id, a space, and the version. */
  readonly id: string;
  readonly templateId: string;
  readonly assetIds: readonly string[];
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
  ...(['workspaces', 'keys', 'link keys', 'templates', 'versions', 'assets'] as const),
  ...(['charges', 'ledgers', 'usage days', 'idempotency keys', 'operators', 'audit entries', 'renders'] as const),
] as const satisfies CopyKind[];

/**
 * A text that is equal for equal rows. Entries of the logs never change, so their ids are enough. The time of a key's
 * last use does not count.
 */
export function fingerprint<Kind extends CopyKind>(kind: Kind, row: CopyRows[Kind]): string {
  switch (kind) {
    case 'workspaces': {
      const workspace = row as WorkspaceRow;
      return JSON.stringify({ ...workspaceOf(workspace), isDeleted: workspace.deletedAt !== undefined });
    }
    case 'keys': {
      const key = row as KeyRow;
      return JSON.stringify({ ...keyOf(key), lastUsedAt: undefined, hash: key.hash });
    }
    case 'link keys':
      return JSON.stringify({ ...linkKeyOf(row as LinkRow), lastUsedAt: undefined });
    case 'templates': {
      const { id, workspaceId, version, publishedVersion, createdAt, updatedAt } = row as TemplateHead;
      return JSON.stringify({ id, workspaceId, version, publishedVersion, createdAt, updatedAt });
    }
    case 'versions': {
      const { id, name, width, height, hotspots, createdAt, assetIds, record } = row as RecordedVersion;
      return JSON.stringify({ id, name, width, height, hotspots, createdAt, assetIds, record });
    }
    case 'assets':
      return JSON.stringify(assetOf({ ...(row as AssetContent), ordinal: 0 }));
    case 'charges': {
      const { id, workspaceId, cost, chargedAt } = row as CopiedCharge;
      return JSON.stringify({ id, workspaceId, cost, chargedAt });
    }
    case 'ledgers': {
      const { id, grants, charges } = row as CopiedLedger;
      return JSON.stringify([
        id,
        grants.map(({ time, amount }) => [time, amount]),
        charges.map(({ day, amount, renders }) => [day, amount, renders]),
      ]);
    }
    case 'usage days': {
      const { id, renders, failures, cpuMs } = row as UsageDay;
      return JSON.stringify({ id, renders, failures, cpuMs });
    }
    case 'operators': {
      const { id, operatorId, role, workspaces, passwordHash, createdAt } = row as CopiedOperator;
      return JSON.stringify({ id, operatorId, role, workspaces, passwordHash, createdAt });
    }
    case 'idempotency keys': {
      const { id, fingerprint, renderId, templateVersion, creditsCost, settledAt } = row as SettledKey;
      return JSON.stringify({ id, fingerprint, renderId, templateVersion, creditsCost, settledAt });
    }
    default:
      return row.id;
  }
}
