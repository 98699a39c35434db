// The render, validate, fonts and serve commands, run in this process with an in-memory context.
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { findingLine, write } from '../../lib/cli/stdio.js';
import type { FontList } from '../../lib/contract/api/fonts.js';
import { listFontFamilies } from '../../lib/fonts/catalogue.js';
import { brandFont } from '../fonts/brand-font.js';
import { createTestContext } from './context.js';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);
const canvas = { width: 4, height: 3, backgroundColor: '#336699' };
const shape = { type: 'shape', x: 0, y: 0, width: 2, height: 2, shapeType: 'rectangle', fillColor: 'red' };
const sound = JSON.stringify({ canvas, layers: [shape] });
const broken = JSON.stringify({ canvas, layers: [{ ...shape, opacity: 2, id: 'dot' }, shape, { ...shape, x: 'a' }] });

const kindOf = (bytes: Buffer) =>
  bytes[0] === 0x89
    ? 'png'
    : bytes[0] === 0xff
      ? 'jpeg'
      : bytes.toString('latin1', 0, 4) === 'RIFF'
        ? 'webp'
        : 'unknown';

async function run(words: string, setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(words.split(' '), cli.context);
  return { code, output: cli.output(), errors: cli.errors() };
}

t.test('--fonts adds the families of a folder, and names bad files', async (t) => {
  const text = { type: 'text', text: '.', x: 0, y: 0, width: 4, height: 3, fontSize: 2, fontFamily: 'Brand' };
  const directory = t.testdir({
    'a.json': JSON.stringify({ canvas, layers: [text] }),
    brand: { 'brand.ttf': brandFont() },
    bad: { 'x.ttf': 'hello', 'y.otf': 'hello', 'z.ttf': brandFont() },
    none: {},
  });
  t.match(await run('a.json --fonts brand -o a.png --strict', { directory }), { code: 0, errors: '' });
  const bad = await run('a.json --fonts bad', { directory });
  t.equal(bad.code, 1);
  t.match(bad.errors, /^error: \S+x\.ttf: received .*\nerror: \S+y\.otf: received .*\n$/);
  t.match(await run('a.json --fonts none', { directory }), {
    code: 1,
    errors: /none: has no TTF, OTF, WOFF or WOFF2 files/,
  });
  t.match(await run('a.json --fonts nowhere', { directory }), { code: 1, errors: /nowhere: does not exist/ });
});

t.test('prints help and version', async (t) => {
  const directory = t.testdir({});
  const help = await run('--help', { directory });
  t.equal(help.code, 0);
  t.match(help.output.toString(), /Usage: platen [\s\S]*Exit codes:[\s\S]*\n {2}0 {3}/);
  t.ok(
    help.output
      .toString()
      .split('\n')
      .every((line) => line.length <= 120),
  );
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  t.equal((await run('--version', { directory })).output.toString(), `${version}\n`);
});

t.test('writes the image to standard output or a file, in the requested format', async (t) => {
  const webp = JSON.stringify({ canvas, layers: [], format: 'webp' });
  const directory = t.testdir({ 'a.json': sound, 'b.json': webp });
  const toOutput = await run('a.json', { directory });
  t.match(toOutput, { code: 0, errors: '' });
  t.equal(kindOf(toOutput.output), 'png');
  t.equal(kindOf((await run('-', { directory, input: sound })).output), 'png');
  t.equal(kindOf((await run('b.json', { directory })).output), 'webp');
  t.equal(kindOf((await run('b.json --format jpg', { directory })).output), 'jpeg');
  const toFile = await run('b.json -o out.jpeg', { directory });
  t.match(toFile, { code: 0, errors: '' });
  t.equal(toFile.output.length, 0);
  t.equal(kindOf(readFileSync(join(directory, 'out.jpeg'))), 'jpeg');
  await run('b.json -o out', { directory });
  t.equal(kindOf(readFileSync(join(directory, 'out'))), 'webp');
  const sizes = [];
  for (const quality of [1, 100])
    sizes.push((await run(`a.json --format jpeg --quality ${quality}`, { directory })).output.length);
  t.ok(sizes[0] < sizes[1]);
});

