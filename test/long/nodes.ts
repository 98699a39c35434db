// A case is a load on three nodes with INTERRUPTIONS_EACH interruptions of one kind: a node is killed and started again, or
// all sessions of the database end. Afterwards the charges in the database and the answers agree.
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../eventually.js';
import { dice, pick, roll } from '../exhaustive.js';
import { type Fleet, type Load, startFleet } from '../nodes/fleet.js';
import { skipped } from '../store/postgres/server.js';
import type { Cases } from './long-run.js';
import { INTERRUPTIONS_EACH } from './runs.js';
import { seedOf } from './seed-of.js';

const GRANTED = 1_000_000;
const CLIENTS = 4;
const END_SESSIONS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'platen'";

export async function openNodes(seed: number): Promise<Cases> {
  if (skipped) throw new Error(skipped);
  let fleet: Fleet | undefined = await startFleet();
  return {
    async run(index) {
      fleet ??= await startFleet();
      const random = dice(seedOf(seed, index));
      const kills = random() < 0.5;
      const load = fleet.load([await fleet.caller(GRANTED), await fleet.caller(GRANTED)], CLIENTS);
      const failures: string[] = [];
      let sessions = 0;
      try {
        for (let count = 0; count < INTERRUPTIONS_EACH; count++) {
          await load.goesOn(4);
          await sleep(roll(random, 50));
          if (kills) {
            const node = pick(random, fleet.nodes);
            await node.end('SIGKILL');
            await load.goesOn(2);
            await node.start();
          } else sessions += (await fleet.cluster.ask(fleet.database, END_SESSIONS)).length;
        }
        await load.goesOn(4);
        await load.end();
        failures.push(...(await problemsOf(fleet, load, kills)));
      } catch (error) {
        failures.push(String((error as Error).message));
        // Whatever state the nodes are in, the next case gets new ones.
        await Promise.all([load.end(), fleet.stop()]);
        fleet = undefined;
      }
      const tallies = [...load.tallies.values()];
      return {
        failures: failures.map((message) => `${kills ? 'kills' : 'sessions'}: ${message}`),
        totals: {
          'kills of nodes': kills ? INTERRUPTIONS_EACH : 0,
          'sessions ended': sessions,
          'answers 200': tallies.reduce((sum, { made }) => sum + made, 0),
          'answers lost': tallies.reduce((sum, { lost }) => sum + lost, 0),
        },
      };
    },
    async close() {
      await fleet?.stop();
      return [];
    },
  };
}

/** Lists the sums that don't add up. The answers of a killed node may be lost although their renders were charged. */
async function problemsOf(fleet: Fleet, { tallies }: Load, kills: boolean): Promise<string[]> {
  const problems: string[] = [];
  for (const [caller, tally] of tallies) {
    const most = tally.made + (kills ? tally.lost : 0);
    // The undoing of a charge that was reported as failed may still be waiting.
    await eventually(async () => (await fleet.ledger(caller)).charges <= most, `at most ${most} charges: ${tally}`);
    const { balance, charged, charges } = await fleet.ledger(caller);
    if (caller.granted - balance !== charged) problems.push(`${caller.granted - balance} taken, ${charged} charged`);
    if (charged !== charges) problems.push(`${charges} charges of one credit add up to ${charged}`);
    if (charges < tally.made) problems.push(`${charges} charges: ${tally}`);
    if (new Set(tally.remaining).size !== tally.made) problems.push(`two answers report the same balance: ${tally}`);
    const allowed = kills ? ['200'] : ['200', '503 storage_unavailable'];
    for (const name of tally.answers.keys()) if (!allowed.includes(name)) problems.push(`an answer ${name}: ${tally}`);
  }
  return problems;
}
