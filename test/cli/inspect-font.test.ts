// `platen fonts inspect`, with its process and a server that has a font.
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { reportFont } from '../../lib/fonts/report.js';
import { reportFontInProcess } from '../../lib/workers/inspect-asset.js';
import { makeCheckout, ROOT } from '../checkout.js';
import { brandFont } from '../fonts/brand-font.js';
import { variableFont } from '../fonts/font-maker.js';
import { createTestContext } from './context.js';

const folder = t.testdir();
makeCheckout(folder);
const scripted = new URL('../service/scripted.mjs', import.meta.url);
const directory = join(folder, 'examples');
const font = brandFont();
writeFileSync(join(directory, 'brand.ttf'), font);
writeFileSync(join(directory, 'half.ttf'), font.subarray(0, 5000));
writeFileSync(join(directory, 'variable.ttf'), variableFont());
writeFileSync(join(directory, 'page.ttf'), '<!doctype html><title>x</title>');

async function run(words: readonly string[], setup: Partial<Parameters<typeof createTestContext>[0]> = {}) {
  const cli = createTestContext({ directory, ...setup });
  const code = await main(['fonts', 'inspect', ...words], cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

t.test('prints properties, or JSON with --json', async (t) => {
  const expected = await reportFont(font, 'Ž字');
  const json = await run(['brand.ttf', '--text', 'Ž字', '--json']);
  t.match(json, { code: 0, errors: '' });
  t.same(JSON.parse(json.output), expected);
  const { code, output } = await run(['brand.ttf', '--text', 'Ž字']);
  t.same((await run(['brand.ttf', '--text', 'Ž字'], { isTTY: true })).output, output, 'the same on a terminal');
  t.equal(code, 0);
  t.match(output, /^family +Brand\nstyle +Bold\nfull name +Brand Bold\n/);
  t.match(output, /^format +TTF\nweight +700\nfeatures +aalt, .*\nscripts +Latn, Cyrl, Grek\nlanguages +.*Czech, /m);
  t.match(output, /^licence +.*https:\/\/openfontlicense\.org\nembedding +installable\nlacks +字 \(U\+5B57\)\n$/m);
  t.match(await run(['variable.ttf', '--text', '']), {
    output: /^weight +100 to 900\naxes +wght 100 to 900 \(default 400\)\n[\s\S]*\nlacks +nothing of the text\n$/m,
  });
});

t.test('fetches URLs by the rules of renders', async (t) => {
  const woff2 = readFileSync(join(ROOT, 'fonts/poppins/poppins-400.woff2'));
  const server = createServer(({ url }, response) => {
    if (url === '/font.woff2') response.end(woff2);
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { code, output } = await run([`${base}/font.woff2`, '--json']);
  t.equal(code, 0);
  t.match(JSON.parse(output), { format: 'WOFF2', names: { fontFamily: 'Poppins' }, scripts: ['Latn', 'Deva'] });
  const failed = async (url: string, problem: RegExp, environment = {}) => {
    const result = await run([url], { environment });
    t.match(result, { code: 1, output: '', errors: /^error: [^\n]+\n$/ }, url);
    t.match(result.errors, problem);
    t.ok(result.errors.startsWith(`error: ${url}: `), result.errors);
  };
  await failed(`${base}/none`, /404/);
  await failed(`${base}/font.woff2`, /larger|bytes/, { ASSET_MAX_BYTES: '1000' });
  await failed(`${base}/font.woff2`, /address/, { ASSET_ALLOW_HOSTS: 'fonts.example' });
  const inline = await run([`data:font/ttf;base64,${font.toString('base64')}`, '--json']);
  t.match(JSON.parse(inline.output), { names: { fontFamily: 'Brand' } });
});

t.test('broken fonts are one line and exit code 1, misuse is exit code 2', async (t) => {
  const cases: [string, RegExp][] = [
    ['half.ttf', /^error: half\.ttf: received a malformed font file: [^\n]+\n$/],
    ['page.ttf', /^error: page\.ttf: received an HTML page, expected a TTF, OTF, WOFF or WOFF2 font\n$/],
    ['none.ttf', /^error: the file \S+none\.ttf does not exist\n$/],
    ['ftp://x/y.ttf', /^error: the scheme ftp: is not supported[^\n]+\n$/],
    ['data:,hello', /^error: the data: URL: received 5 bytes, expected a TTF[^\n]+\n$/],
  ];
  for (const [source, errors] of cases) t.match(await run([source]), { code: 1, output: '', errors }, source);
  t.match(await run([]), {
    code: 2,
    errors: /expected the path or URL of one font file \(see "platen fonts --help"\)/,
  });
  t.equal((await run(['a.ttf', 'b.ttf'])).code, 2);
  t.match(await run(['a.ttf', '--txt', 'a']), { code: 2, errors: /did you mean --text/ });
  t.match(await run(['--help']), { code: 0, output: /^Usage: platen fonts / });
});

t.test('a font that ends its process, or never ends, is an error that says so', async (t) => {
  const options = { entry: scripted, timeoutMs: 600_000 };
  const killed = { code: 'render_failed', message: 'the render process ended on this file (SIGKILL)' };
  await t.rejects(reportFontInProcess(Buffer.from('kill'), undefined, options), killed);
  const late = { ...options, timeoutMs: 100 };
  await t.rejects(reportFontInProcess(Buffer.from('hang'), undefined, late), { code: 'render_timeout' });
});
