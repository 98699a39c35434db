// The language of hyphenated texts: errors and warnings by path.
import t from 'tap';
import { createRenderer, type Payload, validate } from '../../lib/index.js';

const renderer = createRenderer();
const text = (fields: object) => ({ type: 'text', x: 0, y: 0, width: 60, height: 60, text: 'hyphenation', ...fields });
const render = (fields: object) =>
  renderer.render({ canvas: { width: 60, height: 60 }, layers: [text(fields)] } as Payload);

t.test('hyphens "auto" needs a language that has patterns', async (t) => {
  for (const [language, received] of [
    [undefined, 'nothing'],
    ['ja', '"ja"'],
  ]) {
    const message = new RegExp(
      `layers\\[0\\]\\.language: received ${received}, expected a language that can be hyphenated: af, .*\\bde, .*uk`,
    );
    await t.rejects(render({ hyphens: 'auto', language }), { message });
  }
});

t.test('hyphens change the picture, and language alone does not', async (t) => {
  const plain = await render({});
  const auto = await render({ hyphens: 'auto', language: 'en' });
  t.notSame(auto.bytes, plain.bytes);
  t.same(auto.warnings, []);
  t.same((await render({ language: 'xx' })).bytes, plain.bytes);
});

t.test('fields without effect are warned of', (t) => {
  const warnings = (fields: object) => validate({ canvas: { width: 60, height: 60 }, layers: [text(fields)] }).warnings;
  t.same(warnings({ language: 'xx' }), [], 'documents say it');
  t.match(warnings({ hyphens: 'auto', language: 'en', wrap: false }), [
    { code: 'no_effect', path: 'layers[0].hyphens', message: 'has no effect without wrap' },
  ]);
  t.same(warnings({ hyphens: 'auto', language: 'en' }), []);
  t.end();
});
