// npm run deploys -- [--quick] [--keep] [--list] [NAME…]
// Packs Platen, and deploys applications that use it as their frameworks, bundlers and hosts do: each trial makes one in a
// temporary folder and compares the pictures that it answers with those of this checkout. Prints a line for each; exits with 1
// if one failed. A trial whose packages can't be installed, because no registry can be reached, is skipped.
import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeWorkspace, SkipTrial } from './setup.js';
import { TRIALS } from './trials/index.js';

function fail(message: string): never {
  console.error(`error: ${message}`);
  process.exit(2);
}

function readArguments() {
  const options = { quick: { type: 'boolean' }, keep: { type: 'boolean' }, list: { type: 'boolean' } } as const;
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    return fail((error as Error).message);
  }
}

const { values, positionals } = readArguments();
const unknown = positionals.filter((name) => !TRIALS.some((trial) => trial.name === name));
if (unknown.length > 0)
  fail(`no trial ${unknown.join(', ')}: expected some of ${TRIALS.map(({ name }) => name).join(', ')}`);
const chosen = TRIALS.filter(({ name, isQuick }) =>
  positionals.length > 0 ? positionals.includes(name) : !values.quick || isQuick,
);
if (values.list) {
  for (const { name, about, isQuick } of chosen)
    console.log(`${name.padEnd(14)} ${isQuick ? 'quick' : '     '} ${about}`);
  process.exit();
}

const workspace = await makeWorkspace();
let failures = 0;
for (const { name, run } of chosen) {
  const started = performance.now();
  const report = (word: string, text = '') => {
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log([word.padEnd(8), name.padEnd(14), `${seconds} s`.padStart(8), ` ${text}`].join(' ').trimEnd());
  };
  try {
    report('ok', await run(workspace));
  } catch (error) {
    if (error instanceof SkipTrial) report('skipped', error.message);
    else {
      failures++;
      report('failed', error instanceof Error ? error.message : String(error));
    }
  }
}
if (values.keep) console.log(`the applications are in ${workspace.folder}`);
else rmSync(workspace.folder, { recursive: true, force: true });
process.exitCode = failures > 0 ? 1 : 0;
