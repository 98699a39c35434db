// `platen lint`: payloads and templates, sizes and sample sets, exit codes.
import t from 'tap';
import { main } from '../../lib/cli/main.js';
import { createTestContext } from './context.js';

async function run(words: string, setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(words.split(' '), cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

const text = { type: 'text', text: 'Tonight', x: 20, y: 20, width: 360, height: 60, fontSize: 40 };
const canvas = { width: 400, height: 200, backgroundColor: '#ffffff' };
const good = { canvas, layers: [text] };
const pale = { canvas, layers: [{ ...text, color: '#bbbbbb' }] };
const widow = 'We mend on Saturdays what you would throw away, too';
const info = { canvas, layers: [{ ...text, text: widow, width: 250, height: 140, fontSize: 26 }] };
const template = {
  name: 'Card',
  width: 400,
  height: 200,
  background: { color: '#ffffff' },
  hotspots: [{ ...text, key: 'title', label: 'Title', maxLines: 1, wrap: false }],
  samples: [{ name: 'Long', variables: { title: 'A title that no box of this width can hold' } }],
};
const files = Object.fromEntries(
  Object.entries({ good, pale, info, template }).map(([name, value]) => [`${name}.json`, JSON.stringify(value)]),
);

t.test('exits with 1 for findings that are as bad as --fail-on', async (t) => {
  const directory = t.testdir(files);
  t.same(await run('lint good.json', { directory }), { code: 0, output: 'no findings\n', errors: '' });
  t.match(await run('lint pale.json', { directory }), {
    code: 1,
    output: /^error: layers\[0\]: the contrast of "Tonight" .*\[low_contrast, has a fix\]\n$/,
  });
  t.match(await run('lint pale.json --ignore low_contrast', { directory }), { code: 0 });
  t.match(await run('lint info.json', { directory }), { code: 0, output: /^info: layers\[0\]: .*\[widow/ });
  t.match(await run('lint info.json --fail-on info', { directory }), { code: 1 });
  t.match(await run('lint pale.json --fail-on bad', { directory }), { code: 2, errors: /--fail-on: received "bad"/ });
  t.match(await run('lint', { directory }), { code: 2, errors: /expected a payload or template/ });
});

t.test('looks at each sample set, and --json names it', async (t) => {
  const directory = t.testdir(files);
  const { code, output } = await run('lint template.json --json', { directory });
  t.equal(code, 1);
  t.match(JSON.parse(output), [{ code: 'text_overflow', path: 'hotspots.title', sample: 'Long' }]);
});
