// `templates lint` and `templates diff`: files and stored templates, exit codes, and the picture of the pixels that differ.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import t from 'tap';
import { main } from '../../../lib/cli/main.js';
import { createTestContext } from '../context.js';

const panel = { type: 'shape', shapeType: 'rectangle', x: 0, y: 0, width: 10, height: 10, fillColor: '#0000ff' };
const title = { key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 10, height: 10, autoFit: true };
const card = {
  name: 'Card',
  width: 20,
  height: 10,
  background: { color: 'white' },
  layers: [panel],
  hotspots: [title],
};
const moved = { ...card, layers: [{ ...panel, x: 5 }] };
const doubtful = { ...card, hotspots: [{ ...title, autoFit: false }] };
const files = Object.fromEntries(
  Object.entries({ card, moved, doubtful, broken: { ...card, width: 0 }, canvas: { canvas: {}, layers: [] } }).map(
    ([name, value]) => [`${name}.json`, JSON.stringify(value)],
  ),
);

async function run(words: string, setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(words.split(' '), cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

t.test('lint prints findings and exits with 1 if there are any', async (t) => {
  const directory = t.testdir(files);
  const message = 'has neither autoFit nor maxLines: a long text overflows the box';
  const finding = { code: 'template', severity: 'warning', path: 'hotspots[0]', message };
  t.same(await run('templates lint card.json', { directory }), { code: 0, output: '[]\n', errors: '' });
  const { code, output } = await run('templates lint doubtful.json', { directory });
  t.equal(code, 1);
  t.same(JSON.parse(output), [finding]);
  t.match(await run('templates lint -', { directory, input: files['doubtful.json'], isTTY: true }), {
    code: 1,
    output: /^severity +code +path +message\nwarning +template +hotspots\[0\] +has neither autoFit/,
  });
  t.match(await run('templates lint card.json', { directory, isTTY: true }), { code: 0, output: 'no findings\n' });
});

t.test('diff lists fields; with -o it counts and paints the pixels that differ', async (t) => {
  const directory = t.testdir(files);
  const fields = [{ path: 'layers[0].x', before: 0, after: 5 }];
  const { code, output } = await run('templates diff card.json moved.json', { directory });
  t.equal(code, 0);
  t.same(JSON.parse(output), { fields });
  const painted = await run('templates diff card.json moved.json -o out.png', { directory });
  t.match(painted, { code: 0, errors: '' });
  t.same(JSON.parse(painted.output), { fields, pixels: { differing: 100, total: 200, share: 0.5 } });
  const { width, height, data } = PNG.sync.read(readFileSync(join(directory, 'out.png')));
  t.same([width, height], [20, 10]);
  const columns = Array.from({ length: 20 }, (_, x) => data.subarray(x * 4, x * 4 + 3).join());
  const [red, blue, white] = ['255,0,0', '191,191,255', '255,255,255'];
  t.same(
    columns,
    [red, blue, red, white].flatMap((color) => Array(5).fill(color)),
  );
  t.match(await run('templates diff card.json moved.json -o out.png', { directory, isTTY: true }), {
    output: /^path +before +after\nlayers\[0\]\.x +0 +5\n\n50\.00% of the pixels differ \(100 of 200\): out\.png\n$/,
  });
});

t.test('both read stored templates', async (t) => {
  const directory = t.testdir(files);
  const { id: workspace } = JSON.parse((await run('workspaces create --name a', { directory })).output);
  const { id } = JSON.parse((await run(`templates import card.json --workspace ${workspace}`, { directory })).output);
  t.match(await run(`templates lint ${id}`, { directory }), { code: 0, output: '[]\n' });
  const { output } = await run(`templates diff ${id} moved.json`, { directory });
  t.same(JSON.parse(output).fields, [{ path: 'layers[0].x', before: 0, after: 5 }]);
  t.match(await run('templates lint tpl_unknown', { directory }), { code: 1, errors: /^error: .*tpl_unknown/ });
});

t.test('show lists the variables of placeholders, and the sizes', async (t) => {
  const record = {
    name: 'T',
    width: 20,
    height: 10,
    placeholders: true,
    layers: [{ type: 'text', x: 0, y: 0, width: 9, height: 9, text: '{{row}}', maxLines: 1 }],
    sizes: { story: { width: 10, height: 20 } },
  };
  const directory = t.testdir({ 'card.json': JSON.stringify(record) });
  const { id: workspace } = JSON.parse((await run('workspaces create --name a', { directory })).output);
  const { id } = JSON.parse((await run(`templates import card.json --workspace ${workspace}`, { directory })).output);
  for (const name of [id, `${id}@1`]) {
    t.match(JSON.parse((await run(`templates show ${name}`, { directory })).output), {
      hotspots: [{ key: 'row', label: 'row', type: 'placeholder' }],
      sizes: [{ size: 'story', width: 10, height: 20 }],
    });
  }
  const { output } = await run(`templates show ${id}`, { directory, isTTY: true });
  t.match(output, /\n\nkey +label +type\nrow +row +placeholder\n\nsize +width +height\nstory +10 +20\n$/);
});

t.test('mistakes are named', async (t) => {
  const directory = t.testdir(files);
  const rows: [words: string, code: number, errors: RegExp][] = [
    ['lint', 2, /expects a template: a JSON file, - for standard input, or a template id/],
    ['lint card.json moved.json', 2, /expects a template/],
    ['lint card.json -o a.png', 2, /does not support --output/],
    ['lint none.json', 1, /^error: none\.json: /],
    ['lint canvas.json', 1, /^error: canvas\.json: it is no template\n$/],
    ['lint broken.json', 1, /^error: broken\.json: width: received 0, expected/],
    ['diff card.json', 2, /expects two templates/],
    ['diff - -', 2, /can't both be standard input/],
    ['diff card.json broken.json', 1, /^error: broken\.json: width/],
    ['diff card.json moved.json -o out.jpg', 2, /expected a \.png file/],
    ['diff card.json moved.json -o none/out.png', 1, /there is no folder/],
  ];
  for (const [words, code, errors] of rows) {
    t.match(await run(`templates ${words}`, { directory }), { code, output: '', errors }, words);
  }
});
