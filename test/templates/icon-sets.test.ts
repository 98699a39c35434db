// Sets of icons that a renderer or the command line has beside the one of the package.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { readIconFolder } from '../../lib/assets/icon-folder.js';
import { main } from '../../lib/cli/main.js';
import { createRenderer, validate } from '../../lib/index.js';
import { readIconSets } from '../../lib/templates/icons/icon-sets.js';
import { createTestContext } from '../cli/context.js';

async function run(words: string, setup: Parameters<typeof createTestContext>[0]) {
  const cli = createTestContext(setup);
  const code = await main(words.split(' '), cli.context);
  return { code, output: cli.output().toString(), errors: cli.errors() };
}

const SET = {
  prefix: 'mine',
  width: 24,
  height: 24,
  icons: {
    corner: { body: '<path fill="currentColor" d="M0 0h12v6H0z"/>' },
    ring: { body: '<circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" stroke-width="4"/>' },
  },
  aliases: {
    turned: { parent: 'corner', rotate: 1 },
    mirrored: { parent: 'corner', hFlip: true },
    upside: { parent: 'corner', vFlip: true },
    both: { parent: 'turned', hFlip: true, vFlip: true },
  },
};
const BAD = { prefix: 'bad', icons: { one: { body: '<text>a</text>' } } };
const payload = (icon: string) =>
  ({
    canvas: { width: 24, height: 24, backgroundColor: '#ffffff' },
    layers: [{ type: 'icon', icon, x: 0, y: 0, width: 24, height: 24 }],
  }) as const;

t.test('a renderer draws the icons of its sets, turned and mirrored as their aliases say', async (t) => {
  const renderer = createRenderer({ icons: [SET] });
  const corners = async (icon: string) => {
    const { data } = await renderer.renderToPixels(payload(icon));
    const isDark = (x: number, y: number) => data[(y * 24 + x) * 4] < 128;
    return [isDark(2, 2), isDark(21, 2), isDark(21, 21), isDark(2, 21)].map(Number).join('');
  };
  t.equal(await corners('mine:corner'), '1000');
  t.equal(await corners('mine:turned'), '0100');
  t.equal(await corners('mine:mirrored'), '0100');
  t.equal(await corners('mine:upside'), '0001');
  t.equal(await corners('mine:both'), '0001');
  t.equal(await corners('mine:ring'), '0000');
  t.equal((await renderer.inspect(payload('lucide:check'))).layers.length, 1, 'Lucide is there, too');
  await t.rejects(renderer.render(payload('mine:rong')), {
    code: 'render_failed',
    message: /the nearest are mine:ring, /,
  });
  t.match(validate(payload('mine:ring')), { valid: false, details: [{ path: 'layers[0].icon' }] });
  t.match(validate(payload('mine:ring'), { icons: [SET] }), { valid: true });
  const processes = createRenderer({ icons: [SET], workers: 1 });
  t.equal((await processes.render(payload('mine:ring'))).width, 24);
  const pages = processes.renderDocument({ pages: [payload('mine:ring')] });
  t.match(Buffer.from(await new Response(pages).arrayBuffer()).toString('latin1'), /^%PDF/);
  await processes.close();
});

t.test('a set that can not be drawn fails the renders, and names its icon', async (t) => {
  const renderer = createRenderer({ icons: [SET, BAD] });
  const message = /^icons\[1\]: bad:one: .*text/;
  await t.rejects(renderer.render(payload('mine:ring')), { code: 'invalid_request', message });
  const double = createRenderer({ icons: [SET, { ...SET }] });
  await t.rejects(double.render(payload('mine:ring')), { message: /^icons\[1\]: there is another set .* mine$/ });
  t.throws(() => createRenderer({ icons: 7 as never }), { message: /^icons: received 7, expected an array of sets/ });
});

t.test('a folder has files, and packages of Iconify', async (t) => {
  const folder = t.testdir({ 'b.json': JSON.stringify(SET), 'README.md': '' });
  mkdirSync(join(folder, 'other'));
  writeFileSync(join(folder, 'other/icons.json'), JSON.stringify({ ...SET, prefix: 'other' }));
  writeFileSync(join(folder, 'other/info.json'), '{}');
  const files = await readIconFolder(folder);
  t.same(
    files.map(({ name }) => name),
    [join(folder, 'b.json'), join(folder, 'other/icons.json')],
  );
  t.same(
    readIconSets(files).map(({ prefix }) => prefix),
    ['mine', 'other'],
  );
  await t.rejects(readIconFolder(join(folder, 'none')), { message: /none: does not exist$/ });
  await t.rejects(readIconFolder(t.testdir({ empty: {} })), { message: /has no JSON files with sets of icons$/ });
  const broken = t.testdir({ 'a.json': '{' });
  await t.rejects(readIconFolder(broken), { code: 'invalid_request', message: /a\.json: is no JSON: / });
});

t.test('ICONS_DIR is for every command', async (t) => {
  const template = {
    ...{ name: 'A', width: 24, height: 24, placeholders: true },
    layers: [
      { type: 'icon', key: 'name', icon: 'mine:corner', x: 0, y: 0, width: 24, height: 24 },
      { type: 'icon', icon: '{{= default(name, "mine:ring") }}', x: 0, y: 0, width: 24, height: 24 },
    ],
    samples: [{ name: 'One', variables: { name: 'mine:ring' } }],
  };
  const directory = t.testdir({
    icons: { 'mine.json': JSON.stringify(SET) },
    bad: { 'bad.json': JSON.stringify(BAD) },
    'a.json': JSON.stringify(payload('mine:ring')),
    't.json': JSON.stringify(template),
    'rows.csv': 'name\nmine:ring\n',
  });
  const inFolder = { directory, environment: { ICONS_DIR: join(directory, 'icons') } };
  for (const command of [
    'a.json -o a.png',
    'validate a.json',
    'validate t.json',
    'inspect a.json',
    'expand a.json',
    't.json --var name=mine:ring -o t.png',
    'batch t.json rows.csv -o {#}.png --jobs 1',
    'batch t.json rows.csv -o all.pdf',
  ]) {
    t.match(await run(command, inFolder), { code: 0 }, command);
    const without = await run(command, { directory });
    t.not(without.code, 0, `${command} without it`);
  }
  const bad = await run('a.json -o a.png', { directory, environment: { ICONS_DIR: join(directory, 'bad') } });
  t.match(bad, { code: 1, errors: /bad\.json: bad:one: .*text/ });
});
