// Runs the commands of every Markdown page and of deploy/, or gives the reason why not; what they name must exist.
// readme.test.ts runs those of the README, library.test.ts those of docs/library.md, recipes.test.ts those of
// docs/recipes.md, and api-page.test.ts those of docs/api.md.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { COMMANDS } from '../lib/cli/admin/index.js';
import { commandHelp } from '../lib/cli/admin/usage.js';
import { POOL_USAGE } from '../lib/cli/commands/pool.js';
import { SERVE_USAGE } from '../lib/cli/commands/serve.js';
import { USAGE } from '../lib/cli/main.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { markdownPages } from './tables.js';

const run = promisify(execFile);
const folder = t.testdir({});
const inherited = ownEnvironment(folder);
/** The commands run without `npx`, which test/npx.test.ts and test/readme.test.ts run. */
const env = { ...inherited, PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${inherited.PATH}` };
makeCheckout(folder);

/** Commands that this test does not run: how they start, and why. */
const NOT_RUN: readonly (readonly [start: string, reason: string])[] = [
  ['docker ', 'there is no Docker where the tests run'],
  ['kubectl ', 'there is no cluster where the tests run'],
  ['npm ci', 'it downloads packages'],
  ['npm install --prefix', 'it downloads packages'],
  ['npm install @unocss/', 'it downloads packages'],
  ['npm install --ignore-scripts', 'npm run deploys installs the packed file so'],
  ['npm install --omit=dev', 'npm run deploys installs the packed file so'],
  ['npx platen node_modules/platen/', 'npm run deploys runs it'],
  ['npm version', 'it changes the sources'],
  ['npm publish', 'it needs an account of a registry'],
  ['git ', 'it makes a release'],
  ['cd /tmp/', 'it makes a release'],
  ['mkdir /tmp/', 'it makes a release'],
  ['.ci/run', 'it is what runs these tests'],
  ['node scripts/release-check.mjs', 'test/release-check.test.ts runs it'],
  ['npm run test:full', 'it is what runs these tests'],
  ['npm pack', 'test/npx.test.ts runs its scripts; the rest is part of the installation'],
  ['mkdir -p /opt/', 'it is part of the installation'],
  ['tar ', 'it is part of the installation'],
  ['cp package-lock.json', 'it is part of the installation'],
  ['npm run supply', 'test/supply.test.ts compares what it writes'],
  ['npm run build', 'other tests use its result'],
  ['npm run docs', 'the build runs the same script, and test/service/docs/guide.test.ts opens its pages'],
  ['node scripts/web.mjs', 'the build runs it, and other tests use its result'],
  ['PLATEN_API_KEY=', 'it needs a server: test/cli/batch/remote.test.ts has one'],
  ['npm run bench', 'it takes minutes'],
  ['node bench/', 'it takes minutes'],
  ['npm run soak', 'it takes minutes; test/service has short runs'],
  ['npm run crash', 'it takes minutes; test/crash has a short run'],
  ['npm run nodes', 'it takes minutes; test/nodes has a short run'],
  ['npm run measure', 'it takes minutes'],
  ['npm run parity', 'it takes minutes, and installs runtimes; test/parity has tests of its parts'],
  ['npm run deploys', 'it takes minutes, and installs frameworks'],
  ['deno ', 'npm run parity runs the command in Deno'],
  ['bun', 'npm run parity runs the command in Bun'],
  ['node scripts/unicode.mjs', 'it downloads packages'],
  ['npm run long', 'it takes hours; test/long has tests of its parts'],
  ['npm run fuzz', 'it takes minutes; test/fuzz has a short run'],
  ['npm run test:exhaustive', 'it takes minutes; a test below lists its files'],
  ['npm test', 'these are the tests'],
  ['npm run check', 'it checks the sources, not the product'],
  ['npm run format', 'it changes the sources'],
  ['npm run tap', 'these are the tests'],
  ['npm run kernels', 'test/kernels compares what it writes'],
  ['node scripts/tools.mjs', 'it downloads packages'],
  ['node scripts/build.mjs', 'test/build.test.ts builds parts'],
  ['npx platen init', 'test/readme.test.ts runs it'],
  ['npx platen serve', 'test/readme.test.ts runs it'],
  ['RENDER_POOL=', 'test/service/pool.test.ts has a server with a pool'],
  ['METRICS_PORT=', 'test/service/metrics has servers with metrics'],
  ['node --import ./otel.mjs', 'it needs an SDK that users choose; test/service/trace has a server with one'],
  ['npx platen templates ', 'it reads files that the user has; test/cli/admin/templates.test.ts runs it'],
  ['curl ', 'test/readme.test.ts runs it'],
  ['platen ', 'it needs a server or its data; test/cli runs each of these commands'],
  ['node docs/gallery.mjs', 'test/gallery.test.ts renders the images'],
  ['node docs/visuals.mjs', 'test/gallery.test.ts renders the pictures'],
  ['node docs/templates.mjs', 'test/gallery.test.ts renders the pictures'],
  ['ssh ', 'it needs another machine'],
  ['node examples/browser/serve.mjs', 'test/browser/pages.test.ts opens its pages'],
  ['node --jitless ', 'test/jitless.test.ts runs the command so'],
  ['node /opt/', 'test/cli/started.test.ts starts a server this way, from another folder'],
  ['pg_dump ', 'it belongs to PostgreSQL'],
];

/**
 * The commands of a document, except a Dockerfile's steps: in fences for a shell, indented, after a comment's sign, or
 * within a sentence. `npx platen` alone is the name of a command.
 */
function commandsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const fences = Array.from(text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm), ([, lines]) => lines.split('\n'));
  const indented = Array.from(
    text.matchAll(/^(?: {4}|# {2,3})((?:npm|npx|node|docker|kubectl) .*)$/gm),
    ([, line]) => line,
  );
  const inline = Array.from(
    text.matchAll(/`((?:npm|npx|node|platen|docker|kubectl|pg_dump) [^`]+)`/g),
    ([, line]) => line,
  );
  const lines = [...fences.flat(), ...indented, ...inline].map((line) => line.replace(/\s+# .*$/, '').trim());
  return lines.filter((line) => line !== '' && !/^npx \w+$/.test(line));
}

const tested = ['README.md', 'docs/library.md', 'docs/recipes.md', 'docs/api.md', 'CHANGELOG.md'];
const deployed = readdirSync(join(ROOT, 'deploy')).map((name) => join('deploy', name));
const documents = [...markdownPages().filter((path) => !tested.includes(path)), ...deployed];
const found = documents.flatMap((path) => commandsOf(path).map((command) => ({ path, command })));
const reasonOf = (command: string) => NOT_RUN.find(([start]) => command.startsWith(start))?.[1];

t.test('finds commands, and needs every entry of NOT_RUN', async (t) => {
  const everything = [...found, ...tested.flatMap((path) => commandsOf(path).map((command) => ({ path, command })))];
  t.ok(found.length > 20, `${found.length} commands`);
  for (const [start] of NOT_RUN)
    t.ok(
      everything.some(({ command }) => command.startsWith(start)),
      start,
    );
});

const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));

