// npm run parity -- [--runtimes node20,deno,…] [--cases N] [--seed S]
// Renders the goldens, the examples, the bundled templates and N random payloads (1000) in one runtime after the other,
// and compares pixels, encoded files and warnings with those of the Node that runs this. Runs the command line too, where
// there are processes. Prints a table; writes pictures of what differs to out/parity; exits with 1 if anything differs.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../checkout.js';
import { type Case, GROUPS, groupOf, makeCases } from './cases.js';
import { runCommands } from './commands.js';
import { compare, type Difference, type Result } from './compare.js';
import { writePictures } from './pictures.js';
import { findRuntime, installRuntimes, RUNTIME_NAMES, type Runtime, reference } from './runtimes/index.js';

const OUT = join(ROOT, 'out/parity');
/** Differing cases of one runtime that are named, described and drawn. */
const MAX_SHOWN = 20;

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(2);
}

function readArguments() {
  const options = {
    runtimes: { type: 'string', default: RUNTIME_NAMES.join(',') },
    cases: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return fail((error as Error).message);
  }
}

const given = readArguments();
const count = Number(given.cases);
if (!Number.isSafeInteger(count) || count < 0) fail(`--cases: received ${given.cases}, expected a whole number`);
const names = given.runtimes.split(',');
for (const name of names) {
  if (!RUNTIME_NAMES.includes(name)) fail(`--runtimes: received ${name}, expected some of ${RUNTIME_NAMES.join(', ')}`);
}

const uninstalled = installRuntimes();
if (uninstalled !== undefined) console.log(uninstalled);
rmSync(OUT, { recursive: true, force: true });
mkdirSync(OUT, { recursive: true });
const cases = await makeCases(count, given.seed);
const COLUMNS = [...GROUPS, 'commands'];

console.log(`${cases.length} cases, seed ${given.seed}\n`);
printRow('runtime', COLUMNS, 'differing');
const expected = await renderAll(reference, cases);
if (expected.failure !== undefined) fail(`the reference, node ${reference.version}: ${expected.failure}`);
const total = (group: string) => [...expected.results.values()].filter((one) => groupOf(one) === group).length;
printRow(
  `${reference.name} ${reference.version}`,
  COLUMNS.map((group) => String(total(group))),
  'reference',
);
let isEqual = true;
const skipped: string[] = [];
for (const { name, error } of expected.results.values()) {
  if (error === undefined || groupOf({ name }) === 'fuzzed') continue;
  isEqual = false;
  console.log(indent(`${name}: ${error}`));
}
for (const name of names) {
  const runtime = await findRuntime(name);
  if ('skipped' in runtime) {
    skipped.push(name);
    printRow(
      name,
      COLUMNS.map(() => '—'),
      `SKIPPED: ${runtime.skipped}`,
    );
  } else await check(runtime);
}
console.log(
  isEqual
    ? `\nall equal${skipped.length > 0 ? `; skipped: ${skipped.join(', ')}` : ''}`
    : `\nnot equal: pictures in out/parity; ${reference.name} ${reference.version} is the expected one`,
);
process.exitCode = isEqual ? 0 : 1;

function printRow(runtime: string, columns: readonly string[], remark: string): void {
  console.log([runtime.padEnd(29), ...columns.map((column) => column.padStart(10)), ` ${remark}`].join(' '));
}

async function check(runtime: Runtime): Promise<void> {
  const started = performance.now();
  const { results, failure } = await renderAll(runtime, cases);
  const seconds = Math.round((performance.now() - started) / 1000);
  const isRun = (group: string) => group !== 'commands' || runtime.program !== undefined;
  const differences = compare(expected.results, results).filter((one) => isRun(groupOf(one)));
  const equal = (group: string) => total(group) - differences.filter((one) => groupOf(one) === group).length;
  const columns = COLUMNS.map((group) => (isRun(group) ? `${equal(group)}/${total(group)}` : '—'));
  printRow(`${runtime.name} ${runtime.version}`, columns, `${differences.length || 'none'} (${seconds} s)`);
  if (failure !== undefined) console.log(indent(failure));
  if (failure === undefined && differences.length === 0) return;
  isEqual = false;
  await describe(runtime, differences);
}

/** A runtime that fails as a whole has results up to there. */
async function renderAll(runtime: Runtime, some: readonly Case[], pictures = false) {
  const results = new Map<string, Result>();
  const file = join(OUT, 'cases.jsonl');
  writeFileSync(file, some.map((one) => JSON.stringify(one)).join('\n'));
  try {
    await runtime.run({ file, pictures, onResult: (result) => results.set(result.name, result) });
    // the second run only draws what differs
    const outputs = runtime.program && !pictures ? await runCommands(runtime.program) : [];
    for (const result of outputs) results.set(result.name, result);
    return { results, failure: undefined };
  } catch (error) {
    return { results, failure: (error as Error).message };
  }
}

/** Names what differs, and draws it. */
async function describe(runtime: Runtime, differences: readonly Difference[]): Promise<void> {
  const shown = differences.filter(({ what }) => what !== 'no result').slice(0, MAX_SHOWN);
  const some = cases.filter(({ name }) => shown.some((difference) => difference.name === name));
  const [one, other] = [await renderAll(reference, some, true), await renderAll(runtime, some, true)];
  const told = new Set<string>();
  for (const { name, what, texts } of shown) {
    const given = some.find((candidate) => candidate.name === name);
    const extent = given && draw(given, runtime.name, one.results.get(name), other.results.get(name));
    console.log(indent([`${name}: ${what}`, extent].filter(Boolean).join('; ')));
    // one cause often spoils many cases
    const quoted = texts && `  expected ${JSON.stringify(texts[0])}\n  received ${JSON.stringify(texts[1])}`;
    if (quoted !== undefined && !told.has(quoted)) console.log(indent(quoted));
    if (quoted !== undefined) told.add(quoted);
  }
  if (differences.length > shown.length) console.log(indent(`… and ${differences.length - shown.length} more`));
}

/** Writes a case's payload and pictures; returns how far these differ. */
function draw(given: Case, runtime: string, one: Result | undefined, other: Result | undefined): string | undefined {
  const folder = join(OUT, given.name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'case.json'), JSON.stringify(given, null, 2));
  return writePictures(folder, runtime, one, other);
}

function indent(text: string): string {
  return text.replace(/^/gm, '    ');
}
