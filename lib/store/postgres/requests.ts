// The operations of a request in SQL: one round trip each. Nothing that another node may change is cached.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createByteCache } from '../../cache/lru.js';
import { formatReceived } from '../../contract/issues.js';
import { RenderError } from '../../errors.js';
import { COST_CAP } from '../credits.js';
import { type RequestStore, StoreError } from '../types.js';
import { isConnectionLost, NoConnection } from './errors.js';
import type { Database, Statement } from './pool.js';
import {
  type BigintText,
  fromMillionths,
  isPossibleId,
  type KeyRow,
  keyOf,
  toMillionths,
  workspaceOf,
} from './rows.js';

export interface RequestOptions {
  /** Milliseconds after which a hold expires; longer than any render takes. */
  readonly holdMs: number;
  readonly warn: (message: string) => void;
}

const FIND_KEY: Statement = {
  name: 'find_key',
  text: `SELECT k.id, k.workspace_id, k.name, k.scopes, k.state, k.created_at,
      w.name AS workspace_name, w.plan, w.balance
    FROM platen.keys k JOIN platen.workspaces w ON w.id = k.workspace_id WHERE k.hash = $1`,
};
const COUNT: Statement = {
  name: 'count_request',
  text: 'SELECT allowed, remaining, reset_ms FROM platen.count_request($1, $2)',
};
const FIND_TEMPLATE: Statement = {
  name: 'find_template',
  text: `SELECT CASE WHEN $3 THEN NULL ELSE record END AS record FROM platen.templates
    WHERE id = $1 AND workspace_id = $2`,
};
const HOLD: Statement = {
  name: 'hold_credits',
  text: 'SELECT held, spendable FROM platen.hold_credits($1, $2, $3, $4)',
};
const SETTLE: Statement = { name: 'settle_hold', text: 'SELECT platen.settle_hold($1) AS balance' };
const RELEASE: Statement = { name: 'release_hold', text: 'SELECT platen.release_hold($1)' };
const UNDO: Statement = { name: 'undo_settlement', text: 'SELECT platen.undo_settlement($1) AS undone' };

/** Delays between attempts to undo a settlement whose outcome is unknown, in milliseconds: about two minutes in total. */
const UNDO_DELAYS_MS = [100, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000];

/** Most characters of JSON text whose parsed templates are cached. */
const MAX_CACHED_CHARACTERS = 32 * 2 ** 20;

export type Requests = Omit<RequestStore, 'appendRender'> & {
  /** Ends the background work. */
  close(): void;
};

export function createRequests(database: Database, { holdMs, warn }: RequestOptions): Requests {
  /** Ids of this node's holds that are neither settled nor released. */
  const openHolds = new Set<string>();
  // A template's record never changes under its id, so the parsed record is cached. That the template exists and belongs
  // to the workspace is checked in the database every time.
  const templates = createByteCache<{ readonly record: unknown; readonly length: number }>(
    MAX_CACHED_CHARACTERS,
    ({ length }) => length,
  );
  const closing = new AbortController();

  /** Releases a hold if the database can be reached; otherwise the hold expires. */
  async function releaseHold(id: string): Promise<void> {
    await database.query(RELEASE, [id], 'once').catch(() => undefined);
  }

  /** Ensures that nothing is charged, as the caller was told, even if the database is unreachable for a while. */
  async function undo(id: string): Promise<void> {
    for (const delayMs of UNDO_DELAYS_MS) {
      try {
        await database.query(UNDO, [id], 'once');
        return;
      } catch {
        await sleep(delayMs, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
        if (closing.signal.aborted) break;
      }
    }
    warn(`it is not known whether charge ${id} was made: its render was not answered`);
  }

  return {
    async findKey(hash) {
      if (!isPossibleId(hash)) return undefined;
      type Row = KeyRow & { workspace_name: string; plan: 'free' | 'paid'; balance: BigintText };
      const [row] = await database.query<Row>(FIND_KEY, [hash], 'once');
      if (!row) return undefined;
      const { workspace_id: id, workspace_name: name, plan, balance } = row;
      return { key: keyOf(row), workspace: workspaceOf({ id, name, plan, balance }) };
    },
    async countRequest(keyId, limit) {
      type Row = { allowed: boolean | null; remaining: BigintText; reset_ms: BigintText };
      const [row] = await database.query<Row>(COUNT, [validId(keyId, 'key'), limit]);
      if (row.allowed === null) throw notFound(keyId, 'key');
      return { allowed: row.allowed, limit, remaining: Number(row.remaining), resetMs: Number(row.reset_ms) };
    },
    async findTemplate(workspaceId, templateId) {
      if (!isPossibleId(workspaceId) || !isPossibleId(templateId)) return undefined;
      const isCached = () => templates.get(templateId) !== undefined;
      const find = (omitRecord: boolean) =>
        database.query<{ record: string | null }>(FIND_TEMPLATE, [templateId, workspaceId, omitRecord], 'once');
      let [row] = await find(isCached());
      // The cache may have evicted the record during the query.
      if (row?.record === null && !isCached()) [row] = await find(false);
      if (!row) return undefined;
      if (row.record === null) return templates.get(templateId)?.record;
      const template = { record: JSON.parse(row.record) as unknown, length: row.record.length };
      templates.set(templateId, template);
      return template.record;
    },
    async hold(workspaceId, cost) {
      const id = newHoldId();
      type Row = { held: boolean | null; spendable: BigintText };
      const values = [validId(workspaceId, 'workspace'), id, toMillionths(Math.min(cost, COST_CAP)), holdMs];
      const [row] = await database.query<Row>(HOLD, values, 'once').catch((error) => {
        // The database may have created the hold before the connection was lost.
        if (isConnectionLost(error.cause) && !(error.cause instanceof NoConnection)) void releaseHold(id);
        throw error;
      });
      if (row.held === null) throw notFound(workspaceId, 'workspace');
      if (!row.held) return { balance: fromMillionths(row.spendable) };
      openHolds.add(id);
      return { hold: { id, workspaceId, cost } };
    },
    async settle({ id }) {
      if (!openHolds.delete(id)) throw new StoreError(`hold ${id} has been settled or released already`);
      const [row] = await database.query<{ balance: BigintText | null }>(SETTLE, [id], 'backoff').catch((error) => {
        void undo(id);
        throw error;
      });
      if (row.balance === null) {
        throw new RenderError('storage_unavailable', 'storage is unavailable: the credits held have expired');
      }
      return { balance: fromMillionths(row.balance) };
    },
    async release({ id }) {
      if (openHolds.delete(id)) await releaseHold(id);
    },
    close: () => closing.abort(),
  };
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

/** Returns `id`. Throws StoreError when it can't be an id; `noun` says of what. */
export function validId(id: string, noun: string): string {
  if (!isPossibleId(id)) throw notFound(id, noun);
  return id;
}

export function notFound(id: string, noun: string): StoreError {
  return new StoreError(`there is no ${noun} ${formatReceived(id)}`);
}
