// The font registry: families, weights, styles, fallbacks and custom fonts.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { GENERIC_FAMILIES } from '../../lib/fonts/bundled.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import type { Face } from '../../lib/text/face.js';
import { type FontStack, faceFor } from '../../lib/text/font-stack.js';

const fonts = new URL('../../fonts/', import.meta.url);
const inter = new Uint8Array(readFileSync(new URL('inter/inter-400.ttf', fonts)));
const pacifico = new Uint8Array(readFileSync(new URL('pacifico/pacifico-400.woff2', fonts)));

const registry = createFontRegistry();
const PLAIN = { fontFamily: 'Inter', fontWeight: 400, fontStyle: 'normal' } as const;
const noBytes = async () => new Uint8Array();
const resolveStack = (request: object, text = 'abc') => registry.resolveStack({ ...PLAIN, ...request }, text, noBytes);
const advance = (face: Face, character: string) =>
  face.shape(character, 0, 1, { rightToLeft: false, script: 'Latn', ligatures: true })[0].advance;

t.test('finds a family by its name, ignoring case', async (t) => {
  const { stack, warning } = await resolveStack({ fontFamily: ' iNTER ' });
  t.equal(warning, undefined);
  t.equal(stack.primary, (await resolveStack({})).stack.primary, 'loads a face once');
  t.not(stack.primary, (await resolveStack({ fontWeight: 700 })).stack.primary);
  t.equal(
    (await resolveStack({ fontWeight: 720 })).stack.primary,
    (await resolveStack({ fontWeight: 800 })).stack.primary,
  );
});

// fault: 67
t.test('falls back to Inter for an unknown family and warns', async (t) => {
  const { stack, warning } = await resolveStack({ fontFamily: 'Robotto' });
  t.equal(stack.primary, (await resolveStack({})).stack.primary);
  t.same(warning, {
    code: 'unknown_font',
    field: 'fontFamily',
    message: 'unknown font family "Robotto": Inter is used instead; did you mean "Roboto"?',
    value: 'Robotto',
    suggestion: 'Roboto',
  });
  t.match((await resolveStack({ fontFamily: 'x'.repeat(500) })).warning?.message, /^.{1,160}$/);
  t.notMatch((await resolveStack({ fontFamily: 'zzzzzzzzzz' })).warning?.message, /did you mean/);
  for (const fontFamily of ['__proto__', 'constructor', ''])
    t.ok((await resolveStack({ fontFamily })).warning, fontFamily);
});

t.test('uses an italic face, or an upright one to be slanted if there is none', async (t) => {
  t.ok((await resolveStack({ fontStyle: 'italic' })).stack.primary.isItalic);
  const { stack } = await resolveStack({ fontFamily: 'Pacifico', fontStyle: 'italic' });
  t.notOk(stack.primary.isItalic);
  t.ok(stack.italic);
});

t.test('loads only the fallbacks that a text needs', async (t) => {
  const none = (await resolveStack({})).stack.fallbacks;
  t.same([none.text.length, none.symbols.length, none.emoji.length], [0, 0, 0]);
  for (const [text, expected] of [
    ['שלום', [1, 0, 0]],
    ['שלום العربية ไทย हिन्दी', [4, 0, 0]],
    ['日本語', [1, 0, 0]],
    ['বাংলা। ১২৩', [1, 0, 0]],
    ['हिन्दी। বাংলা।', [2, 0, 0]],
    ['මනුෂ්‍යයෝ', [1, 0, 0]],
    ['।', [1, 0, 0]],
    ['👍', [0, 0, 1]],
    ['𝒜', [0, 1, 0]],
    ['a\u0007\u200b\u200d', [0, 0, 0]],
  ] as const) {
    const { fallbacks } = (await resolveStack({}, text)).stack;
    t.same([fallbacks.text.length, fallbacks.symbols.length, fallbacks.emoji.length], expected, text);
  }
});

t.test('uses bold fallbacks for bold text', async (t) => {
  const regular = (await resolveStack({}, 'שלום')).stack.fallbacks.text[0];
  const bold = (await resolveStack({ fontWeight: 700 }, 'שלום')).stack.fallbacks.text[0];
  t.not(regular, bold);
});

t.test('covers the characters that layout may add', async (t) => {
  // All bundled text faces have an ellipsis, so this uses the emoji face, which has few other characters.
  const { stack } = await resolveStack({ fontFamily: 'Twemoji' }, '👍');
  t.ok(faceFor(stack, '…'));
  t.ok(faceFor(stack, '-'));
});

