// `platen fonts inspect` describes font files of every container.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import '../../lib/node-host.js';
import { loadManifest, readFace } from '../../lib/fonts/bundled.js';
import { reportFont } from '../../lib/fonts/report.js';
import { ROOT } from '../checkout.js';
import { sample } from '../exhaustive.js';
import { brandFont } from './brand-font.js';
import { colorFontFile } from './color-font.js';
import { bytes, cffFont, ENDCHAR, sfnt, u16, variableFont } from './font-maker.js';

const inter = (name: string) => readFileSync(join(ROOT, 'fonts/inter', name));

t.test('reports names, features, languages, counts and the licence', async (t) => {
  const { languages, features, ...report } = await reportFont(brandFont());
  t.match(report, {
    ...{ format: 'TTF', faces: 1, weights: [700], style: 'normal', axes: [], color: [] },
    names: { fontFamily: 'Brand', fontSubfamily: 'Bold', designer: 'Rasmus Andersson', version: /^Version 4/ },
    scripts: ['Latn', 'Cyrl', 'Grek'],
    licence: { text: /SIL Open Font License/, url: 'https://openfontlicense.org', embedding: 'installable' },
  });
  t.ok(report.glyphs > report.characters && report.characters > 2000);
  t.notOk('license' in report.names, 'the licence is not repeated');
  for (const tag of ['kern', 'liga', 'tnum']) t.equal(features.includes(tag), tag !== 'liga', tag);
  t.same(features, [...new Set(features)].sort());
  const codes = languages.map(({ code }) => code);
  t.ok(['cs', 'de', 'el', 'ru', 'vi'].every((code) => codes.includes(code)));
  t.notOk(codes.includes('th'));
  t.same(
    languages.find(({ code }) => code === 'cs'),
    { code: 'cs', name: 'Czech' },
  );
  t.notOk('missing' in report);
});

t.test('names what of a text the font lacks, once, as the reader sees characters', async (t) => {
  const { missing } = await reportFont(brandFont(), 'Žluť 字é字\n\u200d👍🏽 ก็');
  t.same(missing, ['字', '👍🏽', 'ก็']);
  t.same((await reportFont(brandFont(), 'Plain'))?.missing, []);
  t.same((await reportFont(brandFont(), ''))?.missing, []);
});

t.test('reports WOFF2, OTF, variable and colour fonts', async (t) => {
  const [italic] = loadManifest().faces.filter(({ file }) => /inter-400-italic/.test(file));
  const ttf = await reportFont(await readFace(italic));
  const woff2 = await reportFont(inter('inter-400-italic.woff2'));
  t.match(woff2, { format: 'WOFF2', style: 'italic', weights: [400] });
  t.same({ ...woff2, format: 'TTF', names: {}, licence: {} }, { ...ttf, names: {}, licence: {} });

  const otf = await reportFont(sfnt(cffFont({ charstrings: [ENDCHAR, ENDCHAR] })));
  t.match(otf, { format: 'OTF', glyphs: 3, names: {}, features: [], languages: [] }, 'a font without names');

  const variable = await reportFont(variableFont());
  t.same(variable.weights, [100, 900]);
  t.match(variable.axes, [{ tag: 'wght', min: 100, default: 400, max: 900 }]);

  const color = await reportFont(colorFontFile(), 'A');
  t.same([color.color, color.names.fontFamily], [['COLR 1'], 'Paints']);
});

t.test('reads the first face of a collection', async (t) => {
  const font = inter('inter-400.ttf');
  const header = bytes(Buffer.from('ttcf'), u16(1, 0, 0, 2, 0, 20, 0, 20));
  const file = Buffer.concat([header, font]);
  const tables = file.readUInt16BE(24);
  for (let record = 32; record < 32 + 16 * tables; record += 16) {
    file.writeUInt32BE(file.readUInt32BE(record + 8) + header.length, record + 8);
  }
  t.match(await reportFont(file), { format: 'TTC', faces: 2, names: { fontFamily: 'Inter' } });
});

t.test('says what restricts the embedding', async (t) => {
  for (const [fsType, embedding] of [
    [0, 'installable'],
    [0x100, 'installable'],
    [2, 'restricted'],
    [4, 'preview and print'],
    [8, 'editable'],
    [10, 'editable'],
  ] as const) {
    const font = brandFont();
    const at = font.indexOf('OS/2');
    font.writeUInt16BE(fsType, font.readUInt32BE(at + 8) + 8);
    t.equal((await reportFont(font)).licence.embedding, embedding, String(fsType));
  }
});

t.test('reads a face of every bundled family', async (t) => {
  const families = new Map(loadManifest().faces.map((face) => [face.family, face]));
  for (const [family, { file }] of sample([...families], 8)) {
    const report = await reportFont(readFileSync(join(ROOT, 'fonts', file)));
    t.ok(report.glyphs > 100 && report.scripts.length > 0, family);
  }
});

t.test('broken fonts are errors of one line', async (t) => {
  const font = brandFont();
  const malformed = { name: 'RenderError', code: 'render_failed', message: /^received a malformed font file: .+$/ };
  await t.rejects(reportFont(Buffer.from('hello there')), { message: /^received plain text, expected a TTF, OTF, W/ });
  await t.rejects(reportFont(new Uint8Array(0)), { message: /^received an empty file, expected a TTF/ });
  await t.rejects(reportFont(font.subarray(0, 5000)), malformed);
  await t.rejects(reportFont(inter('inter-700-italic.woff2').subarray(0, 9000)), malformed);
  await t.rejects(reportFont(Buffer.from('OTTO'.padEnd(64, '\0'))), malformed);

  // tables of every kind that point anywhere: read or refused, never another error
  for (const tag of ['name', 'cmap', 'GSUB', 'GPOS', 'OS/2', 'post', 'head', 'loca', 'GDEF']) {
    const damaged = Buffer.from(font);
    const record = damaged.indexOf(tag);
    const start = damaged.readUInt32BE(record + 8);
    const end = start + Math.min(200, damaged.readUInt32BE(record + 12));
    for (let at = start + 2; at < end; at += 3) damaged[at] = 0xff;
    const error = await reportFont(damaged, 'a').then(
      () => undefined,
      (cause) => cause,
    );
    if (error) t.match(error, { name: 'RenderError', message: /^[^\n]+$/ }, tag);
    else t.pass(tag);
  }
});
