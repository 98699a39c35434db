// npm run crash -- --seconds N --seed S [NAME…]: the crash tests of test/crash/ in their long form, one after the other,
// or those of the names given. The time goes in equal parts to the tests that go round by seeds; killing the store at
// every system call takes what it takes.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';

/** The files, with how many of their tests go round by seeds (`rounds` in test/crash/rounds.ts). */
const LOOPS = new Map([
  ['power', 0],
  ['lives', 1],
  ['damage', 1],
  ['syscall', 0],
  ['kill', 1],
  ['server', 1],
  ['races', 2],
  ['window', 1],
]);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seconds: { type: 'string', default: '300' }, seed: { type: 'string', default: '1' } },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
const names = positionals.length > 0 ? positionals : [...LOOPS.keys()];
if (!(seconds > 0) || !Number.isSafeInteger(seed) || !names.every((name) => LOOPS.has(name))) {
  console.error(`expected --seconds above 0, a whole --seed, and of ${[...LOOPS.keys()].join(', ')}`);
  process.exit(2);
}
const share =
  seconds /
  Math.max(
    1,
    names.reduce((sum, name) => sum + LOOPS.get(name), 0),
  );
const words = ['--jobs=1', '--timeout=0', '--reporter=tap', ...names.map((name) => `test/crash/${name}.test.ts`)];
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
