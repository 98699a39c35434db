// From a text layer's wishes to loaded faces: families, weights, fallbacks, custom fonts.
import { readFileSync } from 'node:fs';
import t from 'tap';
import { RenderError } from '../../lib/errors.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import type { Face } from '../../lib/text/face.js';
import { faceFor } from '../../lib/text/font-stack.js';

const fonts = new URL('../../fonts/', import.meta.url);
const inter = new Uint8Array(readFileSync(new URL('inter/inter-400.ttf', fonts)));
const pacifico = new Uint8Array(readFileSync(new URL('pacifico/pacifico-400.woff2', fonts)));

const typefaces = createFontRegistry();
const PLAIN = { fontFamily: 'Inter', fontWeight: 400, fontStyle: 'normal' } as const;
const nothing = async () => new Uint8Array();
const stackFor = (request: object, text = 'abc') => typefaces.resolveStack({ ...PLAIN, ...request }, text, nothing);
const advance = (face: Face, character: string) =>
  face.shape(character, 0, 1, { rightToLeft: false, script: 'Latn', ligatures: true })[0].advance;

t.test('a family by its name, whatever its case', async (t) => {
  const { stack, warning } = await stackFor({ fontFamily: ' iNTER ' });
  t.equal(warning, undefined);
  t.equal(stack.primary, (await stackFor({})).stack.primary, 'one face, loaded once');
  t.not(stack.primary, (await stackFor({ fontWeight: 700 })).stack.primary);
  t.equal((await stackFor({ fontWeight: 720 })).stack.primary, (await stackFor({ fontWeight: 800 })).stack.primary);
});

// fault: 67
t.test('an unknown family gives Inter and a warning', async (t) => {
  const { stack, warning } = await stackFor({ fontFamily: 'Robotto' });
  t.equal(stack.primary, (await stackFor({})).stack.primary);
  t.match(warning, /unknown font family "Robotto": Inter is used instead; did you mean "Roboto"\?/);
  t.match((await stackFor({ fontFamily: 'x'.repeat(500) })).warning, /^.{0,160}$/);
  t.notMatch((await stackFor({ fontFamily: 'zzzzzzzzzz' })).warning, /did you mean/);
  for (const fontFamily of ['__proto__', 'constructor', '']) t.ok((await stackFor({ fontFamily })).warning, fontFamily);
});

t.test('an italic face where there is one, else an upright one and the wish for it', async (t) => {
  t.ok((await stackFor({ fontStyle: 'italic' })).stack.primary.isItalic);
  const { stack } = await stackFor({ fontFamily: 'Pacifico', fontStyle: 'italic' });
  t.notOk(stack.primary.isItalic);
  t.ok(stack.italic);
});

t.test('fallbacks are loaded only where they are needed', async (t) => {
  const none = (await stackFor({})).stack.fallbacks;
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
    const { fallbacks } = (await stackFor({}, text)).stack;
    t.same([fallbacks.text.length, fallbacks.symbols.length, fallbacks.emoji.length], expected, text);
  }
});

t.test('bold text falls back to bold faces', async (t) => {
  const regular = (await stackFor({}, 'שלום')).stack.fallbacks.text[0];
  const bold = (await stackFor({ fontWeight: 700 }, 'שלום')).stack.fallbacks.text[0];
  t.not(regular, bold);
});

t.test('what layout may add has a face as well', async (t) => {
  // no bundled text face is known to lack the ellipsis, but the emoji face has little else than emoji
  const { stack } = await stackFor({ fontFamily: 'Twemoji' }, '👍');
  t.ok(faceFor(stack, '…'));
  t.ok(faceFor(stack, '-'));
});

t.test('custom fonts', async (t) => {
  const custom = (bytes: Uint8Array, more: object = {}) =>
    typefaces.resolveStack({ ...PLAIN, customFontUrl: 'https://example.com/font', ...more }, 'abc', async () => bytes);
  const { stack, warning } = await custom(inter, { fontFamily: 'My Own' });
  t.equal(warning, undefined, 'its family name may be any');
  t.equal(advance(stack.primary, 'a'), advance((await stackFor({})).stack.primary, 'a'));
  t.equal((await custom(inter.slice())).stack.primary, stack.primary, 'parsed once per content');
  t.ok(advance((await custom(pacifico)).stack.primary, 'a') > 0, 'WOFF2');
  const html = new TextEncoder().encode('<!doctype html><title>Not found</title>');
  await t.rejects(custom(html), RenderError);
  await t.rejects(custom(new Uint8Array()), RenderError);
  await t.rejects(custom(inter.slice(0, 2000)), RenderError);
  const broken = inter.slice();
  broken.fill(0xff, 300, 30_000);
  await custom(broken).then(
    ({ stack: { primary } }) =>
      t.ok(primary.shape('abc', 0, 3, { rightToLeft: false, script: 'Latn', ligatures: true })),
    (error) => t.type(error, RenderError),
  );
  await t.rejects(
    typefaces.resolveStack({ ...PLAIN, customFontUrl: 'https://example.com/gone' }, 'abc', async () => {
      throw new RenderError('asset_failed', 'gone');
    }),
    { code: 'asset_failed' },
  );
});
