// Every render reports warnings; in strict mode they are errors.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { SAMPLE_TEMPLATE, SAMPLE_VARIABLES } from '../lib/cli/admin/init.js';
import { main } from '../lib/cli/main.js';
import { RenderError, validate, type Warning } from '../lib/index.js';
import { inspect, render } from './any-payload.js';
import { ROOT } from './checkout.js';
import { createTestContext } from './cli/context.js';

const canvas = { width: 60, height: 40 };
const box = { x: 0, y: 0, width: 60, height: 40 };
const text = { type: 'text', ...box, text: 'Hi' };
const sound = { canvas, layers: [text] };
const odd = { canvas: { ...canvas, background: 'red' }, layers: [{ ...text, id: 'a', fontsize: 5 }], $schema: 'x' };
const ODD = [
  {
    code: 'unknown_field',
    path: 'canvas.background',
    message: 'is no known field and is ignored; did you mean backgroundColor?',
    value: 'red',
    suggestion: 'backgroundColor',
  },
  {
    code: 'unknown_field',
    path: 'layers[0].fontsize',
    message: 'is no known field and is ignored; did you mean fontSize?',
    value: 5,
    suggestion: 'fontSize',
    layerId: 'a',
  },
];

t.test('the library returns warnings, and the image is unaffected', async (t) => {
  const [one, other] = [await render(sound), await render(odd)];
  t.same(one.warnings, []);
  t.same(other.warnings, ODD);
  t.same(other.bytes, one.bytes);
});

t.test('a strict render fails and lists all warnings in its details', async (t) => {
  const failed: RenderError = await render(odd, { strict: true }).then(
    () => t.fail('it was rendered'),
    (error) => error,
  );
  t.type(failed, RenderError);
  t.match(failed, {
    code: 'render_failed',
    details: ODD,
    message: /^2 warnings in a strict render: canvas\.backgr/,
  });
  t.match(await render(sound, { strict: true }), { width: 60, warnings: [] });
});

const hotspot = { key: 'title', label: 'Title', type: 'text', ...box, txt: 'Default' };
const card = { name: 'Card', ...canvas, layers: [{ ...text, colour: 1 }], hotspots: [{ ...hotspot, txt: undefined }] };
const template = { name: 'Card', ...canvas, layers: [{ ...text, colour: 1 }], hotspots: [hotspot], format: 'jpeg' };

t.test(
  'warns about a template’s own fields, layers and hotspots, drawn or not, and about objects as variables',
  async (t) => {
    const pathsOf = async (variables: object) =>
      (await render(template, { variables: { ...variables } })).warnings.map(({ path }) => path);
    const own = ['format', 'layers[0].colour', 'hotspots.title.txt'];
    t.same(await pathsOf({}), own);
    t.same(await pathsOf({ title: null }), own);
    t.same(await pathsOf({ title: 'A' }), own);
    t.same(await pathsOf({ Title: { text: 'A', fontsize: 5, shadow: { blurr: 1 } } }), [
      ...own,
      'variables.Title',
      'variables.Title',
    ]);
    const { warnings } = await render(template, { variables: { title: { text: 'A', fontsize: 5 } } });
    t.equal(warnings.at(-1)?.message, 'fontsize: is no known field and is ignored; did you mean fontSize?');
  },
);

t.test('returns 100 warnings at most', async (t) => {
  const many = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`field${i}`, 1]));
  const { warnings } = await render({
    canvas,
    layers: [
      { ...text, ...many },
      { ...text, ...many },
    ],
    ...many,
  });
  t.equal(warnings.length, 100);
});

t.test('autoFit warns only if the text does not fit at minFontSize', async (t) => {
  const fitted = { ...text, autoFit: true, fontSize: 60 };
  const messages = async (layer: object) =>
    (await render({ canvas, layers: [{ ...fitted, ...layer }] })).warnings.map(({ message }) => message);
  t.same(await messages({}), []);
  t.same(await messages({ text: '', height: 0 }), [], 'an empty text, as in a box that is as high as its text');
  t.same(await messages({ text: 'a b c d e f g h i j k l m n o p q r s t u v w x y z', minFontSize: 30 }), [
    'the text does not fit its box: autoFit stops at 30 px',
  ]);
  t.same(await messages({ text: 'unbreakable', minFontSize: 40 }), [
    'the text does not fit its box: autoFit stops at 40 px',
  ]);
  t.same(await messages({ text: 'a b c d', fontSize: 20, minFontSize: 30, width: 10 }), [
    'the text does not fit its box: autoFit stops at 20 px',
  ]);
  t.same(await messages({ text: 'one two three four', minFontSize: 30, maxLines: 1, height: 100 }), [
    'the text was cut after 1 line',
    'the text does not fit its box: autoFit stops at 30 px',
  ]);
});

