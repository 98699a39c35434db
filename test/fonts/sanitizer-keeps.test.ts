// The font sanitizer keeps every bundled face unchanged: metrics, shaping, outlines, colours. Fonts that pass but expand or
// remove glyphs, or whose charstrings are malformed, are rendered within bounds.
import t from 'tap';
import { textLayer } from '../../lib/contract/layers/index.js';
import { withGeometry } from '../../lib/contract/layers/layout/extents.js';
import { loadManifest, readFace } from '../../lib/fonts/bundled.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import { sanitizeFont } from '../../lib/fonts/sanitizer/sanitize.js';
import { loadTextEngine } from '../../lib/fonts/text-engine.js';
import { isEmpty } from '../../lib/geometry/rect.js';
import { CANVAS_SPACE, frameOf } from '../../lib/layers/frame.js';
import { LayerText } from '../../lib/layers/text/layer-text.js';
import { textContent } from '../../lib/layers/text/text.js';
import { tabOf } from '../../lib/layout/measure.js';
import { openFace } from '../../lib/text/face.js';
import { sample } from '../exhaustive.js';
import {
  bytes,
  callGlobal,
  callLocal,
  cffFont,
  coincidentPoints,
  ENDCHAR,
  gsub,
  multiple,
  RETURN,
  SQUARE,
  sfnt,
  short,
  trueType,
} from './font-maker.js';

await loadTextEngine();

/** Glyphs compared per face, spread evenly over its glyphs. */
const SAMPLE = 60;
const TEXTS: readonly (readonly [script: string, text: string, rightToLeft: boolean])[] = [
  ['Latn', 'Hamburgefonstiv AVATo fi ffl Ệ 12/34 — “x”', false],
  ['Grek', 'Ελληνικά', false],
  ['Cyrl', 'Кириллица', false],
  ['Arab', 'السلام عليكم لا', true],
  ['Hebr', 'שָׁלוֹם', true],
  ['Deva', 'हिन्दी क्षत्रिय', false],
  ['Thai', 'ภาษาไทย น้ำ', false],
  ['Hani', '漢字かな한글', false],
  ['Zyyy', '∑∫→☃👍🏽👩‍👩‍👧🇳🇱', false],
];

/** Everything that rendering reads from a face. */
function renderingDataOf(bytes: Uint8Array, glyphs: number) {
  const face = openFace(bytes, { trusted: true, weight: 650 });
  const { ascent, descent, underline, lineThrough, unitsPerEm, isItalic } = face;
  const shaped = TEXTS.map(([script, text, rightToLeft]) =>
    face.shape(text, 0, text.length, { rightToLeft, script, ligatures: true }),
  );
  const sample = Array.from({ length: SAMPLE }, (_, i) => Math.floor((i * glyphs) / SAMPLE));
  const drawn = [...sample, ...shaped.flat().map(({ id }) => id)];
  const outlines = drawn.map((glyph) => {
    const { verbs, coords } = face.outline(glyph);
    return [verbs.join(), coords.join()];
  });
  const paints = drawn.map((glyph) => face.colorPaint(glyph));
  return JSON.stringify({ ascent, descent, underline, lineThrough, unitsPerEm, isItalic, shaped, outlines, paints });
}

t.test('keeps the rendering of every bundled face', async (t) => {
  const { faces } = loadManifest();
  for (const description of sample(faces, 20)) {
    const bytes = await readFace(description);
    const sanitized = sanitizeFont(bytes);
    t.ok(sanitized.length <= bytes.length + 3, `${description.file} is no larger`);
    const view = Buffer.from(sanitized.buffer, sanitized.byteOffset, sanitized.length);
    const records = Array.from({ length: view.readUInt16BE(4) }, (_, i) => 12 + 16 * i);
    const maxp = records.find((record) => view.toString('latin1', record, record + 4) === 'maxp')!;
    const glyphs = view.readUInt16BE(view.readUInt32BE(maxp + 8) + 4);
    t.ok(renderingDataOf(bytes, glyphs) === renderingDataOf(sanitized, glyphs), `${description.file} renders the same`);
  }
});

// fault: 61
t.test('bounds the glyphs of a font that expands each glyph to 64, five times', async (t) => {
  const sequence = Array<number>(64).fill(1);
  const table = gsub(Array.from({ length: 5 }, () => [2, multiple(1, sequence)] as const));
  const font = sfnt({ ...trueType(SQUARE), GSUB: table });
  const request = { fontFamily: 'x', fontWeight: 400, fontStyle: 'normal', customFontUrl: 'x:' } as const;
  const { stack } = await createFontRegistry().resolveStack(request, 'a', async () => font);
  for (const [length, max] of [
    [1, 20_000],
    [100, 20_000],
    [1000, 70_000],
  ]) {
    const glyphs = stack.primary.shape('a'.repeat(length), 0, length, {
      rightToLeft: false,
      script: 'Latn',
      ligatures: true,
    });
    t.ok(glyphs.length >= length && glyphs.length <= max, `${length} characters, ${glyphs.length} glyphs`);
  }
});

