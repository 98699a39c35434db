// The operations of a request in SQL: one round trip each. Nothing that another node may change is cached.

import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ServiceError } from '../../errors.js';
import { COST_CAP } from '../credits.js';
import { digestOf } from '../idempotency-key.js';
import { endedHold, notFound } from '../refusals.js';
import type {
  ApiKey,
  Hold,
  IdempotencyLease,
  IdempotencyStore,
  Plan,
  RateDecision,
  RateWindow,
  Workspace,
} from '../types.js';
import { isConnectionLost, NoConnection } from './errors.js';
import type { KeyRequestCounts } from './key-requests.js';
import { type Database, type Statement, statements } from './pool.js';
import {
  type BigintText,
  type EntityRow,
  fromMillionths,
  isPossibleId,
  KEY_COLUMNS,
  keyOf,
  toMillionths,
  validId,
  workspaceOf,
} from './rows.js';

export interface RequestOptions {
  /** Milliseconds after which a hold expires; longer than any render takes. */
  readonly holdMs: number;
  readonly warn: (message: string) => void;
  /** Counts the requests of keys. */
  readonly counts: KeyRequestCounts;
}

const SQL = statements({
  find_key: `SELECT ${KEY_COLUMNS}, w.name AS workspace_name, w.plan, w.balance
    FROM platen.keys k JOIN platen.workspaces w ON w.id = k.workspace_id
    WHERE k.hash = $1 AND w.deleted_at IS NULL`,
  count_request: 'SELECT allowed, remaining, reset_ms FROM platen.count_request($1, $2, $3)',
  hold_credits: 'SELECT held, spendable FROM platen.hold_credits($1, $2, $3, $4)',
  claim_idempotency_key: 'SELECT * FROM platen.claim_idempotency_key($1, $2, $3, $4)',
  settled_fingerprints: `SELECT encode(id, 'hex') AS id, encode(fingerprint, 'hex') AS fingerprint FROM platen.idempotency_keys
    WHERE id = ANY($1::bytea[]) AND render_id IS NOT NULL AND expires_at > clock_timestamp()`,
  settled_brand: 'SELECT brand_version FROM platen.idempotency_keys WHERE id = $1 AND render_id = $2',
  release_lease: 'SELECT platen.release_lease($1, $2)',
  settle_hold: 'SELECT platen.settle_hold($1) AS balance',
  settle_hold_and_key: 'SELECT platen.settle_hold($1, $2, $3, $4, $5, $6, $7) AS balance',
  /** A charge that is made and removed in one transaction: its commit waits for the log on the disk, as that of a charge does. */
  probe_charge: `DO $$ DECLARE probe uuid := gen_random_uuid(); BEGIN
    INSERT INTO platen.charges (id, workspace_id, cost) VALUES (probe, '', 0);
    DELETE FROM platen.charges WHERE id = probe;
  END $$`,
  release_hold: 'SELECT platen.release_hold($1)',
  undo_settlement: 'SELECT platen.undo_settlement($1) AS undone',
  undo_settlement_and_key: 'SELECT platen.undo_settlement($1, $2, $3) AS undone',
});

/** Delays between attempts to undo or release what the database may hold, in milliseconds: about two minutes in total. */
const RETRY_DELAYS_MS = [100, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000];

export interface Requests extends IdempotencyStore {
  findKey(hash: string): Promise<{ key: ApiKey; workspace: Workspace } | undefined>;
  countRequest(keyId: string, window: RateWindow, limit: number): Promise<RateDecision>;
  hold(workspaceId: string, cost: number): Promise<{ hold: Hold } | { balance: number }>;
  release(hold: Hold): Promise<void>;
  assertWritable(): Promise<void>;
  /** Ends the background work. */
  close(): void;
}