t.test('resolves local images relative to the payload’s folder', async (t) => {
  const payload = JSON.stringify({ canvas, layers: [{ ...shape, type: 'image', url: 'dot.png' }] });
  const directory = t.testdir({ sub: { 'a.json': payload, 'dot.png': PIXEL } });
  t.match(await run('sub/a.json', { directory }), { code: 0 });
  const elsewhere = await run('-', { directory, input: payload });
  t.equal(elsewhere.code, 1);
  t.match(elsewhere.errors, /^error: layers\[0\]\.url: .*\n$/);
});

t.test('a failed render lists every issue and leaves the output file unchanged', async (t) => {
  const directory = t.testdir({ 'a.json': broken, 'old.png': 'old' });
  const { code, errors, output } = await run('a.json -o old.png', { directory });
  t.equal(code, 1);
  t.equal(output.length, 0);
  t.equal(
    errors,
    'error: layers[0].opacity ("dot"): received 2, expected a number from 0 to 1\n' +
      'error: layers[2].x: received "a", expected a number from -1000000 to 1000000\n',
  );
  t.equal(readFileSync(join(directory, 'old.png'), 'utf8'), 'old');
  await run('a.json -o new.png', { directory });
  t.same(readdirSync(directory).sort(), ['a.json', 'old.png']);
});

t.test('prints one line per failure and returns the documented exit code', async (t) => {
  const directory = t.testdir({ 'a.json': sound, 'bad.json': '{"canvas":\n{]', folder: {} });
  const rows: [string, number, RegExp, object?][] = [
    ['none.json', 1, /^error: none\.json: no such file or folder\n$/],
    ['folder', 1, /^error: folder: is a folder\n$/],
    ['bad.json', 1, /^error: bad\.json: not valid JSON: line 2, column 2: received "]"/],
    ['-', 1, /^error: standard input: not valid JSON: it is empty\n$/],
    ['a.json -o folder', 1, /folder: is a folder\n$/],
    ['a.json -o none/a.png', 1, /there is no folder/],
    ['a.json --nope', 2, /^error: .*'--nope'.* \(see "platen --help"\)\n$/],
    ['a.json', 2, /not written to a terminal: use -o FILE, or redirect/, { isTTY: true }],
    [
      'a.json',
      2,
      /^error: ASSET_MAX_BYTES: received "many", expected a whole number/,
      { environment: { ASSET_MAX_BYTES: 'many' } },
    ],
    [
      'a.json',
      1,
      /^error: layers: received an array of 1, expected at most 0 layers\n$/,
      { environment: { MAX_LAYERS: '0' } },
    ],
    [
      '- -o a.png',
      1,
      /^error: received an object with a, expected either templateId, or canvas and layers\n$/,
      { input: '{"a":1}' },
    ],
  ];
  for (const [words, code, errors, setup] of rows) {
    const result = await run(words, { directory, ...setup });
    t.equal(result.code, code, words);
    t.match(result.errors, errors);
    t.equal(result.output.length, 0);
  }
});

