// The library in a user's program: bundled with and without its files, external to the bundle, and from CommonJS.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { readHeader } from '../lib/codecs/header.js';
import { ERRORS } from '../lib/contract/api/errors.js';
import { DEFAULTS } from '../lib/renderer-state.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { rowsUnder } from './tables.js';

const run = promisify(execFile);
const folder = t.testdir({ checkout: {}, app: { node_modules: {} } });
const app = join(folder, 'app');
const env = ownEnvironment(folder);
makeCheckout(join(folder, 'checkout'));
// As npm installs it: its dependencies are next to it.
const PACKAGES = ['@jsquash', 'jpeg-js', 'qrcode-generator', 'wasm-feature-detect', 'esbuild'];
for (const name of PACKAGES) symlinkSync(join(ROOT, 'node_modules', name), join(app, 'node_modules', name));
symlinkSync(join(folder, 'checkout'), join(app, 'node_modules/platen'));
// a separate package, or `platen` would be the one around it, with whatever its dist/ holds
writeFileSync(join(app, 'package.json'), '{}');
mkdirSync(join(app, 'node_modules/.bin'));
symlinkSync('../esbuild/bin/esbuild', join(app, 'node_modules/.bin/esbuild'));

const SVG = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><circle r="8"/></svg>';
const box = { x: 0, y: 0, width: 64, height: 32 };
const payload = {
  canvas: { width: 64, height: 32 },
  layers: [
    { type: 'text', text: 'Hi', ...box },
    { type: 'image', url: SVG, ...box },
  ],
};
writeFileSync(
  join(app, 'program.mjs'),
  `import { writeFileSync } from 'node:fs';
import { render } from 'platen';
for (const format of ['png', 'jpeg', 'webp', 'avif']) {
  const { bytes } = await render(${JSON.stringify(payload)}, { format });
  writeFileSync(\`image.\${format}\`, bytes);
}
`,
);

const shell = (command: string) => run('bash', ['-euo', 'pipefail', '-c', command], { cwd: app, env });
const node = (...args: string[]) => run(process.execPath, args, { cwd: app, env });
const page = readFileSync(join(ROOT, 'docs/library.md'), 'utf8');
const [external, withFiles, withWorker] = Array.from(page.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, text]) => text);

t.test('documents every option with its default, and every error code', async (t) => {
  const source = ['index', 'options', 'contract/messages/strictness']
    .map((name) => readFileSync(join(ROOT, `lib/${name}.ts`), 'utf8'))
    .join('');
  const fieldsOf = (type: string) => {
    const [, body] = new RegExp(`export interface ${type}(?: extends \\w+)? {\n([\\s\\S]*?)\n}`).exec(source) ?? [];
    return Array.from(body.matchAll(/^ {2}readonly (\w+)\?/gm), ([, name]) => name).sort();
  };
  const documented = rowsUnder(page, 'Options').map(([name]) => name.replaceAll('`', ''));
  t.same(documented.filter((name) => name !== 'option' && !/^-+$/.test(name)).sort(), [
    ...['CommonOptions', 'RendererOptions', 'RenderOptions', 'StrictOptions'].flatMap(fieldsOf).sort(),
  ]);
  for (const [name, value] of Object.entries(DEFAULTS)) {
    t.ok(page.includes(`| \`${name}\` | ${value} |`), `${name} ${value}`);
  }
  const codes = rowsUnder(page, 'Errors').map(([code]) => code.replaceAll('`', ''));
  t.ok(codes.length >= 5 && codes.every((code) => Object.hasOwn(ERRORS, code)), String(codes));
});

function checkImages(t: Test): void {
  for (const format of ['png', 'jpeg', 'webp', 'avif']) {
    const path = join(app, `image.${format}`);
    t.match(readHeader(readFileSync(path)), { format, width: 64, height: 32 });
    rmSync(path);
  }
}

t.test('reports the files missing from a bundle in one line', async (t) => {
  await shell(withFiles.split('\n')[0]);
  const { stderr } = await node('out/program.mjs').catch((error) => error);
  const lines = stderr.split('\n').filter((line: string) => line.includes('platen'));
  const missing = ['wasm/harfbuzz.wasm', 'fonts/manifest.json', 'fonts/coverage.txt'].map((name) =>
    join(app, 'out', name),
  );
  t.same(lines.length, 1, stderr);
  for (const name of [...missing, '--external:platen', 'docs/library.md']) t.ok(lines[0].includes(name), name);
  t.notMatch(stderr, /^ +at /m, 'there is no stack');
});

