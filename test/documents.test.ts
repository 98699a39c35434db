// Every command of every document, besides the README's (readme.test.ts) and docs/library.md's (library.test.ts): it is
// run, or it is listed here with the reason why not. Of both kinds, what they name has to exist.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { ADMIN_USAGE } from '../lib/cli/admin/index.js';
import { SERVE_USAGE } from '../lib/cli/commands/serve.js';
import { USAGE } from '../lib/cli/main.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';

const run = promisify(execFile);
const folder = t.testdir({});
const env = ownEnvironment(folder);
makeCheckout(folder);

/** Commands that no test runs: how they begin, and why. */
const NOT_RUN: readonly (readonly [start: string, reason: string])[] = [
  ['docker ', 'there is no Docker where the tests run'],
  ['kubectl ', 'there is no cluster where the tests run'],
  ['npm ci', 'it downloads packages'],
  ['npm pack', 'test/npx.test.ts runs what it does before and after; the rest belongs to the installation by npm ci'],
  ['mkdir -p /opt/', 'it belongs to the installation by npm ci'],
  ['tar ', 'it belongs to the installation by npm ci'],
  ['cp package-lock.json', 'it belongs to the installation by npm ci'],
  ['npm run build', 'other tests run on its result'],
  ['npm run bench', 'it takes minutes'],
  ['npm run soak', 'it takes minutes; test/service has short runs'],
  ['npm run crash', 'it takes minutes; test/crash has a short run'],
  ['npm run nodes', 'it takes minutes; test/nodes has a short run'],
  ['npm run measure', 'it takes minutes'],
  ['npm run fuzz', 'it takes minutes; test/fuzz has a short run'],
  ['npm run test:exhaustive', 'it takes minutes'],
  ['npm test', 'these are the tests'],
  ['npm run check', 'whoever changes the code runs it'],
  ['npx tap', 'these are the tests'],
  ['npx render init', 'test/readme.test.ts runs it'],
  ['npx render serve', 'test/readme.test.ts runs it'],
  ['render ', 'it needs a server or its data; test/cli runs each of these commands'],
  ['node docs/gallery.mjs', 'test/gallery.test.ts draws the pictures'],
  ['node /opt/', 'test/cli/started.test.ts starts a server so, from another folder'],
  ['pg_dump ', 'it is of PostgreSQL'],
];

/** A document's commands, a Dockerfile's steps aside: in fences for a shell, indented, after a comment's sign, or within a sentence. */
function commandsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const fences = Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, lines]) => lines.split('\n'));
  const indented = Array.from(
    text.matchAll(/^(?: {4}|# {2,3})((?:npm|npx|node|docker|kubectl) .*)$/gm),
    ([, line]) => line,
  );
  const inline = Array.from(
    text.matchAll(/`((?:npm|npx|node|render|docker|kubectl|pg_dump) [^`]+)`/g),
    ([, line]) => line,
  );
  return [...fences.flat(), ...indented, ...inline].map((line) => line.replace(/\s+# .*$/, '').trim()).filter(Boolean);
}

const tested = ['README.md', 'docs/library.md', 'CHANGELOG.md'];
const pages = ['.', 'docs', 'examples', 'data/templates', 'bench', 'fonts', 'test/faults', 'test/fuzz'].flatMap(
  (place) =>
    readdirSync(join(ROOT, place))
      .filter((name) => name.endsWith('.md'))
      .map((name) => join(place, name)),
);
const deployed = readdirSync(join(ROOT, 'deploy')).map((name) => join('deploy', name));
const documents = [...pages.filter((path) => !tested.includes(path)), ...deployed];
const found = documents.flatMap((path) => commandsOf(path).map((command) => ({ path, command })));
const reasonOf = (command: string) => NOT_RUN.find(([start]) => command.startsWith(start))?.[1];

t.test('the documents have commands, and no entry of the list is out of use', async (t) => {
  const everything = [...found, ...tested.flatMap((path) => commandsOf(path).map((command) => ({ path, command })))];
  t.ok(found.length > 20, `${found.length} commands`);
  for (const [start] of NOT_RUN)
    t.ok(
      everything.some(({ command }) => command.startsWith(start)),
      start,
    );
});

t.test('what commands name exists', async (t) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const help = `${USAGE}\n${SERVE_USAGE}\n${ADMIN_USAGE}`;
  for (const { path, command } of found) {
    const where = `${path}: ${command}`;
    const script = /^npm (?:run )?([\w:]+)/.exec(command)?.[1] ?? '';
    if (command.startsWith('npm run ')) t.ok(script in scripts, where);
    const words = /^(?:npx )?render (.*)$/.exec(command)?.[1];
    for (const [flag] of words?.matchAll(/--[a-z][\w-]*/g) ?? []) t.ok(help.includes(flag), `${where}: ${flag}`);
    const verb = /^[a-z]+(?= |$)/.exec(words ?? '')?.[0];
    if (verb) t.match(help, new RegExp(`render ${verb}\\b`), where);
    for (const [file] of command.matchAll(
      /(?<![\w/.-])(?:examples|data\/templates|deploy|docs|scripts|test|bench)\/[\w/.-]+/g,
    )) {
      if (!/^kubectl exec/.test(command)) t.ok(existsSync(join(ROOT, file)), `${where}: ${file}`);
    }
  }
});

t.test('commands run', async (t) => {
  let ran = 0;
  for (const { path, command } of found) {
    if (reasonOf(command)) continue;
    // nothing else may touch the machine
    t.match(command, /^npx render /, `${path}: a command of another kind belongs to NOT_RUN`);
    if (!command.startsWith('npx render ')) continue;
    ran++;
    await t.resolves(run('bash', ['-euo', 'pipefail', '-c', command], { cwd: folder, env }), `${path}: ${command}`);
  }
  t.ok(ran >= 5, `${ran} commands ran`);
});