t.test('fills a template with --var and --vars', async (t) => {
  const title = { key: 'title', label: 'Main title', type: 'text', x: 0, y: 0, width: 60, height: 20, text: 'D' };
  const photo = { key: 'photo', label: 'Photo', type: 'image', x: 0, y: 0, width: 9, height: 9 };
  const card = { name: 'Card', width: 60, height: 20, background: { url: 'dot.png' }, hotspots: [title, photo] };
  const directory = t.testdir({
    'card.json': JSON.stringify(card),
    'values.json': '{"title": {"text": "A", "color": "red"}, "photo": "dot.png", "__proto__": 1}',
    'list.json': '[1]',
    'dot.png': PIXEL,
    'a.json': sound,
  });
  const renderWith = async (words: string[], input = '') => {
    const cli = createTestContext({ directory, input });
    t.equal(await main(['card.json', ...words], cli.context), 0, cli.errors());
    return { bytes: cli.output(), errors: cli.errors() };
  };
  const plain = await renderWith([]);
  t.equal(plain.bytes.readUInt32BE(16), 60);
  const set = await renderWith(['--var', 'Main title=B']);
  t.notOk(set.bytes.equals(plain.bytes));
  // The text of --var is never parsed as JSON, and --var overrides --vars.
  t.notOk((await renderWith(['--var', 'title={"text":"B"}'])).bytes.equals(set.bytes));
  const filled = await renderWith(['--vars', 'values.json', '--var', 'photo=dot.png']);
  t.equal(
    filled.errors,
    'warning: variables.__proto__: is no variable of this template and is ignored [unused_variable]\n',
  );
  const twin = await renderWith(['--vars', '-'], '{"title": {"text": "A", "color": "red"}, "photo": "dot.png"}');
  t.ok(twin.bytes.equals(filled.bytes));
  const hidden = await renderWith(['--var', 'title=']);
  t.ok(hidden.bytes.equals((await renderWith(['--vars', '-'], '{"title": null}')).bytes));
  const rows: [string, RegExp][] = [
    ['card.json --var photo=none.png', /^error: variables\.photo: the file .*none\.png does not exist\n$/],
    ['card.json --vars list.json', /^error: list\.json: received an array of 1, expected an object of variables\n$/],
    ['card.json --vars none.json', /^error: none\.json: no such file or folder\n$/],
  ];
  for (const [words, errors] of rows) t.match(await run(words, { directory }), { code: 1, errors });
  t.match(await run('a.json --var title=x', { directory }), { code: 0, errors: /^warning: variables: are ignored/ });
});

t.test('fills a template with one of its sample sets', async (t) => {
  const title = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 60, height: 20, text: 'D' };
  const samples = [
    { name: 'Short', variables: { title: 'A' } },
    { name: 'Tall', variables: { title: 'B' }, size: 'tall' },
  ];
  const sizes = { tall: { width: 60, height: 80 }, wide: { width: 90, height: 20 } };
  const card = { name: 'Card', width: 60, height: 20, hotspots: [title], sizes, samples };
  const directory = t.testdir({ 'card.json': JSON.stringify(card), 'a.json': sound });
  const rendered = async (words: string) => {
    const { code, errors, output } = await run(`card.json ${words}`, { directory });
    t.same({ code, errors }, { code: 0, errors: '' }, words);
    return output;
  };
  t.same(await rendered('--sample Short'), await rendered('--var title=A'));
  t.same(await rendered('--sample Tall'), await rendered('--var title=B --size tall'));
  t.same(await rendered('--sample Tall --size wide --var title=C'), await rendered('--var title=C --size wide'));
  const rows: [string, RegExp][] = [
    [
      'card.json --sample Shor',
      /^error: --sample: received "Shor", expected one of "Short", "Tall" \(did you mean "Short"\?\)\n$/,
    ],
    ['a.json --sample Short', /^error: --sample: received "Short", expected none: the payload has no sample sets\n$/],
  ];
  for (const [words, errors] of rows) t.match(await run(words, { directory }), { code: 1, errors });
});

t.test('validate checks the sample sets of a template', async (t) => {
  const title = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 60, height: 20, text: 'D' };
  const card = { name: 'Card', width: 60, height: 20, hotspots: [title] };
  const samples = (variables: object) => JSON.stringify({ ...card, samples: [{ name: 'A', variables }] });
  const directory = t.testdir({
    'wrong.json': samples({ title: { x: 'a' } }),
    'doubtful.json': samples({ titel: '' }),
  });
  const wrong = await run('validate wrong.json', { directory });
  t.match(wrong, { code: 1, errors: /^error: samples\[0\]\.variables\.title: x: / });
  const doubtful = await run('validate doubtful.json', { directory });
  t.match(doubtful, { code: 0, errors: /^warning: samples\[0\]\.variables\.titel: is no variable of this template/ });
});

t.test('prints warnings and still writes the image', async (t) => {
  const picture = { type: 'image', x: 0, y: 0, width: 2, height: 2, url: 'none.png', fallbackColor: 'red', id: 'pic' };
  const payload = { canvas, layers: [picture] };
  const directory = t.testdir({ 'a.json': JSON.stringify(payload) });
  const { code, errors, output } = await run('a.json', { directory });
  t.equal(code, 0);
  t.equal(kindOf(output), 'png');
  t.match(errors, /^warning: layers\[0\]\.url \("pic"\): .*\n$/);
});

