// Fonts that the user adds: their families are used like bundled ones, in the library, its workers, the service and the command.
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { listFontFiles } from '../../lib/fonts/font-folder.js';
import { loadUserFonts } from '../../lib/fonts/user-fonts.js';
import { createRenderer, type FontSource, type Payload, renderToPixels } from '../../lib/index.js';
import { ROOT } from '../checkout.js';

const file = (family: string, weight: number, style = 'normal') => {
  const { faces } = JSON.parse(readFileSync(join(ROOT, 'fonts/manifest.json'), 'utf8'));
  const face = faces.find((each: { family: string; weight: number; style: string }) => {
    return each.family === family && each.weight === weight && each.style === style;
  });
  return join(ROOT, 'fonts', face.file);
};
const LOBSTER = file('Lobster', 400);
const text = (fontFamily: string, fontWeight = 400): Payload => ({
  canvas: { width: 120, height: 40, backgroundColor: 'white' },
  layers: [{ type: 'text', text: 'Brand', x: 0, y: 0, width: 120, height: 40, fontSize: 30, fontFamily, fontWeight }],
});
const bundledPixels = async (family: string, weight = 400) => (await renderToPixels(text(family, weight))).data;

t.test('a family is used by its given name, from a path and from bytes, whatever its case', async (t) => {
  const expected = await bundledPixels('Lobster');
  t.notSame(expected, await bundledPixels('Inter'));
  for (const source of [{ path: LOBSTER }, { data: readFileSync(LOBSTER) }]) {
    const renderer = createRenderer({ fonts: [{ ...source, family: 'Brand Script' }] });
    const { data, warnings } = await renderer.renderToPixels(text('brand SCRIPT'));
    t.same(warnings, []);
    t.same(data, expected);
  }
});

t.test('worker processes use the fonts too', async (t) => {
  const renderer = createRenderer({ workers: 1, fonts: [{ path: LOBSTER, family: 'Brand' }] });
  t.teardown(() => renderer.close());
  const { data, warnings } = await renderer.renderToPixels(text('Brand'));
  t.same(warnings, []);
  t.same(data, await bundledPixels('Lobster'));
});

t.test('the closest weight of a family is used, and its own family comes before a bundled one', async (t) => {
  const fonts: FontSource[] = [
    { path: LOBSTER, family: 'Lato', weight: 400 },
    { path: file('Inter', 700), family: 'Lato', weight: 700 },
  ];
  const renderer = createRenderer({ fonts });
  t.same((await renderer.renderToPixels(text('Lato', 300))).data, await bundledPixels('Lobster'));
  t.same((await renderer.renderToPixels(text('Lato', 900))).data, await bundledPixels('Inter', 700));
});

t.test('an unknown family is suggested from the added ones', async (t) => {
  const { warnings } = await createRenderer({ fonts: [{ path: LOBSTER, family: 'Brandish' }] }).render(text('Brandsh'));
  t.match(warnings, [{ path: 'layers[0].fontFamily', message: /did you mean "Brandish"\?/ }]);
});

t.test('reads family, weight and style from the files', async (t) => {
  const read = await loadUserFonts([
    { path: LOBSTER },
    { path: file('Lato', 700) },
    { path: file('Lato', 400, 'italic') },
  ]);
  t.match(read, [
    { family: 'Lobster', weight: 400, style: 'normal' },
    { family: 'Lato', weight: 700, style: 'normal' },
    { family: 'Lato', weight: 400, style: 'italic' },
  ]);
});

t.test('names every bad file in one line, at each render', async (t) => {
  const folder = t.testdir({ 'bad.ttf': 'hello', 'cut.woff2': readFileSync(LOBSTER).subarray(0, 900) });
  const fonts = [
    { path: join(folder, 'bad.ttf') },
    { path: LOBSTER },
    { path: join(folder, 'cut.woff2') },
    { data: new Uint8Array(9) },
    { path: join(folder, 'none.ttf') },
    {},
    { path: LOBSTER, weight: 0 },
  ];
  const renderer = createRenderer({ fonts });
  for (let i = 0; i < 2; i++) {
    const error = await renderer.render(text('Inter')).catch((reason) => reason);
    t.equal(error.code, 'invalid_request');
    t.equal(error.details.length, 6, error.message);
    t.notMatch(error.message, '\n');
    for (const part of [
      'bad.ttf: received',
      'cut.woff2: received a malformed font',
      'fonts[3]: received',
      'none.ttf: does not exist',
    ])
      t.match(error.message, part);
    t.match(error.message, 'fonts[5]: expected data or path');
    t.match(error.message, 'weight: received 0, expected a number from 1 to 1000');
  }
});

t.test('lists the font files of a folder', async (t) => {
  const folder = t.testdir({ 'README.md': '', empty: {} });
  await t.rejects(listFontFiles(join(folder, 'empty')), { message: /empty: has no TTF, OTF, WOFF or WOFF2 files$/ });
  await t.rejects(listFontFiles(join(folder, 'none')), { message: /none: does not exist$/ });
  await t.rejects(listFontFiles(join(folder, 'README.md')), { message: /is not a folder$/ });
  cpSync(LOBSTER, join(folder, `b${LOBSTER.slice(LOBSTER.lastIndexOf('.'))}`));
  writeFileSync(join(folder, 'a.TTF'), '');
  t.equal((await listFontFiles(folder)).length, 2);
});