export function createRequests(database: Database, { holdMs, warn, counts }: RequestOptions): Requests {
  /** Ids of this node's holds that are neither settled nor released. */
  const openHolds = new Set<string>();
  /** Ids of this node's leases that are neither settled nor released. */
  const openLeases = new Set<string>();
  const closing = new AbortController();

  /** Repeats a query until the database answers it; resolves with whether it did. */
  async function persist(statement: Statement, values: readonly unknown[]): Promise<boolean> {
    for (const delayMs of RETRY_DELAYS_MS) {
      try {
        await database.query(statement, values, 'once');
        return true;
      } catch {
        await sleep(delayMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
        if (closing.signal.aborted) break;
      }
    }
    return false;
  }

  /** Sends a query; if it fails, repeats it without letting the caller wait. What can't be released expires. */
  async function release(statement: Statement, values: readonly unknown[]): Promise<void> {
    await database.query(statement, values, 'once').catch(() => void persist(statement, values));
  }

  const releaseHold = (id: string) => release(SQL.release_hold, [id]);

  async function releaseLease({ id, key }: IdempotencyLease): Promise<void> {
    if (openLeases.delete(id)) await release(SQL.release_lease, [digestOf(key), id]);
  }

  /** Ensures that nothing is charged, as the caller was told, even if the database is unreachable for a while. */
  async function undo(id: string, lease: IdempotencyLease | undefined): Promise<void> {
    const undone = lease
      ? await persist(SQL.undo_settlement_and_key, [id, digestOf(lease.key), lease.id])
      : await persist(SQL.undo_settlement, [id]);
    if (!undone) warn(`it is not known whether charge ${id} was made: its render was not answered`);
  }

  function settleHold(id: string, settlement: Settlement | undefined): Promise<{ balance: BigintText | null }[]> {
    if (!settlement) return database.query(SQL.settle_hold, [id], 'backoff');
    const { lease, renderId, templateVersion = null, brandVersion = null } = settlement;
    openLeases.delete(lease.id);
    const values = [
      id,
      digestOf(lease.key),
      lease.id,
      Buffer.from(lease.fingerprint, 'hex'),
      renderId,
      templateVersion,
      brandVersion,
    ];
    return database.query(SQL.settle_hold_and_key, values, 'backoff');
  }

  return {
    async findKey(hash) {
      if (!isPossibleId(hash)) return undefined;
      type Row = EntityRow & { workspace_name: string; plan: Plan; balance: BigintText };
      const [row] = await database.query<Row>(SQL.find_key, [hash], 'once');
      if (!row) return undefined;
      const { workspace_id: id, workspace_name: name, plan, balance } = row;
      return { key: keyOf(row), workspace: workspaceOf({ id, name, plan, balance }) };
    },
    async countRequest(keyId, window, limit) {
      type Row = { allowed: boolean | null; remaining: BigintText; reset_ms: BigintText };
      const [row] = await database.query<Row>(SQL.count_request, [validId(keyId, 'key'), window, limit]);
      if (row.allowed === null) throw notFound(keyId, 'key');
      counts.note(keyId, row.allowed);
      return { allowed: row.allowed, limit, remaining: Number(row.remaining), resetMs: Number(row.reset_ms) };
    },
    async claimIdempotencyKey(key, fingerprint) {
      const lease: IdempotencyLease = { id: newHoldId(), key, fingerprint };
      openLeases.add(lease.id);
      const values = [digestOf(key), lease.id, holdMs, Buffer.from(fingerprint, 'hex')];
      const [row] = await database.query<ClaimRow>(SQL.claim_idempotency_key, values, 'once').catch((error) => {
        // The database may have created the lease before the connection was lost.
        if (isConnectionLost(error.cause) && !(error.cause instanceof NoConnection)) void releaseLease(lease);
        else openLeases.delete(lease.id);
        throw error;
      });
      if (row.running_ms === null && row.settled_id === null) return { lease };
      openLeases.delete(lease.id);
      if (row.settled_id === null) return { inProgressMs: Math.max(1, Math.ceil(row.running_ms!)) };
      type Brand = { readonly brand_version: number | null };
      // the row of a settled key does not change for 24 hours
      const [brand] = await database.query<Brand>(SQL.settled_brand, [digestOf(key), row.settled_id], 'once');
      const brandVersion = brand?.brand_version ?? undefined;
      return {
        settled: {
          fingerprint: row.settled_fingerprint.toString('hex'),
          renderId: row.settled_id,
          ...(row.settled_version !== null && { templateVersion: row.settled_version }),
          ...(brandVersion !== undefined && { brandVersion }),
          creditsCost: fromMillionths(row.settled_cost),
        },
      };
    },
    async settledFingerprints(keys) {
      const ids = keys.map((key) => digestOf(key).toString('hex'));
      const values = [ids.map((id) => `\\x${id}`)];
      const rows = await database.query<{ id: string; fingerprint: string }>(SQL.settled_fingerprints, values, 'once');
      const found = new Map(rows.map(({ id, fingerprint }) => [id, fingerprint]));
      return ids.map((id) => found.get(id));
    },
    releaseIdempotencyLease: releaseLease,
    async hold(workspaceId, cost) {
      const id = newHoldId();
      type Row = { held: boolean | null; spendable: BigintText };
      const values = [validId(workspaceId, 'workspace'), id, toMillionths(Math.min(cost, COST_CAP)), holdMs];
      const [row] = await database.query<Row>(SQL.hold_credits, values, 'once').catch((error) => {
        // The database may have created the hold before the connection was lost.
        if (isConnectionLost(error.cause) && !(error.cause instanceof NoConnection)) void releaseHold(id);
        throw error;
      });
      if (row.held === null) throw notFound(workspaceId, 'workspace');
      if (!row.held) return { balance: fromMillionths(row.spendable) };
      openHolds.add(id);
      return { hold: { id, workspaceId, cost } };
    },
    async settle({ id }, settlement) {
      const lease = settlement?.lease;
      if (!openHolds.delete(id)) {
        if (lease) await releaseLease(lease);
        throw endedHold(id);
      }
      const [row] = await settleHold(id, settlement).catch((error) => {
        void undo(id, lease);
        throw error;
      });
      if (row.balance === null) {
        const what = lease ? 'the credits held or the idempotency key have' : 'the credits held have';
        throw new ServiceError('storage_unavailable', `storage is unavailable: ${what} expired`);
      }
      return { balance: fromMillionths(row.balance) };
    },
    async release({ id }) {
      if (openHolds.delete(id)) await releaseHold(id);
    },
    async assertWritable() {
      await database.query(SQL.probe_charge, []);
    },
    close: () => closing.abort(),
  };
}

type Settlement = NonNullable<Parameters<IdempotencyStore['settle']>[1]>;

/** A row without settlement and time means that the lease was acquired. */
interface ClaimRow {
  readonly running_ms: number | null;
  readonly settled_id: string | null;
  readonly settled_fingerprint: Buffer;
  readonly settled_version: number | null;
  readonly settled_cost: BigintText;
}

/** A UUID of version 7 (RFC 9562): it starts with the time in milliseconds, so new charges are adjacent in the index. */
export function newHoldId(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const digits = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((start, at, all) => digits.slice(start, all[at + 1])).join('-');
}