t.test('reports a codec missing from a bundle when it is used', async (t) => {
  cpSync(join(ROOT, 'dist/wasm/harfbuzz.wasm'), join(app, 'out/wasm/harfbuzz.wasm'));
  symlinkSync(join(ROOT, 'fonts'), join(app, 'out/fonts'));
  const { stderr } = await node('out/program.mjs').catch((error) => error);
  t.match(stderr, /platen can't find \S+resvg\.wasm: leave the package out/);
  rmSync(join(app, 'out'), { recursive: true });
});

t.test('works as an external package of a bundle', async (t) => {
  await shell(external);
  await node('out/program.mjs');
  checkImages(t);
  rmSync(join(app, 'out'), { recursive: true });
});

t.test('works in a bundle with its files copied, without node_modules', async (t) => {
  await shell(withFiles);
  cpSync(join(app, 'out'), join(folder, 'elsewhere'), { recursive: true });
  await run(process.execPath, [join(folder, 'elsewhere/program.mjs')], { cwd: app, env });
  checkImages(t);
});

t.test('renders in processes from a bundle with its worker module, and reports a missing module', async (t) => {
  writeFileSync(
    join(app, 'program.mjs'),
    `import { createRenderer } from 'platen';
const renderer = createRenderer({ workers: 1 });
const { bytes } = await renderer.render(${JSON.stringify(payload)});
console.log(bytes[1]);
await renderer.close();
`,
  );
  await shell(withFiles);
  const { stderr } = await node('out/program.mjs').catch((error) => error);
  t.match(stderr, /platen can't find \S+platen-worker\.mjs: leave the package out/);
  await shell(withWorker);
  t.equal((await node('out/program.mjs')).stdout, '80\n', 'a PNG');
});

t.test("require('platen') works where Node can require ES modules, and says what to do elsewhere", async (t) => {
  writeFileSync(join(app, 'required.cjs'), "console.log(typeof require('platen').render);\n");
  const canRequire = 'require_module' in process.features;
  const required = await node('required.cjs').catch((error) => error);
  if (canRequire) t.equal(required.stdout, 'function\n');
  // an old Node throws the same error as a new one with this option
  const option = canRequire ? ['--no-experimental-require-module'] : [];
  const { stderr } = await run(process.execPath, [...option, 'required.cjs'], { cwd: app, env }).catch(
    (error) => error,
  );
  t.match(stderr, /^Error: platen is an ES module.* await import\('platen'\)/m);
  const [commonJs] = Array.from(
    page.matchAll(/^```js\n((?:(?!```)[\s\S])*?module\.exports[\s\S]*?)^```$/gm),
    ([, text]) => text,
  );
  const [imported] = /`(const \{ render \} = await import\('platen'\))`/.exec(page)!.slice(1);
  const inside = commonJs.replace(/^const .*\n\n/, '').replace('{\n', `{\n  ${imported};\n`);
  writeFileSync(join(app, 'card.cjs'), canRequire ? commonJs : inside);
  writeFileSync(join(app, 'inside.cjs'), inside);
  for (const module of ['card', 'inside']) {
    writeFileSync(
      join(app, 'main.cjs'),
      `require('./${module}.cjs').card(${JSON.stringify(payload)}).then((bytes) => console.log(bytes[1]));\n`,
    );
    t.equal((await node('main.cjs')).stdout, '80\n', `${module}: a PNG`);
  }
});

t.test('platen/client is part of the package', async (t) => {
  const program = `import { createClient, PlatenError } from 'platen/client';
const client = createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'svc_live_a', retries: 0 });
console.log(await client.workspace().catch((error) => error instanceof PlatenError && error.code));`;
  writeFileSync(join(app, 'client.mjs'), program);
  t.equal((await node('client.mjs')).stdout, 'network_error\n');
  const required = `const { createClient } = require('platen/client');
console.log(typeof createClient({ baseUrl: 'http://127.0.0.1:1', apiKey: 'svc_live_a' }).render);`;
  writeFileSync(join(app, 'client.cjs'), required);
  t.equal((await node('client.cjs')).stdout, 'function\n');
});

t.test('stacks name the functions of the bundle', (t) => {
  const dist = join(folder, 'checkout/dist/lib');
  const code = readdirSync(dist).map((name) => readFileSync(join(dist, name), 'utf8'));
  t.ok(code.some((text) => text.includes('async function renderScene(')));
  t.end();
});