t.test('validate reports errors and warnings without rendering', async (t) => {
  const doubtful = JSON.stringify({ canvas, layers: [{ ...shape, colour: 'red' }] });
  const template = JSON.stringify({
    name: 'T',
    width: 4,
    height: 4,
    background: { url: 'none.png' },
    hotspots: [
      { ...shape, key: 'a', label: 'A', type: 'image' },
      { ...shape, key: 'b', label: 'B', type: 'qrcode', data: 'x'.repeat(3000) },
    ],
  });
  const surroundings = JSON.stringify({
    canvas,
    layers: [
      { ...shape, type: 'image', url: 'none.png' },
      { ...shape, type: 'image', url: 'none.png', fallbackColor: 'red' },
      { ...shape, type: 'image', url: 'gopher://x', fallbackColor: 'red' },
      { ...shape, type: 'text', text: 'a', fontFamily: 'Robotto' },
      { ...shape, type: 'text', text: 'a', customFontUrl: 'none.ttf' },
      { ...shape, type: 'qrcode', data: 'x'.repeat(3000) },
      { ...shape, type: 'image', url: 'dot.png' },
    ],
  });
  const directory = t.testdir({
    'a.json': sound,
    'b.json': broken,
    'c.json': doubtful,
    'd.json': surroundings,
    'e.json': template,
    'dot.png': PIXEL,
  });
  t.strictSame(await run('validate a.json', { directory }), {
    code: 0,
    output: Buffer.from('a.json: no errors, no warnings\n'),
    errors: '',
  });
  const bad = await run('validate b.json', { directory });
  t.equal(bad.code, 1);
  t.equal(bad.output.toString(), 'b.json: 2 errors, no warnings\n');
  t.equal(bad.errors.split('\n').length, 3);
  const odd = await run('validate --json c.json', { directory });
  t.equal(odd.code, 0);
  t.match(JSON.parse(odd.output.toString()), { valid: true, errors: [], warnings: [{ path: 'layers[0].colour' }] });
  t.equal(odd.errors, '');
  const near = JSON.parse((await run('validate --json d.json', { directory })).output.toString());
  const paths = (findings: { path: string }[]) => findings.map(({ path }) => path);
  t.same(paths(near.errors), ['layers[0].url', 'layers[2].url', 'layers[4].customFontUrl', 'layers[5].data']);
  t.same(
    paths(near.warnings).filter((path) => /url|fontFamily/.test(path)),
    ['layers[1].url', 'layers[3].fontFamily'],
  );
  const filled = JSON.parse((await run('validate --json e.json', { directory })).output.toString());
  t.same(paths(filled.errors), ['background.url', 'hotspots[1].data']);
  t.match(await run('validate none.json', { directory }), { code: 1, errors: /no such file/ });
});