t.test('loads custom fonts', async (t) => {
  const custom = (bytes: Uint8Array, more: object = {}) =>
    registry.resolveStack({ ...PLAIN, customFontUrl: 'https://example.com/font', ...more }, 'abc', async () => bytes);
  const { stack, warning } = await custom(inter, { fontFamily: 'My Own' });
  t.equal(warning, undefined, 'allows any family name with a custom font');
  t.equal(advance(stack.primary, 'a'), advance((await resolveStack({})).stack.primary, 'a'));
  t.equal((await custom(inter.slice())).stack.primary, stack.primary, 'parses a font once per content');
  t.ok(advance((await custom(pacifico)).stack.primary, 'a') > 0, 'WOFF2');
  const html = new TextEncoder().encode('<!doctype html><title>Not found</title>');
  await t.rejects(custom(html), RenderError);
  await t.rejects(custom(new Uint8Array()), RenderError);
  await t.rejects(custom(inter.slice(0, 2000)), RenderError);
  const corrupt = inter.slice();
  corrupt.fill(0xff, 300, 30_000);
  await custom(corrupt).then(
    ({ stack: { primary } }) =>
      t.ok(primary.shape('abc', 0, 3, { rightToLeft: false, script: 'Latn', ligatures: true })),
    (error) => t.type(error, RenderError),
  );
  await t.rejects(
    registry.resolveStack({ ...PLAIN, customFontUrl: 'https://example.com/gone' }, 'abc', async () => {
      throw new RenderError('asset_failed', 'gone');
    }),
    { code: 'asset_failed' },
  );
});

const nameIn = (stack: FontStack, cluster: string) => faceFor(stack, cluster)?.name;

t.test('takes the first family of a list that has a character, then the bundled fallbacks', async (t) => {
  const text = 'aЖم日😀';
  const rows: [string, (string | undefined)[]][] = [
    ['Lora', ['Lora 400', 'Lora 400', 'Noto Sans Arabic 400', 'Noto Sans JP 400', 'Twemoji 400']],
    ['Poppins, Lora', ['Poppins 400', 'Lora 400', 'Noto Sans Arabic 400', 'Noto Sans JP 400', 'Twemoji 400']],
    [
      'Nope, Poppins, "Noto Sans KR"',
      ['Poppins 400', 'Noto Sans KR 400', 'Noto Sans Arabic 400', 'Noto Sans KR 400', 'Twemoji 400'],
    ],
    [
      'poppins, MONOSPACE, serif',
      ['Poppins 400', 'JetBrains Mono 400', 'Noto Sans Arabic 400', 'Noto Sans JP 400', 'Twemoji 400'],
    ],
  ];
  for (const [fontFamily, expected] of rows) {
    const { stack, warning } = await resolveStack({ fontFamily }, text);
    t.equal(warning, undefined);
    t.same(
      Array.from(text, (cluster) => nameIn(stack, cluster)),
      expected,
      fontFamily,
    );
  }
});

t.test('reads no family of a list that has nothing of the text, and each family once', async (t) => {
  t.same((await resolveStack({ fontFamily: 'Inter, Lora, serif' }, 'abc')).stack.named, []);
  t.same((await resolveStack({ fontFamily: 'Inter, Lora, Inter' }, 'ش')).stack.named, []);
  const { stack } = await resolveStack({ fontFamily: 'Lobster, lora, "Lora", Inter' }, 'aЖ');
  t.same(stack.named, []);
});

t.test('a generic name stands for a bundled family, but not in quotes', async (t) => {
  for (const [generic, family] of GENERIC_FAMILIES) {
    const { stack, warning } = await resolveStack({ fontFamily: generic });
    t.equal(warning, undefined, generic);
    t.equal(stack.primary, (await resolveStack({ fontFamily: family })).stack.primary, generic);
  }
  t.match((await resolveStack({ fontFamily: '"serif"' })).warning?.message, /^unknown font family/);
});

t.test('a list of unknown families is an unknown family', async (t) => {
  const { stack, warning } = await resolveStack({ fontFamily: 'Nope, Robotto' });
  t.equal(stack.primary, (await resolveStack({})).stack.primary);
  t.equal(warning?.message, 'unknown font family "Nope, Robotto": Inter is used instead; did you mean "Roboto"?');
});

t.test('a custom font replaces a single family, and comes before those of a list', async (t) => {
  const custom = { customFontUrl: 'a', fontWeight: 400, fontStyle: 'normal' } as const;
  const stackOf = async (fontFamily: string) =>
    (await registry.resolveStack({ ...custom, fontFamily }, 'aش', async () => pacifico)).stack;
  t.same((await stackOf('Lora')).named, []);
  const stack = await stackOf('Lora, Noto Sans Arabic');
  t.same(
    ['a', 'ش'].map((cluster) => nameIn(stack, cluster)),
    ['Pacifico 400', 'Noto Sans Arabic 400'],
  );
  t.equal(stack.named?.length, 1);
});
