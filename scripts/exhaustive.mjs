// npm run test:exhaustive -- [--seconds N] [--seed S] [--list] [FOLDER or FILE…]
// Runs the long form (test/exhaustive.ts) of the tests that run only a sample of their cases in `npm test`: all such tests,
// or those in the given folders and files. Without --seconds, runs every case, and each endless test for one minute. With
// --seconds, divides the time among the tests, and the seed chooses the cases. Prints the counts of each test and all
// failures; exits with 1 after a failure. --list prints the names of the files instead.
import { createWriteStream, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { choose, JOBS, remarksOf, runFiles } from '../test/loader/run.mjs';
import { testFiles } from '../test/loader/selection.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Share of the time for the test loops; the rest is for starting processes, servers and databases. */
const LOOP_TIME_SHARE = 0.6;

function fail(message) {
  console.error(`error: ${message}`);
  process.exit(2);
}

/** The test files that have a long form, with the number of loops in each. */
function longFiles() {
  const files = new Map();
  for (const path of testFiles()) {
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
const chosen = (() => {
  try {
    return choose([...files.keys()], parsed.positionals);
  } catch (error) {
    return fail(`${error.message}; expected a folder or file of:\n  ${[...files.keys()].join('\n  ')}`);
  }
})();
if (parsed.values.list) {
  console.log(chosen.join('\n'));
  process.exit(0);
}
const loops = chosen.reduce((sum, path) => sum + files.get(path), 0);

mkdirSync(join(ROOT, 'out'), { recursive: true });
const record = createWriteStream(join(ROOT, 'out/exhaustive.tap'));
console.log(`${chosen.length} files, seed ${seed}${seconds === undefined ? '' : `, ${seconds} seconds`}`);
let failed = 0;
const onEnd = ({ path, ok, lines, ms }) => {
  record.write(`# Subtest: ${path}\n${lines.map((line) => `    ${line}\n`).join('')}`);
  if (!ok) failed++;
  console.log(`${ok ? 'ok' : 'not ok'} - ${path} # time=${ms}ms`);
  for (const line of remarksOf(lines)) console.log(line);
  for (const line of lines) {
    if (/^ *# (?!Subtest|time|\{)/.test(line)) console.log(line.trim().replace(/^# /, ''));
  }
};
const alone = chosen.map((path) => [path]);
await runFiles(alone, onEnd, {
  timeout: 0,
  environment: {
    PLATEN_TEST_FORM: seconds === undefined ? 'whole' : 'sample',
    PLATEN_TEST_SEED: String(seed),
    ...(seconds !== undefined && {
      PLATEN_TEST_SECONDS: String((seconds * Math.min(JOBS, chosen.length) * LOOP_TIME_SHARE) / Math.max(1, loops)),
      PLATEN_TEST_END: String(Date.now() + seconds * 1000),
    }),
  },
});
record.end();
if (failed === 0) console.log(`seed ${seed}: nothing failed`);
else console.log(`failed; to repeat: npm run test:exhaustive -- --seed ${seed} FILE`);
process.exitCode = failed === 0 ? 0 : 1;
