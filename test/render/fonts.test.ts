// The fonts of one text.
import t from 'tap';
import { createRenderer } from '../any-payload.js';

t.test('bounds the fonts of one text', async (t) => {
  const renderer = createRenderer();
  const withWeights = (count: number) => {
    const spans = Array.from({ length: count }, (_, i) => ({ text: 'a', fontWeight: i + 1 }));
    const layer = { type: 'text', x: 0, y: 0, width: 90, height: 20, spans };
    return renderer.render({ canvas: { width: 100, height: 50 }, layers: [layer] });
  };
  await withWeights(63);
  await t.rejects(withWeights(65), {
    code: 'render_failed',
    // the layer's own font is one more
    message: 'layers[0].spans: the text has 66 combinations of font, weight and style, expected at most 64',
  });
});

t.test('bounds the fonts of all texts, those that layout measures and others', async (t) => {
  const renderer = createRenderer();
  const place = { x: 0, y: 0, width: 90, height: 20 };
  const textOf = (fonts: number, first: number, fields: object = {}) => {
    const spans = Array.from({ length: fonts }, (_, i) => ({ text: 'a', fontWeight: first + i }));
    return { type: 'text', ...place, fontWeight: first, spans, ...fields };
  };
  const render = (...layers: object[]) => renderer.render({ canvas: { width: 100, height: 50 }, layers });
  const full = [0, 1, 2, 3].map((n) => textOf(64, 1 + 64 * n));
  await render(...full, ...full);
  await t.rejects(render(...full, textOf(2, 256)), {
    code: 'render_failed',
    message:
      'layers[4].spans: this text and those before have 257 combinations of font, weight, style and variations, ' +
      'expected at most 256 in all texts',
  });
  const row = { type: 'group', ...place, layout: 'row', layers: [textOf(1, 300, { width: 'auto', height: 'auto' })] };
  await t.rejects(render(row, ...full), { code: 'render_failed', details: [{ path: 'layers[4].spans' }] });
  await t.rejects(render(...full, textOf(1, 1, { fontVariations: { wght: 500 } })), { code: 'render_failed' });
});
