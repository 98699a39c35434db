// Runs the commands of the README and of docs/service.md as a newcomer would. test/snippets.test.ts runs the other snippets.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { readHeader } from '../lib/codecs/header.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';

const run = promisify(execFile);
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const folder = t.testdir({});
const env = { ...ownEnvironment(folder), PORT: String(await freePort()) };
makeCheckout(folder);

const servicePage = readFileSync(join(ROOT, 'docs/service.md'), 'utf8');

const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));
const inLanguage = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);

t.test('has at most 200 lines, and snippets in languages that are run', async (t) => {
  t.ok(readme.trimEnd().split('\n').length <= 200);
  t.same([...new Set(blocks.map(({ language }) => language))].sort(), ['json', 'sh', 'ts']);
  t.ok(blocks.length >= 7, `${blocks.length} snippets`);
});

t.test('has one payload, saved under the name in the text', async (t) => {
  const [payload, ...others] = inLanguage('json');
  t.same(others, [], 'a second JSON snippet would need a name');
  t.match(readme, 'Save this as `hello.json`');
  t.type(JSON.parse(payload).layers, Array);
  writeFileSync(join(folder, 'hello.json'), payload);
});

t.test('has shell lines that run', async (t) => {
  const lines = inLanguage('sh').flatMap((text) => text.trim().split('\n'));
  const curls = servicePage.match(/^curl .*$/gm) ?? [];
  t.ok(curls.length > 0);
  lines.push(...curls);
  t.match(lines[0], /^npm ci && npx render \S+ > card\.png$/);
  t.equal(lines[1], 'npm ci && npm test');
  let initOutput = '';
  for (const line of lines) {
    if (line === 'npx platen serve') {
      await serveAndRequest(t, initOutput);
      continue;
    }
    // makeCheckout did what `npm ci` does, and without tests; here they are running already, so that one file is enough.
    const isTest = line.endsWith('npm test');
    const command = line
      .replace(/^npm ci && /, '')
      // as the README says of a checkout
      .replace(/^npx platen /, 'npx render ')
      .replace(/^npm test$/, 'npm test --ignore-scripts -- test/geometry/rect.test.ts')
      .replace(/^(curl http:\/\/127\.0\.0\.1:)8080/, `$1${env.PORT}`);
    const [, answer] = /^curl .* -o (\S+)$/.exec(line) ?? [];
    if (answer) rmSync(join(folder, answer));
    const KEY = /svc_live_[0-9a-f]{64}/.exec(initOutput)?.[0] ?? '';
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: isTest ? ROOT : folder,
      env: { ...env, KEY },
    });
    if (line === 'npx platen init') initOutput = stdout;
  }
  t.match(
    readHeader(readFileSync(join(folder, 'card.png'))),
    { format: 'png', width: 1200 },
    'the answer of the server',
  );
  const sizes = [
    ['card.png', 'png', 1200, 630],
    ['hello.png', 'png', 600, 315],
    ['hello.webp', 'webp', 600, 315],
    ['hello.avif', 'avif', 600, 315],
  ] as const;
  for (const [name, format, width, height] of sizes) {
    t.match(readHeader(readFileSync(join(folder, name))), { format, width, height }, name);
  }
});

/** A free port of the loopback interface. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the server on the README's data folder, and sends the request that `platen init` prints. */
async function serveAndRequest(t: Test, initOutput: string): Promise<void> {
  const curl = /^curl .*$/m.exec(initOutput)?.[0] ?? 'false';
  const server = spawn('npx', ['render', 'serve'], { cwd: folder, env, detached: true });
  t.teardown(() => process.kill(-server.pid!, 'SIGKILL'));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text) => {
      output += text;
      if (/^listening on http/m.test(output)) resolve();
    });
    server.on('exit', (code) => reject(new Error(`the server exited with ${code}`)));
  });
  rmSync(join(folder, 'card.png'));
  await run('bash', ['-euo', 'pipefail', '-c', curl], { cwd: folder, env });
}
