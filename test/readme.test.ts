// Every snippet of the README is run as a newcomer would run it; every link and picture leads to a file.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import ts from 'typescript';
import { readHeader } from '../lib/codecs/header.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { transpile } from './loader/transpile.mjs';

const run = promisify(execFile);
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const folder = t.testdir({});
const env = { ...ownEnvironment(folder), PORT: String(await freePort()) };
makeCheckout(folder);

const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));
const inLanguage = (wanted: string) => blocks.filter(({ language }) => language === wanted).map(({ text }) => text);

t.test('the README has snippets, of languages that are run here', async (t) => {
  t.same([...new Set(blocks.map(({ language }) => language))].sort(), ['json', 'sh', 'ts']);
  t.ok(blocks.length >= 8, `${blocks.length} snippets`);
});

t.test('the payload is saved under the name that the text gives it', async (t) => {
  const [payload, ...others] = inLanguage('json');
  t.same(others, [], 'a second JSON snippet would need a name');
  t.match(readme, 'Save this as `hello.json`');
  t.type(JSON.parse(payload).layers, Array);
  writeFileSync(join(folder, 'hello.json'), payload);
});

t.test('every shell line runs', async (t) => {
  const lines = inLanguage('sh').flatMap((text) => text.trim().split('\n'));
  t.match(lines[0], /^npm ci && npx render \S+ > card\.png$/);
  t.equal(lines[1], 'npm ci && npm test');
  let made = '';
  for (const line of lines) {
    if (line === 'npx render serve') {
      await serveAndAsk(t, made);
      continue;
    }
    // What `npm ci` does has been done above; the tests themselves are running.
    const command = line
      .replace(/^npm ci && /, '')
      .replace(/^npm test$/, 'npm test -- --version')
      .replace(/^(npm run test:exhaustive)( -- )?(.*)$/, '$1 -- --list $3')
      .replace(/^(curl http:\/\/127\.0\.0\.1:)8080/, `$1${env.PORT}`);
    const [, answer] = /^curl .* -o (\S+)$/.exec(line) ?? [];
    if (answer) rmSync(join(folder, answer));
    const KEY = /svc_live_[0-9a-f]{64}/.exec(made)?.[0] ?? '';
    // The copy of the checkout has no tests.
    const cwd = line.startsWith('npm run test:') ? ROOT : folder;
    const { stdout } = await run('bash', ['-euo', 'pipefail', '-c', command], { cwd, env: { ...env, KEY } });
    if (line === 'npx render init') made = stdout;
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

/** A port of the loopback interface that nobody listens on. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts the server of the README on its data folder, and asks it as `render init` says. */
async function serveAndAsk(t: Test, made: string): Promise<void> {
  const curl = /^curl .*$/m.exec(made)?.[0] ?? 'false';
  const server = spawn('npx', ['render', 'serve'], { cwd: folder, env, detached: true });
  t.teardown(() => process.kill(-server.pid!, 'SIGKILL'));
  let said = '';
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (text) => {
      said += text;
      if (/^listening on http/m.test(said)) resolve();
    });
    server.on('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  rmSync(join(folder, 'card.png'));
  await run('bash', ['-euo', 'pipefail', '-c', curl], { cwd: folder, env });
}

t.test('every TypeScript snippet has sound types', async (t) => {
  const paths = inLanguage('ts').map((text, i) => {
    const path = join(folder, `snippet${i}.ts`);
    writeFileSync(path, text);
    return path;
  });
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const platen = [join(ROOT, 'lib/index.ts')];
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const program = ts.createProgram(paths, { ...options, typeRoots, paths: { platen } });
  for (const path of paths) {
    const file = program.getSourceFile(path);
    t.ok(file, path);
    const faults = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    t.same(
      faults.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
      readFileSync(path, 'utf8').split('\n')[0],
    );
  }
});

t.test('every TypeScript snippet runs, and prints what its comments say', async (t) => {
  for (const [i, text] of inLanguage('ts').entries()) {
    writeFileSync(join(folder, `snippet${i}.mjs`), transpile(text));
    const { stdout, stderr } = await run(process.execPath, [`snippet${i}.mjs`], { cwd: folder, env });
    t.equal(stderr, '', `snippet ${i}`);
    for (const [, said] of text.matchAll(/^ *(?:console.*; )?\/\/ (.*)$/gm)) {
      // An ellipsis in a comment stands for text left out.
      for (const part of said.split('…')) t.match(stdout, part.trim(), part);
    }
  }
  t.match(readHeader(readFileSync(join(folder, 'hi.png'))), { format: 'png', width: 400, height: 200 });
});

t.test('links and pictures lead somewhere', async (t) => {
  const targets = [...readme.matchAll(/\]\(([^)#]+)\)|src="([^"]+)"/g)].map(([, link, source]) => link ?? source);
  t.ok(targets.length >= 10);
  for (const target of targets) t.ok(existsSync(join(ROOT, target)), target);
  const headings = [...readme.matchAll(/^#+ (.*)$/gm)].map(([, heading]) => heading.toLowerCase().replaceAll(' ', '-'));
  for (const [, anchor] of readme.matchAll(/\]\(#([^)]+)\)/g)) t.ok(headings.includes(anchor), anchor);
});