t.test('validate reads codes back, without the network', async (t) => {
  const large = { width: 240, height: 240, backgroundColor: '#ffffff' };
  const code = { type: 'qrcode', data: 'https://example.com/4711', x: 40, y: 40, width: 160, height: 160 };
  const cover = { type: 'shape', shapeType: 'rectangle', x: 90, y: 90, width: 60, height: 60 };
  const remote = (more: object) => ({
    type: 'image',
    url: 'https://example.com/a.png',
    x: 0,
    y: 0,
    width: 240,
    height: 240,
    ...more,
  });
  const payload = (...layers: object[]) => JSON.stringify({ canvas: large, layers });
  const group = (more: object, ...layers: object[]) => {
    return { type: 'group', x: 0, y: 0, width: 240, height: 240, ...more, layers };
  };
  const pale = { ...code, colorDark: '#eeeeee' };
  const row = (more: object, ...layers: object[]) => group({ layout: 'row', gap: 10, ...more }, ...layers);
  const fixed = (layer: object, size: number) => ({ ...layer, x: undefined, y: undefined, width: size, height: size });
  const automatic = { type: 'image', url: 'https://example.com/a.png', width: 'auto', height: 60 };
  const customFontUrl = 'https://example.com/a.ttf';
  const remoteText = { type: 'text', text: 'a', customFontUrl, width: 'auto', height: 'auto' };
  const directory = t.testdir({
    'good.json': payload(code, {
      ...code,
      type: 'barcode',
      symbology: 'ean8',
      data: '1234567',
      x: 20,
      y: 205,
      width: 200,
      height: 30,
    }),
    'covered.json': payload({ ...code, verify: 'error' }, cover),
    'beneath.json': payload(remote({}), code, cover),
    'above.json': payload(code, remote({}), cover),
    'template.json': JSON.stringify({ name: 'T', ...large, layers: [{ ...code, colorDark: '#eeeeee', key: 'code' }] }),
    'group.json': payload(group({}, code, cover)),
    'remote-in-group.json': payload(group({}, code, remote({ width: 50 })), pale, group({ x: 240 }, remote({}))),
    'turned.json': payload(group({ rotation: 180 }, remote({ x: 0, y: 0, width: 40, height: 40 })), pale),
    'masked.json': payload(group({ maskImage: { url: 'https://example.com/m.png' } }, pale)),
    'faded.json': payload(remote({}), group({ opacity: 0.9 }, pale)),
    'failing.json': payload(
      { ...remote({ url: 'torn.png' }), width: 20, height: 20 },
      group({}, { ...remote({ url: 'torn.png' }), width: 50 }, pale),
    ),
    'failing-above.json': payload(pale, group({}, remote({ url: 'torn.png' }))),
    'row.json': payload(row({}, fixed(remote({}), 60), fixed(pale, 120)), remote({ width: 60, height: 60 })),
    'hidden-in-row.json': payload(row({}, { ...automatic, visible: false }, fixed(pale, 120))),
    'automatic-in-row.json': payload(row({}, automatic, fixed(pale, 120)), pale),
    'automatic-beneath.json': payload(row({}, automatic), pale),
    'automatic-text.json': payload({ ...remoteText, x: 0, y: 0 }, group({ opacity: 0.9 }, pale)),
    'torn.png': PIXEL.subarray(0, 40),
  });
  const warnings = async (file: string) => {
    const { code: status, output } = await run(`validate --json ${file}`, { directory });
    t.equal(status, 0, file);
    const found: { path: string; message: string }[] = JSON.parse(output.toString()).warnings;
    return found.filter(({ message }) => /can't be read/.test(message)).map(({ path }) => path);
  };
  t.same(await warnings('good.json'), []);
  t.same(await warnings('covered.json'), ['layers[0].data']);
  t.same(await warnings('beneath.json'), ['layers[1].data'], 'what lies beneath an opaque code does not matter');
  t.same(await warnings('above.json'), [], 'a picture of the web may hide the code');
  t.same(await warnings('template.json'), ['hotspots.code.data'], 'as a render names it');
  t.same(await warnings('group.json'), ['layers[0].layers[0].data']);
  t.same(await warnings('remote-in-group.json'), ['layers[1].data'], 'a picture in a group, beneath and beside it');
  t.same(await warnings('turned.json'), ['layers[1].data'], 'in the coordinates of the group');
  t.same(await warnings('masked.json'), [], 'nothing is known inside a mask of the web');
  t.same(await warnings('faded.json'), [], 'what lies beneath shows through');
  t.same(await warnings('failing.json'), ['layers[1].layers[1].data'], 'a broken picture elsewhere');
  t.same(await warnings('failing-above.json'), [], 'a broken picture on top');
  t.same(await warnings('row.json'), ['layers[0].layers[1].data'], 'in the place that layout gives it');
  t.same(await warnings('hidden-in-row.json'), ['layers[0].layers[1].data'], 'hidden layers decide nothing');
  t.same(await warnings('automatic-in-row.json'), ['layers[1].data'], 'the size of a picture of the web moves others');
  t.same(await warnings('automatic-beneath.json'), ['layers[1].data'], 'beneath an opaque code');
  t.same(await warnings('automatic-text.json'), [], 'text in a font of the web may be anywhere');
});

t.test('--watch renders again after changes and continues after errors', async (t) => {
  const withPicture = (width: number) =>
    JSON.stringify({ canvas: { width, height: 2 }, layers: [{ ...shape, type: 'image', url: 'dot.png' }] });
  const directory = t.testdir({ 'a.json': withPicture(4), 'dot.png': PIXEL });
  const ending = new AbortController();
  const cli = createTestContext({ directory, signal: ending.signal });
  const ended = main(['a.json', '-o', 'a.png', '--watch'], cli.context);
  const rounds = (n: number) => cli.waitForErrors((errors) => errors.split('watching a.json').length > n);
  const width = () => readFileSync(join(directory, 'a.png')).readUInt32BE(16);
  await rounds(1);
  t.equal(width(), 4);
  writeFileSync(join(directory, 'a.json'), '{');
  await rounds(2);
  t.match(cli.errors(), /error: a\.json: not valid JSON/);
  t.equal(width(), 4);
  writeFileSync(join(directory, 'draft'), withPicture(5));
  renameSync(join(directory, 'draft'), join(directory, 'a.json'));
  await rounds(3);
  t.equal(width(), 5);
  writeFileSync(join(directory, 'dot.png'), PIXEL);
  await rounds(4);
  ending.abort();
  t.equal(await ended, 0);
});

t.test('a finding is one line without control characters, whatever the payload contains', async (t) => {
  const line = findingLine('error', {
    code: 'invalid_value',
    path: 'a',
    layerId: '\u001b[2J\n',
    message: 'x\r\ny\u0007\u2028z',
  });
  t.equal(line, 'error: a ("\\u001b[2J\\n"): x y z\n');
});

t.test('write ignores a closed reader but reports other errors', async (t) => {
  const failing = (code: string) =>
    new Writable({ write: (_chunk, _encoding, done) => done(Object.assign(new Error(code), { code })) });
  await t.resolves(write(failing('EPIPE'), 'x'));
  await t.rejects(write(failing('ENOSPC'), 'x'), { code: 'ENOSPC' });
});

t.test('fonts lists every bundled family: a table, or JSON with --json', async (t) => {
  const directory = t.testdir({});
  const json = await run('fonts --json', { directory });
  t.equal(json.code, 0);
  const { items } = JSON.parse(json.output.toString()) as FontList;
  t.same(items, await listFontFamilies(), 'as the service answers');
  t.ok(items.some(({ family }) => family === 'Noto Sans Thai'));
  const table = (await run('fonts', { directory })).output.toString();
  t.equal((await run('fonts', { directory, isTTY: true })).output.toString(), table, 'the same on a terminal');
  t.match(table, /^family +styles +scripts +category\nInter +100,200,300,400,400i,/);
  mkdirSync(join(directory, 'brand'));
  writeFileSync(join(directory, 'brand/brand.ttf'), brandFont());
  const own = JSON.parse((await run('fonts --fonts brand --json', { directory })).output.toString()) as FontList;
  t.match(own.items.at(-1), { family: 'Brand', styles: [{ weight: 700, style: 'normal' }], source: 'bundled' });
  t.match(await run('fonts --fonts none', { directory }), { code: 1, errors: /none: does not exist/ });
  t.equal((await run('fonts now', { directory })).code, 2);
});

t.test('serve prints its help, and rejects invalid settings before it opens anything', async (t) => {
  const directory = t.testdir({});
  t.match(
    (await run('serve --help', { directory })).output.toString(),
    /listening on http:\/\/H:N[\s\S]*RENDER_WORKERS/,
  );
  const port = await run('serve --port many', { directory });
  t.same([port.code, port.errors.split('\n').length], [2, 2]);
  t.match(port.errors, /^error: --port: /);
  const STORE_URL = `postgres://u:secret@/x?host=${encodeURIComponent(directory)}`;
  const store = await run('serve', { directory, environment: { STORE_URL } });
  t.equal(store.code, 1);
  t.match(store.errors, /^(?!.*secret)error: the database can't be used: [^\n]+\n$/);
  t.same(readdirSync(directory), []);
});
