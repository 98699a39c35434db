// The operations on numbers: the ledger, renders by day, and requests of keys.
import type { UsageStore } from '../../usage-store.js';
import { find, findWorkspace, pageOf, type StoreContext } from '../context.js';
import type { KeyRow, LinkRow } from '../rows.js';
import type { DailyUsage } from './daily-usage.js';
import { dayOf, daysBetween } from './days.js';
import type { KeyUse } from './key-use.js';
import type { Ledger } from './ledger.js';

export function createUsage(
  { tables, now }: StoreContext,
  {
    ledger,
    dailyUsage,
    keyUse,
    linkUse,
  }: {
    readonly ledger: Ledger;
    readonly dailyUsage: DailyUsage;
    readonly keyUse: KeyUse<KeyRow>;
    readonly linkUse: KeyUse<LinkRow>;
  },
): UsageStore {
  const { workspaces, keys, links } = tables;
  const requestsIn = <Row extends KeyRow | LinkRow>(
    rows: ReadonlyMap<string, Row>,
    use: KeyUse<Row>,
    workspaceId: string,
  ) =>
    Array.from(rows.values()).flatMap((row) => {
      const requests = row.workspaceId === workspaceId ? use.requests(row) : undefined;
      return requests ? [[row.id, requests] as const] : [];
    });
  return {
    async dailyUsage(workspaceId, from, to) {
      const charged = ledger.charged(findWorkspace(workspaces.rows, workspaceId));
      return daysBetween(from, to).map((date) => {
        const [renders, failures, cpuMs] = dailyUsage.counts(workspaceId, date);
        return { date, renders, failures, credits: charged.get(date) ?? 0, cpuMs };
      });
    },
    async listLedger(workspaceId, page) {
      const entries = ledger.entries(find(workspaces.rows, workspaceId, 'workspace'));
      return pageOf(
        entries,
        page,
        ({ position }) => position,
        ({ entry }) => entry,
      );
    },
    async keyRequests(workspaceId) {
      findWorkspace(workspaces.rows, workspaceId);
      return Object.fromEntries([
        ...requestsIn(keys.rows, keyUse, workspaceId),
        ...requestsIn(links.rows, linkUse, workspaceId),
      ]);
    },
    countCpu({ workspaceId, keyId }, milliseconds) {
      const cpuMs = Math.round(milliseconds);
      dailyUsage.noteCpu(workspaceId, dayOf(now()), cpuMs);
      if (keyId !== undefined) (links.rows.has(keyId) ? linkUse : keyUse).noteCpu(keyId, cpuMs);
    },
  };
}
