// Our binding of HarfBuzz against that of harfbuzzjs, which loads a separate module: the same glyphs, positions, outlines,
// metrics and colours from every bundled face, and from files that are no fonts.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as harfbuzz from 'harfbuzzjs';
import t from 'tap';
import { loadManifest, readFace } from '../../../lib/fonts/bundled.js';
import { COORDINATES, CUBIC, LINE, MOVE, type Path, QUAD } from '../../../lib/geometry/path.js';
import { outlineKernels } from '../../../lib/kernels/kernels.js';
import { loadModule } from '../../../lib/kernels/wasm-module.js';
import '../../../lib/node-host.js';
import type { GlyphPaint } from '../../../lib/text/glyph-paint.js';
import { createHarfBuzzEngine } from '../../../lib/text/harfbuzz/font.js';
import { instantiate } from '../../../lib/text/harfbuzz/instance.js';
import { readColorGlyphs } from '../../../lib/text/opentype/colr.js';
import type { EngineFont, MetricTag } from '../../../lib/text/text-engine.js';
import { sample } from '../../exhaustive.js';
import { composite, SQUARE, sfnt, trueType, variableFont } from '../../fonts/font-maker.js';

/** Glyphs compared in each face, spread over all it has. */
const GLYPHS = 80;
const TEXTS: readonly (readonly [script: string | undefined, text: string, rightToLeft: boolean])[] = [
  ['Latn', 'Hamburgefonstiv AVATo fi ffl Ệ 12/34 — “x”, a\u0301e\u0308\u0323', false],
  ['Grek', 'Ελληνικά ΐ', false],
  ['Cyrl', 'Кириллица й', false],
  ['Arab', 'السلام عليكم لا نَصٌّ', true],
  ['Hebr', 'שָׁלוֹם (א)', true],
  ['Deva', 'हिन्दी क्षत्रिय', false],
  ['Thai', 'ภาษาไทย น้ำ', false],
  ['Hani', '漢字かな한글', false],
  [undefined, '∑∫→☃👍🏽👩‍👩‍👧🇳🇱', false],
  ['Zyyy', '\ud800 \udc00', false],
];
const METRICS: readonly (readonly [MetricTag, number])[] = [
  ['undo', harfbuzz.MetricsTag.UNDERLINE_OFFSET],
  ['unds', harfbuzz.MetricsTag.UNDERLINE_SIZE],
  ['stro', harfbuzz.MetricsTag.STRIKEOUT_OFFSET],
  ['strs', harfbuzz.MetricsTag.STRIKEOUT_SIZE],
];
const NO_LIGATURES = ['liga', 'clig', 'dlig', 'hlig', 'calt'].map((tag) => new harfbuzz.Feature(tag, 0));

const engine = createHarfBuzzEngine(instantiate(await loadModule('harfbuzz'), outlineKernels()));

function ours(font: EngineFont, glyphs: number) {
  const colors = readColorGlyphs((tag) => font.table(tag), new Map());
  return {
    unitsPerEm: font.unitsPerEm,
    extents: font.extents(),
    metrics: METRICS.map(([tag]) => font.metric(tag)),
    axes: [...font.axes].map(([tag, { min, max }]) => [tag, min, max]),
    features: [font.featureTags('GSUB'), font.featureTags('GPOS')],
    tables: ['OS/2', 'head', 'kern'].map((tag) => font.table(tag)?.join()),
    hasCharacters: font.hasCharacters(),
    mapped: mapped((codePoint) => font.glyph(codePoint)),
    shaped: TEXTS.map(([script, text, rightToLeft]) =>
      [true, false].map((ligatures) =>
        font
          .shape(text, 1, text.length, { rightToLeft, script, ligatures })
          .map(({ id, cluster, advance, kerning, offsetX, offsetY, unsafeToBreak }) => [
            id,
            cluster,
            ...[advance + kerning, offsetX, offsetY].map((length) => Math.round(length * font.unitsPerEm)),
            unsafeToBreak,
          ]),
      ),
    ),
    outlines: spread(glyphs).map((glyph) => pathData(font.outline(glyph))),
    layers: spread(glyphs).map((glyph) => flatLayers(colors?.paint(glyph))),
  };
}

function theirs(face: harfbuzz.Face, font: harfbuzz.Font, glyphs: number): ReturnType<typeof ours> {
  const { ascender, descender, lineGap } = font.hExtents();
  const [palette] = face.getColorPalettes();
  return {
    unitsPerEm: face.upem,
    extents: { ascender, descender, lineGap },
    metrics: METRICS.map(([, tag]) => font.getMetricPositionWithFallback(tag)),
    axes: Object.entries(face.getAxisInfos()).map(([tag, { min, max }]) => [tag, min, max]),
    features: [face.getTableFeatureTags('GSUB'), face.getTableFeatureTags('GPOS')],
    tables: ['OS/2', 'head', 'kern'].map((tag) => face.referenceTable(tag)?.join()),
    hasCharacters: face.collectUnicodes().length > 0,
    mapped: mapped((codePoint) => font.nominalGlyph(codePoint) ?? 0),
    shaped: TEXTS.map(([script, text, rightToLeft]) =>
      [true, false].map((ligatures) => {
        const buffer = new harfbuzz.Buffer();
        buffer.addText(text, 1, text.length - 1);
        buffer.setDirection(rightToLeft ? harfbuzz.Direction.RTL : harfbuzz.Direction.LTR);
        if (script) buffer.setScript(script);
        buffer.guessSegmentProperties();
        harfbuzz.shape(font, buffer, ligatures ? [] : NO_LIGATURES);
        const positions = buffer.getGlyphPositions();
        return buffer.getGlyphInfos().map(({ codepoint, cluster, flags }, i) => {
          const { xAdvance, xOffset, yOffset } = positions[i];
          return [codepoint, cluster, xAdvance, xOffset, yOffset, (flags & harfbuzz.GlyphFlag.UNSAFE_TO_BREAK) !== 0];
        });
      }),
    ),
    outlines: spread(glyphs).map((glyph) => font.glyphToPath(glyph)),
    layers: spread(glyphs).map((glyph) =>
      face.getGlyphColorLayers(glyph).map((layer) => {
        const color = layer.colorIndex === undefined ? undefined : palette.colors[layer.colorIndex];
        const { red, green, blue, alpha } = color ?? { red: 0, green: 0, blue: 0, alpha: 0 };
        return { glyph: layer.glyph, color: color && { r: red, g: green, b: blue, a: alpha / 255 } };
      }),
    ),
  };
}

