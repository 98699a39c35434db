// npm run test:exhaustive -- [--seconds N] [--seed S] [--list] [FOLDER or FILE…]
// Runs the long form (test/exhaustive.ts) of the tests that run only a sample of their cases in `npm test`: all such tests,
// or those in the given folders and files. Without --seconds, runs every case, and each endless test for one minute. With
// --seconds, divides the time among the tests, and the seed chooses the cases. Prints the counts of each test and all
// failures; exits with 1 after a failure. --list prints the names of the files instead.
import { spawn } from 'node:child_process';
import { createWriteStream, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Number of test files that run in parallel. */
const JOBS = 2;
/** Share of the time for the test loops; the rest is for starting processes, servers and databases. */
const LOOP_TIME_SHARE = 0.6;

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

/** The test files that have a long form, with the number of loops in each. */
function longFiles() {
  const files = new Map();
  for (const name of readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.test.ts')) continue;
    const path = join('test', name);
    const source = readFileSync(join(ROOT, path), 'utf8');
    if (!/from '[./]+\/exhaustive\.js'/.test(source)) continue;
    const loops = [...source.matchAll(/\b(rounds|sample)\(/g)].length;
    if (loops > 0 || /\bruns\(|\b(LONG|FORM)\b/.test(source)) files.set(path, loops);
  }
  return files;
}

let parsed;
try {
  parsed = parseArgs({
    allowPositionals: true,
    options: {
      seconds: { type: 'string' },
      seed: { type: 'string', default: String(Date.now() % 1_000_000) },
      list: { type: 'boolean', default: false },
    },
  });
} catch (error) {
  fail(error.message);
}
const seed = Number(parsed.values.seed);
const seconds = parsed.values.seconds === undefined ? undefined : Number(parsed.values.seconds);
if (!Number.isSafeInteger(seed)) fail(`--seed: received ${parsed.values.seed}, expected a whole number`);
if (seconds !== undefined && !(seconds > 0)) {
  fail(`--seconds: received ${parsed.values.seconds}, expected a number above 0`);
}
const files = longFiles();
const names = parsed.positionals.map((name) => name.replace(/\/$/, ''));
for (const name of names) {
  if (![...files.keys()].some((path) => path === name || path.startsWith(`${name}/`))) {
    fail(`${name} has no exhaustive tests; expected a folder or file of:\n  ${[...files.keys()].join('\n  ')}`);
  }
}
const isChosen = (path) => names.length === 0 || names.some((name) => path === name || path.startsWith(`${name}/`));
const chosen = [...files.keys()].filter(isChosen).sort();
if (parsed.values.list) {
  console.log(chosen.join('\n'));
  process.exit(0);
}
const loops = chosen.reduce((sum, path) => sum + files.get(path), 0);

mkdirSync(join(ROOT, 'out'), { recursive: true });
const record = createWriteStream(join(ROOT, 'out/exhaustive.tap'));
console.log(`${chosen.length} files, seed ${seed}${seconds === undefined ? '' : `, ${seconds} seconds`}`);
const child = spawn('npx', ['tap', `--jobs=${JOBS}`, '--timeout=0', '--reporter=tap', ...chosen], {
  cwd: ROOT,
  env: {
    ...process.env,
    PLATEN_TEST_FORM: seconds === undefined ? 'whole' : 'sample',
    PLATEN_TEST_SEED: String(seed),
    ...(seconds !== undefined && {
      PLATEN_TEST_SECONDS: String((seconds * Math.min(JOBS, chosen.length) * LOOP_TIME_SHARE) / Math.max(1, loops)),
      PLATEN_TEST_END: String(Date.now() + seconds * 1000),
    }),
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = new Promise((resolve) => child.once('close', resolve));
let failed = 0;
let isInFailure = false;
for await (const line of createInterface({ input: child.stdout })) {
  record.write(`${line}\n`);
  const text = line.trim();
  if (text.startsWith('not ok')) {
    failed++;
    isInFailure = true;
  } else if (text === '...' || text.startsWith('ok ')) isInFailure = false;
  if (isInFailure) console.log(line);
  else if (/^(ok \d+ - test\/|# (?!Subtest|time|No coverage))/.test(text)) console.log(text.replace(/^# /, ''));
}
const code = await ended;
record.end();
if (failed === 0 && code === 0) console.log(`seed ${seed}: nothing failed`);
else console.log(`failed; to repeat: npm run test:exhaustive -- --seed ${seed} FILE`);
process.exitCode = failed === 0 && code === 0 ? 0 : 1;
