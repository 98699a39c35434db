// npm run nodes -- --seconds N --seed S [NAME…]: the tests of many nodes in their long form, one after the other, or those
// of the names given. npm run nodes -- --measure: what a request costs (docs/scaling.md). Exits 1 when anything failed.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { ROOT } from '../checkout.js';
import { skipped } from '../store/postgres.js';
import { measure } from './measure.js';

/** The files, with how many of their tests go round for as long as they are told (length.ts). */
const LOOPS = new Map([
  ['limits', 2],
  ['faults', 5],
  ['rolling', 1],
  ['alike', 1],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
    measure: { type: 'boolean', default: false },
  },
});
const [seconds, seed] = [Number(values.seconds), Number(values.seed)];
const names = positionals.length > 0 ? positionals : [...LOOPS.keys()];
if (skipped) {
  console.error(skipped);
  process.exitCode = 1;
} else if (!(seconds > 0) || !Number.isSafeInteger(seed) || !names.every((name) => LOOPS.has(name))) {
  console.error(`expected --seconds above 0, a whole --seed, and of ${[...LOOPS.keys()].join(', ')}`);
  process.exitCode = 2;
} else if (values.measure) {
  await measure((line) => console.log(line));
} else {
  process.exitCode = (await runTests()) ? 0 : 1;
}

/** Whether nothing failed. Prints the counts, and whatever failed. */
async function runTests(): Promise<boolean> {
  const share = seconds / names.reduce((sum, name) => sum + (LOOPS.get(name) ?? 0), 0);
  const words = ['--jobs=1', '--timeout=0', '--reporter=tap', ...names.map((name) => `test/nodes/${name}.test.ts`)];
  const child = spawn('npx', ['tap', ...words], {
    cwd: ROOT,
    env: { ...process.env, PLATEN_NODES_SECONDS: String(share), PLATEN_NODES_SEED: String(seed) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  let failed = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    const text = line.trim();
    if (text.startsWith('not ok')) failed++;
    if (/^(not ok|# (?!Subtest|time|No coverage))/.test(text)) console.log(text.replace(/^# /, ''));
  }
  const [code] = await ended;
  console.log(failed === 0 && code === 0 ? `seed ${seed}: nothing failed` : `seed ${seed}: failed`);
  return failed === 0 && code === 0;
}