// fault: 60
t.test('draws nothing of charstrings that do not end, expand exponentially or are malformed', (t) => {
  const repeat = (count: number, part: Uint8Array) => Buffer.concat(Array.from({ length: count }, () => part));
  const glyph = (...parts: (Uint8Array | number)[]) => ({ charstrings: [bytes(...parts)] });
  const start = bytes(short(1), short(1), 21);
  const nested = (depth: number) => ({
    charstrings: [bytes(start, callLocal(0), ENDCHAR)],
    localSubrs: Array.from({ length: depth }, (_, i) =>
      bytes(i < depth - 1 ? callLocal(i + 1) : bytes(short(5), short(5), 5), RETURN),
    ),
  });
  const outlineOf = (parts: Parameters<typeof cffFont>[0]) =>
    openFace(sanitizeFont(sfnt(cffFont(parts))), { trusted: false }).outline(1);
  t.equal(outlineOf(nested(9)).verbs.length, 4, 'draws calls 9 deep');
  const nothing = {
    'subroutines that call themselves': { ...glyph(callLocal(0)), localSubrs: [callLocal(0)] },
    'a tree of calls': { ...glyph(callGlobal(0)), globalSubrs: [repeat(1000, callGlobal(0))] },
    'subroutine calls 11 deep': nested(11),
    'a missing subroutine': glyph(callGlobal(3)),
    'a negative subroutine number': { ...glyph(callLocal(-5)), localSubrs: [RETURN] },
    'a call without a number': glyph(10),
    'subroutines that expand exponentially': {
      ...glyph(callGlobal(0)),
      globalSubrs: [
        ...Array.from({ length: 9 }, (_, i) => bytes(repeat(1000, callGlobal(i + 1)), RETURN)),
        bytes(repeat(1000, bytes(short(1), 22)), RETURN),
      ],
    },
    'too few operands': glyph(short(1), 21, ENDCHAR),
    'a truncated number': glyph(28, 0),
    'a truncated hint mask': glyph(repeat(40, short(1)), 1, repeat(40, short(1)), 19, 0),
    'the random operator': glyph(12, 23),
  };
  for (const [name, parts] of Object.entries(nothing)) t.ok(outlineOf(parts).verbs.length <= 2, name);
  const { length } = outlineOf(glyph(start, repeat(1_000_000, bytes(short(1), short(1), 5)))).verbs;
  t.ok(length < 200_000, `${length} segments of a glyph that has a million`);
  t.end();
});

// fault: 61
t.test('shapes nothing in a font that removes every glyph, spaces included', async (t) => {
  const table = gsub([
    [2, multiple(0, [])],
    [2, multiple(1, [])],
  ]);
  const request = { fontFamily: 'x', fontWeight: 400, fontStyle: 'normal', customFontUrl: 'x:' } as const;
  const font = sfnt({ ...trueType(SQUARE), GSUB: table });
  const { stack } = await createFontRegistry().resolveStack(request, 'a', async () => font);
  t.same(stack.primary.shapeCharacter(' ', true), []);
  t.equal(tabOf({ stack, size: 16, letterSpacing: 2 }), 16);
});

// fault: 61
t.test('rejects a text whose outlines have too many points, but not many emoji', async (t) => {
  const draw = async (text: string, font?: Uint8Array) => {
    const given = { type: 'text', text, x: 0, y: 0, width: 900, height: 900, rotation: 9 };
    const layer = withGeometry(textLayer.parse(given));
    const request = { ...layer, customFontUrl: font && 'x:' };
    const { stack } = await createFontRegistry().resolveStack(request, text, async () => font!);
    return textContent(layer, frameOf(layer, CANVAS_SPACE), new LayerText(layer, { block: stack, spans: [stack] }))
      .content;
  };
  const font = sfnt(trueType(coincidentPoints(50_000)));
  t.notOk(isEmpty((await draw('👩‍👩‍👧🇳🇱😀🎉'.repeat(1000))).bounds));
  await draw('a'.repeat(50), font);
  await t.rejects(draw('a'.repeat(200), font), { code: 'render_failed', message: /too complex for this much text/ });
});

t.test('reports why a custom font is rejected', async (t) => {
  const { hmtx: _, ...tables } = trueType(SQUARE);
  const request = { fontFamily: 'x', fontWeight: 400, fontStyle: 'normal', customFontUrl: 'x:' } as const;
  await t.rejects(
    createFontRegistry().resolveStack(request, 'a', async () => sfnt(tables)),
    { code: 'render_failed', message: 'received a malformed font file: it has no hmtx table' },
  );
});
