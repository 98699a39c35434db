// An SVG image in its box, through the whole library: what it says of its own size decides how it is fitted.
import t from 'tap';
import { decodeImage } from '../../lib/codecs/index.js';
import { render } from '../any-payload.js';

/** Renders the SVG in a 40 × 20 box with `fit: contain`; returns whether the box's left edge is painted. */
async function paintsLeftEdge(attributes: string): Promise<boolean> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="100%" height="100%" fill="red"/></svg>`;
  const url = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const layer = { type: 'image', x: 0, y: 0, width: 40, height: 20, fit: 'contain', url };
  const { bytes } = await render({ canvas: { width: 40, height: 20 }, layers: [layer] });
  const { data } = await decodeImage(bytes);
  return data[(10 * 40 + 1) * 4 + 3] === 255;
}

t.test('an SVG without an aspect ratio fills its box, one with a ratio is fitted into it', async (t) => {
  t.equal(await paintsLeftEdge(''), true);
  t.equal(await paintsLeftEdge('width="10" height="10"'), false);
  t.equal(await paintsLeftEdge('viewBox="0 0 10 10"'), false);
});