async function run(words: string, files: Record<string, string>, t: Tap) {
  const directory = t.testdir(files);
  const cli = createTestContext({ directory });
  const code = await main(words.split(' '), cli.context);
  return {
    code,
    errors: cli.errors(),
    output: cli.output(),
    files: () => readdirSync(directory).sort(),
    directory,
  };
}

interface Tap {
  testdir(files: Record<string, string>): string;
}

t.test('the command line prints warnings; --strict fails and writes nothing', async (t) => {
  const files = { 'a.json': JSON.stringify(odd), 'b.json': JSON.stringify(sound) };
  const drawn = await run('a.json -o a.png', files, t);
  t.match(drawn, {
    code: 0,
    errors:
      'warning: canvas.background: is no known field and is ignored; did you mean backgroundColor? [unknown_field]\n' +
      'warning: layers[0].fontsize ("a"): is no known field and is ignored; did you mean fontSize? [unknown_field]\n',
  });
  t.same(drawn.files(), ['a.json', 'a.png', 'b.json']);
  const refused = await run('a.json -o a.png --strict', files, t);
  t.match(refused, { code: 1, errors: drawn.errors.replaceAll('warning: ', 'error: ') });
  t.same(refused.files(), ['a.json', 'b.json']);
  t.match(await run('b.json -o b.png --strict', files, t), { code: 0, errors: '' });
  t.match(await run('validate a.json', files, t), { code: 0 });
  t.match(await run('validate a.json --strict', files, t), { code: 1 });
  t.match(await run('validate b.json --strict', files, t), { code: 0 });
});

t.test('warns about a format that contradicts the file extension', async (t) => {
  const files = { 'a.json': JSON.stringify(sound) };
  const drawn = await run('a.json -o o.jpg --format png', files, t);
  t.match(drawn, {
    code: 0,
    errors: 'warning: o.jpg is written as PNG because of --format, but its extension is .jpg [format_mismatch]\n',
  });
  t.equal(readFileSync(join(drawn.directory, 'o.jpg')).readUInt16BE(0), 0x8950, '--format wins');
  const refused = await run('a.json -o o.jpg --format png --strict', files, t);
  t.match(refused, { code: 1, errors: /^error: o\.jpg is written as PNG/ });
  t.same(refused.files(), ['a.json']);
  t.match(await run('a.json -o o.gif --format webp', files, t), {
    code: 0,
    errors: /^warning: .*WEBP.* \.gif \[format_mismatch\]\n$/,
  });
  for (const words of ['-o o.jpg --format jpeg', '-o o.jpeg --format JPG', '-o o.data --format png', '--format png'])
    t.match(await run(`a.json ${words}`, files, t), { code: 0, errors: '' }, words);
});

t.test('--strict=CODE fails for these warnings alone, and --allow makes exceptions', async (t) => {
  const files = { 'a.json': JSON.stringify(odd) };
  const rows: [string, number][] = [
    ['a.json -o a.png --strict=text_overflow', 0],
    ['a.json -o a.png --strict=text_overflow,unknown_field', 1],
    ['a.json -o a.png --strict=text_overflow --strict=unknown_field', 1],
    ['a.json -o a.png --strict --allow unknown_field', 0],
    ['a.json -o a.png --strict --allow text_overflow', 1],
    ['a.json -o a.png --strict --allow text_overflow --allow=off_canvas,unknown_field', 0],
    ['a.json -o o.jpg --format png --strict --allow unknown_field', 1],
    ['a.json -o o.jpg --format png --strict --allow unknown_field,format_mismatch', 0],
    ['validate a.json --strict=text_overflow', 0],
    ['validate a.json --strict=unknown_field', 1],
    ['validate a.json --strict --allow unknown_field', 0],
  ];
  for (const [words, code] of rows) t.equal((await run(words, files, t)).code, code, words);
});

t.test('codes that are none, and --allow alone, are wrong usage', async (t) => {
  const files = { 'a.json': JSON.stringify(odd) };
  const rows: [string, RegExp][] = [
    ['--strict=unknown_fields', /--strict: received "unknown_fields", expected .*; did you mean unknown_field\?/],
    ['--strict=', /--strict: received "", expected a code of a warning/],
    ['--strict --allow text_overflow,', /--allow: received "", expected a code of a warning/],
    ['--strict --allow missing_glyph', /did you mean missing_glyphs\?/],
    ['--allow unknown_field', /--allow needs --strict/],
  ];
  for (const [words, errors] of rows)
    t.match(await run(`a.json -o a.png ${words}`, files, t), { code: 2, errors }, words);
});

