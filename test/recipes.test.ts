// Runs the recipes of docs/recipes.md that need more than test/snippets.test.ts and test/gallery.test.ts have: commands,
// routes of web frameworks, and a data folder.
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { readHeader } from '../lib/codecs/header.js';
import { ERRORS } from '../lib/contract/api/errors.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { transpile } from './loader/transpile.mjs';

const run = promisify(execFile);
const folder = t.testdir({});
const inherited = ownEnvironment(folder);
/** `platen` is the checkout's command. */
const env = { ...inherited, PATH: `${join(folder, 'node_modules/.bin')}${delimiter}${inherited.PATH}` };
makeCheckout(folder);

const page = readFileSync(join(ROOT, 'docs/recipes.md'), 'utf8');

/** The code blocks of a language under a heading. */
function blocks(heading: string, language: string): string[] {
  const section = page.split(/^## /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`there is no recipe “${heading}”`);
  return Array.from(
    section.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm')),
    ([, code]) => code,
  );
}

async function shell(commands: string): Promise<string> {
  const script = commands.replace(/^npx /gm, '');
  return (await run('bash', ['-euo', 'pipefail', '-c', script], { cwd: folder, env })).stdout;
}

const imageOf = (name: string) => readHeader(readFileSync(join(folder, name)));

t.test('renders with the fonts of a folder, and lists them', async (t) => {
  const listed = await shell(blocks('Brand fonts', 'sh').join(''));
  t.match(listed, 'Lobster');
  t.match(imageOf('quote.png'), { format: 'png' });
});

t.test('renders a card for each row of the CSV', async (t) => {
  const [csv] = blocks('1,000 cards from a CSV', 'csv');
  writeFileSync(join(folder, 'cards.csv'), csv);
  const commands = blocks('1,000 cards from a CSV', 'sh').join('');
  await shell(commands);
  t.same(readdirSync(join(folder, 'out')).sort(), ['bread.webp', 'tides.webp']);
  t.match(imageOf('out/tides.webp'), { format: 'webp', width: 1200, height: 630 });
  writeFileSync(join(folder, 'cards.csv'), `${csv}ferry,Travel,The last ferry,,Kai Lund\n`);
  await shell(commands);
  t.equal(readdirSync(join(folder, 'out')).length, 3, 'a repetition renders the rows that are missing');
});

t.test('scales on the command line', async (t) => {
  const plain = JSON.parse(readFileSync(join(ROOT, 'examples/quote.json'), 'utf8')).canvas;
  await shell(blocks('Sharp on dense screens', 'sh').join(''));
  t.match(imageOf('quote@2x.png'), { width: 2 * plain.width, height: 2 * plain.height });
});

/** The picture that a program writes as `[status, type, base64]`. */
async function answerOf(t: Test, program: string) {
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', program], { cwd: folder, env });
  t.equal(stderr, '');
  const [status, type, base64] = JSON.parse(stdout);
  return { status, type, header: readHeader(Buffer.from(base64, 'base64')) };
}

const CARD = { status: 200, type: 'image/png', header: { format: 'png', width: 1200, height: 630 } };
const print = `
  const bytes = Buffer.from(await response.arrayBuffer()).toString('base64');
  console.log(JSON.stringify([response.status, response.headers.get('content-type'), bytes]));`;

t.test('answers from the route of Next.js', async (t) => {
  const [code] = blocks('og:image on Next.js', 'ts');
  writeFileSync(join(folder, 'route.mjs'), transpile(code));
  const program = `
    const { GET } = await import('./route.mjs');
    const response = await GET(new Request('https://example.com/og?title=How+tides+move'));${print}`;
  t.match(await answerOf(t, program), CARD);
});

const hasBundle = existsSync(join(ROOT, 'dist/browser/index.js'));

t.test('answers from the Worker', { skip: !hasBundle && 'the library is not built for browsers' }, async (t) => {
  const [code] = blocks('og:image on Cloudflare Workers', 'js');
  // the platform compiles the modules and resolves the package
  const modules = code.replaceAll('platen/wasm/', `${ROOT}dist/wasm/`);
  writeFileSync(join(folder, 'worker.mjs'), modules.replace("'platen/browser'", `'${ROOT}dist/browser/index.js'`));
  const hooks = `data:text/javascript,${encodeURIComponent(`
    export async function load(url, context, next) {
      if (!url.endsWith('.wasm')) return next(url, context);
      const file = 'new URL(' + JSON.stringify(url) + ')';
      const source = 'import { readFileSync } from "node:fs"; export default new WebAssembly.Module(readFileSync(' + file + '));';
      return { format: 'module', shortCircuit: true, source };
    }`)}`;
  const program = `
    import { readFileSync } from 'node:fs';
    import { register } from 'node:module';
    register(${JSON.stringify(hooks)});
    const { default: worker } = await import('./worker.mjs');
    const fetch = async (url) => new Response(readFileSync(${JSON.stringify(`${ROOT}fonts`)} + new URL(url).pathname));
    const response = await worker.fetch(new Request('https://example.com/?title=Tides'), { ASSETS: { fetch } });${print}`;
  t.match(await answerOf(t, program), CARD);
});

t.test('limits what a customer can spend, and backs up the data folder', async (t) => {
  const [create, ...others] = blocks('A spending limit for each customer', 'sh')[0].trim().split('\n');
  const { id } = JSON.parse(await shell(`${create} --json`));
  t.match(id, /^ws_/);
  const outputs: string[] = [];
  for (const line of others) outputs.push(await shell(line.replace('ws_96e1', id)));
  const [key, balance, granted] = outputs;
  t.match(key, /svc_live_[0-9a-f]{64}/);
  t.match(balance, /\b500\b/);
  t.match(granted, /\b1000\b/);

  await shell(blocks('Backup', 'sh').join(''));
  t.match(await shell(`platen credits show --workspace ${id}`), /\b1000\b/, 'the folder is back');
});

t.test('says what to do about every status of an error', async (t) => {
  const section = page.split('## Error codes')[1];
  const statuses = new Set(Array.from(section.matchAll(/\b[45]\d\d\b/g), ([status]) => Number(status)));
  /** These codes are about the request’s method, path or form: service.md explains each. */
  const OTHERS = [404, 405, 409, 412, 413, 415];
  for (const [code, { status }] of Object.entries(ERRORS))
    t.ok(statuses.has(status) || OTHERS.includes(status), `${status} ${code}`);
});
