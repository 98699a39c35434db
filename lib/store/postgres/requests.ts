// What serving a request asks of the database: one round trip a verb, and nothing remembered that another node may change.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatReceived } from '../../contract/issues.js';
import { RenderError } from '../../errors.js';
import { COST_CAP } from '../credits.js';
import { type RequestStore, StoreError } from '../types.js';
import { isConnectionLost, NoConnection } from './errors.js';
import type { Database, Statement } from './pool.js';
import { type Amount, amountOf, creditsOf, isId, type KeyRow, keyOf, workspaceOf } from './rows.js';
import { TemplateCache } from './template-cache.js';

export interface RequestOptions {
  /** Milliseconds after which a hold ends by itself: longer than any render takes. */
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

/** Pauses between attempts to take back what a failed settlement may have charged, in milliseconds: some two minutes. */
const UNDO_PAUSES = [100, 500, 1000, 2000, 5000, 10_000, 20_000, 30_000, 60_000];

export type Requests = Omit<RequestStore, 'appendRender'> & {
  /** Ends what goes on behind the back of requests. */
  close(): void;
};

export function createRequests(database: Database, { holdMs, warn }: RequestOptions): Requests {
  /** Holds of this node that have been neither settled nor released: each ends once. */
  const open = new Set<string>();
  const records = new TemplateCache();
  const closing = new AbortController();

  /** Gives credits back as well as can be; what can't be reached expires. */
  async function giveBack(id: string): Promise<void> {
    await database.query(RELEASE, [id], 'again').catch(() => undefined);
  }

  /** The caller was told that nothing was charged: sees to it, also when the database comes back late. */
  async function undo(id: string): Promise<void> {
    for (const pause of UNDO_PAUSES) {
      try {
        await database.query(UNDO, [id], 'again');
        return;
      } catch {
        await sleep(pause, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
        if (closing.signal.aborted) break;
      }
    }
    warn(`it is not known whether charge ${id} was made: its render was not answered`);
  }

  return {
    async findKey(hash) {
      if (!isId(hash)) return undefined;
      type Row = KeyRow & { workspace_name: string; plan: 'free' | 'paid'; balance: Amount };
      const [row] = await database.query<Row>(FIND_KEY, [hash], 'again');
      if (!row) return undefined;
      const { workspace_id: id, workspace_name: name, plan, balance } = row;
      return { key: keyOf(row), workspace: workspaceOf({ id, name, plan, balance }) };
    },
    async countRequest(keyId, limit) {
      type Row = { allowed: boolean | null; remaining: Amount; reset_ms: Amount };
      const [row] = await database.query<Row>(COUNT, [checked(keyId, 'key'), limit]);
      if (row.allowed === null) throw unknown(keyId, 'key');
      return { allowed: row.allowed, limit, remaining: Number(row.remaining), resetMs: Number(row.reset_ms) };
    },
    async findTemplate(workspaceId, templateId) {
      if (!isId(workspaceId) || !isId(templateId)) return undefined;
      const find = (known: boolean) =>
        database.query<{ record: string | null }>(FIND_TEMPLATE, [templateId, workspaceId, known], 'again');
      let [row] = await find(records.has(templateId));
      // Dropped in between, by larger ones.
      if (row?.record === null && !records.has(templateId)) [row] = await find(false);
      return row && records.getOrParse(templateId, row.record);
    },
    async hold(workspaceId, cost) {
      const id = newHoldId();
      type Row = { held: boolean | null; spendable: Amount };
      const values = [checked(workspaceId, 'workspace'), id, amountOf(Math.min(cost, COST_CAP)), holdMs];
      const [row] = await database.query<Row>(HOLD, values, 'again').catch((error) => {
        // It may have been made all the same.
        if (isConnectionLost(error.cause) && !(error.cause instanceof NoConnection)) void giveBack(id);
        throw error;
      });
      if (row.held === null) throw unknown(workspaceId, 'workspace');
      if (!row.held) return { balance: creditsOf(row.spendable) };
      open.add(id);
      return { hold: { id, workspaceId, cost } };
    },
    async settle({ id }) {
      if (!open.delete(id)) throw new StoreError(`hold ${id} has been settled or released already`);
      const [row] = await database.query<{ balance: Amount | null }>(SETTLE, [id], 'patient').catch((error) => {
        void undo(id);
        throw error;
      });
      if (row.balance === null) {
        throw new RenderError('storage_unavailable', 'storage is unavailable: the credits held have expired');
      }
      return { balance: creditsOf(row.balance) };
    },
    async release({ id }) {
      if (open.delete(id)) await giveBack(id);
    },
    close: () => closing.abort(),
  };
}

/** A UUID of version 7 (RFC 9562): milliseconds first, so charges that are made together lie together. */
export function newHoldId(now = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(now, 0, 6);
  bytes[6] = 0x70 | (bytes[6] & 0x0f);
  bytes[8] = 0x80 | (bytes[8] & 0x3f);
  const digits = bytes.toString('hex');
  return [0, 8, 12, 16, 20].map((start, at, all) => digits.slice(start, all[at + 1])).join('-');
}

export function checked(id: string, what: string): string {
  if (!isId(id)) throw unknown(id, what);
  return id;
}

export function unknown(id: string, what: string): StoreError {
  return new StoreError(`there is no ${what} ${formatReceived(id)}`);
}