t.test('JSON of validate and inspect has the codes', async (t) => {
  const files = { 'a.json': JSON.stringify(odd), 'b.json': '{"canvas":{"width":0,"height":5}}' };
  const codes = ({ output }: { output: Buffer }, field: string) =>
    (JSON.parse(output.toString())[field] as { code: string }[]).map(({ code }) => code);
  t.same(codes(await run('validate a.json --json', files, t), 'warnings'), ['unknown_field', 'unknown_field']);
  t.same(codes(await run('inspect a.json --json', files, t), 'warnings'), ['unknown_field', 'unknown_field']);
  t.same(codes(await run('validate b.json --json', files, t), 'errors'), ['invalid_value', 'missing_value']);
});

t.test('a text in several scripts passes a strict render, one without glyphs does not', async (t) => {
  const inFonts = { canvas, layers: [{ ...text, text: 'a שלום ไทย 日本 ✓ 👍', fontSize: 4, fontFamily: 'Lora' }] };
  t.same((await render(inFonts, { strict: true })).warnings, []);
  const inNone = { canvas, layers: [{ ...text, text: '\u{10900}', fontFamily: 'Lora' }] };
  const failed = await render(inNone, { strict: true }).catch((error) => error);
  t.match(failed, { code: 'render_failed', details: [{ code: 'missing_glyphs', path: 'layers[0].text' }] });
  t.same((await render(inNone, { strict: ['text_overflow'] })).warnings.length, 1);
});

t.test(
  'placeholders in a template that expands none are drawn, with a warning at each field that is drawn',
  async (t) => {
    const span = { text: '{{b}}' };
    const plain = {
      ...card,
      layers: [
        { ...text, text: 'Row {{row}}' },
        { type: 'group', ...box, layers: [{ ...text, id: 'in', spans: [{ text: 'a' }, span] }] },
        { ...text, text: 'a { } {{ b' },
      ],
      hotspots: [{ ...hotspot, text: '{{title}}' }],
      sizes: { wide: { width: 90, height: 40 } },
    };
    const drawn = ['layers[0].text', 'layers[1].layers[0].spans[1].text', 'hotspots.title.text'];
    const found = (warnings: readonly Warning[]) =>
      warnings.flatMap(({ code, path }) => (code === 'literal_placeholder' ? [path] : []));
    const rendered = await render(plain);
    t.same(found(rendered.warnings), drawn);
    t.match(rendered.warnings[0]?.message, /^\{\{row\}\} stays as it is: set "placeholders": true in the template/);
    t.same(found((await inspect(plain)).warnings), drawn);
    t.same(found((await render(plain, { size: 'wide' })).warnings), drawn);
    t.same(found((await render(plain, { variables: { title: '{{x}}' } })).warnings), drawn.slice(0, 2));
    t.same(found(validate(plain).warnings), [
      'layers[0].text',
      'layers[1].layers[0].spans[1].text',
      'hotspots[0].text',
    ]);
    t.same(found((await render({ ...plain, placeholders: true, layers: plain.layers.slice(0, 2) })).warnings), []);
    const flat = { canvas, layers: plain.layers };
    t.same(found((await render(flat)).warnings), [], 'a payload without a template has no placeholders');
    const unexpanded = { canvas, layers: [{ ...text, text: 'Row {{row}}' }] };
    const expanded = { name: 'Card', ...canvas, background: {}, layers: unexpanded.layers, hotspots: [] };
    t.same((await render(expanded)).bytes, (await render(unexpanded)).bytes);
  },
);

t.test('every new template expands placeholders', async (t) => {
  t.equal(SAMPLE_TEMPLATE.placeholders, true);
  const starters = readFileSync(join(ROOT, 'web/pages/templates/starters.ts'), 'utf8');
  t.match(starters, /BLANK: Starter = \{[^}]*placeholders: true/, 'an empty one of the dashboard');
  const folder = join(ROOT, 'data/templates');
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.json'))) {
    t.equal(JSON.parse(readFileSync(join(folder, name), 'utf8')).placeholders, true, name);
  }
});

t.test('accepts a byte order mark in payloads and variables', async (t) => {
  const card = { name: 'Card', ...canvas, hotspots: [{ key: 'title', label: 'Title', type: 'text', ...box }] };
  const files = { 'card.json': `\uFEFF${JSON.stringify(card)}`, 'vars.json': '\uFEFF{"title":"A"}' };
  t.match(await run('card.json --vars vars.json -o a.png --strict', files, t), { code: 0, errors: '' });
});

t.test('the template of `platen init` renders without a warning', async (t) => {
  t.same((await render(SAMPLE_TEMPLATE, { variables: SAMPLE_VARIABLES })).warnings, []);
});
