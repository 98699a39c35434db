// Serves `workspaces/{workspace}/credits` and `…/usage`: the balance, its history, and how long it will last.
import { listQuery, parseQuery } from '../../contract/api/query.js';
import {
  type CreditsAnswer,
  grantBody,
  parseBody,
  parseUsageQuery,
  type UsageAnswer,
} from '../../contract/dashboard.js';
import { type Detail, RenderError } from '../../errors.js';
import { fromStore } from '../../service/failure.js';
import { jsonAnswer, rendersFor } from '../../service/http/answer.js';
import { StoreError } from '../../store/types.js';
import type { DayUsage } from '../../store/usage-store.js';
import { workspaceNotFound } from '../errors.js';
import { type AdminRoutes, type DashboardOptions, storeOf, workspace } from '../route.js';

const MAX_BODY_BYTES = 16 * 1024;
const DAY_MS = 86_400_000;

export function creditRoutes(options: DashboardOptions): AdminRoutes {
  const { store, settings, now = () => new Date() } = options;
  const { RENDER_CREDIT_COST: creditsCost } = settings;
  return {
    'workspaces/{workspace}/credits': {
      GET: workspace('viewer', async ({ workspace: { id, plan }, query }) => {
        const { limit, cursor } = parseQuery(listQuery, query);
        const page = await fromStore(store.listLedger(id, { limit, cursor }), workspaceNotFound);
        // read the balance after the ledger: one that is too new is better than a ledger that lacks a line
        const { balance } = await store.balance(id);
        const rendersRemaining = rendersFor(balance, creditsCost);
        const answer: CreditsAnswer = { plan, balance, creditsCost, rendersRemaining, ...page };
        return jsonAnswer(200, answer);
      }),
      POST: workspace(
        'owner',
        async (request) => {
          const { amount } = parseBody(grantBody, await request.json());
          const { balance } = await grant(() => storeOf(request, options).grant(request.workspace.id, amount), amount);
          return jsonAnswer(200, { balance });
        },
        { maxBodyBytes: MAX_BODY_BYTES },
      ),
    },
    'workspaces/{workspace}/usage': {
      GET: workspace('viewer', async ({ workspace: { id }, query }) => {
        const { days } = parseUsageQuery(query);
        const today = now().getTime();
        const usage = await store.dailyUsage(id, dayOf(today - (days - 1) * DAY_MS), dayOf(today));
        const { balance } = await store.balance(id);
        const answer: UsageAnswer = { days: usage, balance, daysLeft: daysLeft(balance, usage) };
        return jsonAnswer(200, answer);
      }),
    },
  };
}

/** Whole days until `balance` is used up; null without charges. Days before the first charge say nothing of the rate. */
export function daysLeft(balance: number, usage: readonly Pick<DayUsage, 'credits'>[]): number | null {
  const charged = usage.slice(usage.findIndex(({ credits }) => credits > 0));
  const credits = charged.reduce((sum, day) => sum + day.credits, 0);
  return credits > 0 ? Math.floor((Math.max(0, balance) * charged.length) / credits) : null;
}

/** Formats a day in UTC: `2026-11-22`. */
function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** The store rejects an amount that makes the balance too large. */
async function grant<Result>(run: () => Promise<Result>, amount: number): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== undefined) throw error;
    const details: Detail[] = [
      { code: 'invalid_value', path: 'amount', message: `received ${amount}: ${error.message}` },
    ];
    throw new RenderError('invalid_request', `amount: ${details[0].message}`, { details, cause: error });
  }
}
