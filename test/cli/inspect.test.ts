// `platen inspect`, run in this process with an in-memory context.
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { inspect } from '../any-payload.js';
import { createTestContext } from './context.js';

async function run(words: string, setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(words.split(' '), cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

const SVG = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" width="9" height="6"/>';
const payload = {
  canvas: { width: 200, height: 100 },
  layers: [
    { type: 'text', id: 'title', text: 'One\nTwo', x: 10, y: 20, width: 100, height: 5, fontSize: 20 },
    { type: 'image', url: SVG, x: 0, y: 0, width: 90, height: 60, colour: 'red' },
    { type: 'text', text: '', x: 1, y: 2, width: 3, height: 4, visible: false },
  ],
};
const template = {
  name: 'Card',
  width: 60,
  height: 30,
  hotspots: [{ key: 'title', label: 'Title', type: 'text', text: 'A', x: 1, y: 2, width: 50, height: 20 }],
  sizes: { small: { width: 40, height: 20 } },
  samples: [{ name: 'Long', variables: { title: 'A long text' }, size: 'small' }],
};

t.test('prints a table of the layers, and warnings on standard error', async (t) => {
  const directory = t.testdir({ 'a.json': JSON.stringify(payload) });
  const { code, output, errors } = await run('inspect a.json', { directory });
  t.equal(code, 0);
  const [head, columns, title, image, hidden, ...rest] = output.split('\n');
  t.match(head, /^a\.json: 200 × 100 pixels; check [\d.]+ ms, load [\d.]+ ms, layout [\d.]+ ms$/);
  t.match(columns, /^layer +type +box +ink +details$/);
  t.match(
    title,
    /^layers\[0\] "title" +text +100 × 5 at 10, 20 +\d+ × \d+ at \d+, \d+ +20 px, 2 lines, Inter 400, overflows$/,
  );
  t.match(image, /^layers\[1\] +image +90 × 60 at 0, 0 +90 × 60 at 0, 0 +svg 9 × 6, shows 9 × 6 at 0, 0, \d+ bytes$/);
  t.match(hidden, /^layers\[2\] +text +3 × 4 at 1, 2 +none +hidden$/);
  t.same(rest, ['alt: One Two', '']);
  t.match(errors, /^warning: layers\[1\]\.colour: .*\nwarning: layers\[0\].*overflows its box \[text_overflow\]\n$/);
  t.match(await run('inspect -', { directory, input: '{"canvas":{"width":1,"height":1},"layers":[]}' }), {
    code: 0,
    output: /^-: 1 × 1 pixels; .*\nno layers\n$/,
    errors: '',
  });
});

t.test('--json prints what the library answers', async (t) => {
  const { code, output, errors } = await run('inspect - --json', {
    directory: t.testdir({}),
    input: JSON.stringify(payload),
  });
  t.match({ code, errors }, { code: 0, errors: '' });
  const { timings, ...found } = JSON.parse(output);
  const { timings: _, ...expected } = await inspect(payload);
  t.same(found, expected);
  t.same(Object.keys(timings), ['check', 'load', 'layout']);
});

t.test('templates take variables, samples, sizes and scales', async (t) => {
  const directory = t.testdir({ 't.json': JSON.stringify(template), 'v.json': '{"title":"File"}' });
  const found = async (options: string) => {
    const { output } = await run(`inspect t.json --json ${options}`.trim(), { directory });
    const { width, height, layers } = JSON.parse(output);
    return [width, height, layers[0].path, layers[0].lines.map(({ text }: { text: string }) => text).join(' ')];
  };
  t.same(await found(''), [60, 30, 'hotspots.title', 'A']);
  t.same(await found('--var title=Hi --scale 2'), [120, 60, 'hotspots.title', 'Hi']);
  t.same(await found('--vars v.json --size small'), [40, 20, 'hotspots.title', 'File']);
  t.same(await found('--sample Long'), [40, 20, 'hotspots.title', 'A long text']);
});

t.test('bad payloads fail with a line for each fault', async (t) => {
  const layers = [{ type: 'image', url: 'data:image/png;base64,AAAA', x: 0, y: 0, width: 9, height: 9 }, { type: 'x' }];
  const directory = t.testdir({
    'shape.json': JSON.stringify({ canvas: {}, layers: 1 }),
    'picture.json': JSON.stringify({ ...payload, layers: layers.slice(0, 1) }),
    'layer.json': JSON.stringify({ ...payload, layers }),
    'text.json': 'no JSON',
    't.json': JSON.stringify(template),
  });
  const cases: [string, RegExp][] = [
    ['shape.json', /^error: canvas\.width: .*\nerror: canvas\.height: .*\nerror: layers: .*\n$/],
    ['picture.json', /^error: layers\[0\]\.url: .*\n$/],
    ['layer.json', /^error: layers\[1\]\.type: .*\n$/],
    ['text.json', /^error: text\.json: .*\n$/],
    ['none.json', /^error: none\.json: .*\n$/],
    ['t.json --sample No', /^error: --sample: received "No", expected one of "Long"|^error: --sample: /],
    ['t.json --size no', /^error: size: .*\n$/],
  ];
  for (const [words, message] of cases) {
    const { code, output, errors } = await run(`inspect ${words}`, { directory });
    t.same([code, output], [1, ''], words);
    t.match(errors, message, words);
  }
});