t.test('names only scripts, flags, commands and files that exist', async (t) => {
  const admin = Array.from(COMMANDS, ([name, { options }]) => commandHelp(name, options));
  const help = [USAGE, SERVE_USAGE, POOL_USAGE, ...admin].join('\n');
  for (const { path, command } of found) {
    const where = `${path}: ${command}`;
    const script = /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? '';
    if (command.startsWith('npm run ')) t.ok(script in scripts, where);
    const words = /^(?:npx )?platen (.*)$/.exec(command)?.[1];
    for (const [flag] of words?.matchAll(/--[a-z][\w-]*/g) ?? []) t.ok(help.includes(flag), `${where}: ${flag}`);
    const verb = /^[a-z]+(?= |$)/.exec(words ?? '')?.[0];
    if (verb) t.match(help, new RegExp(`platen ${verb}\\b`), where);
    for (const [file] of command.matchAll(
      /(?<![\w/.-])(?:examples|data\/templates|deploy|docs|scripts|test|bench)\/[\w/.-]+/g,
    )) {
      if (!/^kubectl exec/.test(command)) t.ok(existsSync(join(ROOT, file)), `${where}: ${file}`);
    }
  }
});

t.test('runs the commands', async (t) => {
  let ran = 0;
  const seen = new Set<string>();
  for (const { path, command } of found) {
    if (reasonOf(command) || seen.has(command)) continue;
    seen.add(command);
    // Other commands could change the machine.
    const isHarmless = /^(npx platen |echo '[^']*' > [\w.]+$)/.test(command);
    t.ok(isHarmless, `${path}: ${command}: commands of other kinds belong in NOT_RUN`);
    if (!isHarmless) continue;
    ran++;
    const line = command.replace(/^npx /, '');
    await t.resolves(run('bash', ['-euo', 'pipefail', '-c', line], { cwd: folder, env }), `${path}: ${command}`);
  }
  t.ok(ran >= 5, `${ran} commands ran`);
});

t.test('runs the exhaustive form’s commands as far as listing their files', async (t) => {
  const commands = found
    .map(({ command }) => command)
    .filter((command) => command.startsWith('npm run test:exhaustive'));
  t.ok(commands.length >= 3);
  for (const command of commands) {
    const listing = command.replace(/^npm run test:exhaustive( -- )?/, `${scripts['test:exhaustive']} --list `);
    await t.resolves(run('bash', ['-euo', 'pipefail', '-c', listing], { cwd: ROOT, env }), command);
  }
});
