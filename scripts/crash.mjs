// npm run crash -- --seconds N --seed S: the crash tests of test/crash/ in their long form, one after the other. The time
// goes in equal parts to the tests that go round by seeds; killing the store at every system call takes what it takes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/** Tests that go round by seeds (`rounds` in test/crash/rounds.ts). */
const LOOPS = 7;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isSafeInteger(seed)) {
  console.error('expected --seconds above 0 and a whole --seed');
  process.exit(2);
}
const share = seconds / LOOPS;
const words = ['--jobs=1', '--timeout=0', '--reporter=tap', 'test/crash/*.test.ts'];
const child = spawn('npx', ['tap', ...words], {
  cwd: new URL('..', import.meta.url),
  env: { ...process.env, PLATEN_CRASH_SECONDS: String(share), PLATEN_CRASH_SEED: String(seed) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
let failed = 0;
for await (const line of createInterface({ input: child.stdout })) {
  // The counts, and whatever failed with its seed.
  const text = line.trim();
  if (/^not ok/.test(text)) failed++;
  if (/^(not ok|# (?!Subtest|time|No coverage))/.test(text)) console.log(text.replace(/^# /, ''));
}
const code = child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)));
console.log(failed === 0 && code === 0 ? `seed ${seed}: nothing failed` : `seed ${seed}: failed`);
process.exitCode = code === 0 ? 0 : 1;
