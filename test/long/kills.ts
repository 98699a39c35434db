// A case is the life of one data folder, whose charging process is killed KILLS_EACH times.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startKeyLife } from '../crash/key-life.js';
import { dice } from '../exhaustive.js';
import type { Cases } from './long-run.js';
import { KILLS_EACH } from './runs.js';
import { seedOf } from './seed-of.js';

export async function openKills(seed: number): Promise<Cases> {
  const place = mkdtempSync(join(tmpdir(), 'platen-kills-'));
  return {
    async run(index) {
      const folder = mkdtempSync(join(place, 'life-'));
      const random = dice(seedOf(seed, index));
      const life = await startKeyLife(folder);
      const failures: string[] = [];
      for (let kill = 0; kill < KILLS_EACH && failures.length === 0; kill++) {
        const { problems } = await life.kill(random);
        failures.push(...problems.map((problem) => `kill ${kill}: ${problem}`));
      }
      rmSync(folder, { recursive: true, force: true });
      return {
        failures,
        totals: { 'charges acknowledged': life.answered(), 'charged without an answer': life.repeated() },
      };
    },
    async close() {
      rmSync(place, { recursive: true, force: true });
      return [];
    },
  };
}