/** The layers of a colour glyph of COLR version 0. */
function flatLayers(paint: GlyphPaint | undefined) {
  const layers = paint?.kind === 'layers' ? paint.paints : [];
  return layers.map((layer) => {
    if (layer.kind !== 'glyph' || layer.paint.kind !== 'solid') throw new Error(`unexpected paint ${layer.kind}`);
    return { glyph: layer.glyph, color: layer.paint.color };
  });
}

function spread(glyphs: number): number[] {
  return Array.from({ length: GLYPHS }, (_, i) => Math.floor((i * glyphs) / GLYPHS));
}

function mapped(glyph: (codePoint: number) => number): number[] {
  return [0, 32, 65, 0xe9, 0x3b1, 0x416, 0x5d0, 0x627, 0x915, 0x4e00, 0x1f44d, 0x10ffff].map(glyph);
}

/** SVG path data as harfbuzzjs writes it. */
function pathData({ verbs, coords }: Path): string {
  let at = 0;
  return verbs
    .map((verb) => {
      const points: string[] = [];
      for (const end = at + COORDINATES[verb as typeof MOVE]; at < end; at += 2)
        points.push(`${coords[at]},${coords[at + 1]}`);
      const [letter] = [MOVE, LINE, QUAD, CUBIC].includes(verb as 0) ? 'MLQC'[verb] : 'Z';
      return letter + points.join(' ');
    })
    .join('');
}

t.test('reads and shapes with every bundled face as harfbuzzjs does', async (t) => {
  for (const described of sample(loadManifest().faces, 20)) {
    const file = await readFace(described);
    const face = new harfbuzz.Face(new harfbuzz.Blob(file));
    const glyphs = new DataView(face.referenceTable('maxp')!.slice().buffer).getUint16(4);
    const expected = theirs(face, new harfbuzz.Font(face), glyphs);
    t.ok(expected.hasCharacters, described.file);
    t.strictSame(ours(engine.open(file), glyphs), expected, described.file);
  }
});

t.test('reads damaged files as harfbuzzjs does', (t) => {
  const font = sfnt(trueType(SQUARE, composite(1)));
  const files = [new Uint8Array(), new Uint8Array(100), font.subarray(0, 60), font];
  for (let at = 0; at < font.length; at += 7) files.push(font.map((byte, i) => (i === at ? byte ^ 0x41 : byte)));
  for (const file of files) {
    const face = new harfbuzz.Face(new harfbuzz.Blob(file));
    t.strictSame(ours(engine.open(file), 4), theirs(face, new harfbuzz.Font(face), 4));
  }
  t.end();
});

t.test('sets the axes of a variable font', (t) => {
  const file = variableFont();
  const [plain, heavy] = [engine.open(file), engine.open(file)];
  t.same([...plain.axes], [['wght', { min: 100, max: 900 }]]);
  heavy.setVariations(new Map([['wght', 900]]));
  const face = new harfbuzz.Face(new harfbuzz.Blob(file));
  const [theirPlain, theirHeavy] = [new harfbuzz.Font(face), new harfbuzz.Font(face)];
  theirHeavy.setVariations([new harfbuzz.Variation('wght', 900)]);
  t.strictSame(ours(plain, 3), theirs(face, theirPlain, 3));
  t.strictSame(ours(heavy, 3), theirs(face, theirHeavy, 3));
  t.not(pathData(heavy.outline(1)), pathData(plain.outline(1)));
  t.end();
});

t.test('frees fonts that are no longer used', async (t) => {
  setFlagsFromString('--expose-gc');
  const collectGarbage: () => void = runInNewContext('gc');
  const instance = instantiate(await loadModule('harfbuzz'), outlineKernels());
  const own = createHarfBuzzEngine(instance);
  const file = await readFace(loadManifest().faces[0]);
  for (let opened = 0; opened < 300e6; opened += file.length) {
    own.open(file).outline(40);
    if (opened % 30e6 < file.length) {
      collectGarbage();
      // the registry's callbacks run between tasks
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  t.ok(instance.exports.memory.buffer.byteLength < 150e6, `${instance.exports.memory.buffer.byteLength} bytes`);
});

t.test('a trap leaves a RuntimeError, as the check for damaged processes expects', async (t) => {
  const { exports } = instantiate(await loadModule('harfbuzz'), outlineKernels());
  t.throws(() => exports.hb_shape(0xfffffff0, 0xfffffff0, 0, 0), { name: 'RuntimeError' });
});
