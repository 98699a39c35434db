// The memory estimate of a render, computed in the server's process from image headers, whatever they contain.
import t from 'tap';
import { AssetFile } from '../../../lib/assets/asset-file.js';
import { estimateBytes } from '../../../lib/service/render/estimate.js';
import { fixture } from '../../codecs/pictures.js';

const canvas = { width: 100, height: 50 };
const scene = {
  canvas: { ...canvas, scale: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 0 } },
  format: 'png',
  layers: [],
} as const;
const estimate = (...files: Uint8Array[]) =>
  estimateBytes(
    scene,
    files.map((bytes) => new AssetFile(bytes)),
    2 ** 26,
  );

t.test('counts the canvas and every file, encoded and decoded', async (t) => {
  const empty = estimate();
  t.equal(empty, 5000 * 8);
  const jpeg = fixture('quadrants-420.jpg');
  t.equal(estimate(jpeg), empty + jpeg.length + 48 * 32 * (4 + 4 / 3));
  t.equal(estimate(jpeg, jpeg), empty + 2 * (estimate(jpeg) - empty));
  t.equal(estimate(Buffer.from('no picture')), empty + 10);
});

// fault: 53
t.test('counts an SVG as large as the canvas, without parsing it', async (t) => {
  const size = (text: string) => estimate(Buffer.from(text)) - estimate() - text.length;
  const drawn = 5000 * (4 + 4 / 3);
  for (const root of [
    '<svg width="9" height="9"/>',
    '<svg width="1e9"/>',
    '<svg ',
    `<svg style="${'a:b;'.repeat(1e5)}`,
  ]) {
    t.ok(Math.abs(size(root) - drawn) < 1e-6, root.slice(0, 30));
  }
});

t.test('counts the layer with most effects; transparency in WebP; a large AVIF tile by tile', async (t) => {
  const opaque = { ...canvas, scale: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 1 } };
  const filter = [{ type: 'invert', amount: 1 }] as const;
  const group = { type: 'group', clip: true, layers: [{}, { filter }] } as const;
  const rows = [
    [{ ...scene, layers: [{ filter }, {}, { filter }] }, 12],
    [{ ...scene, format: 'jpeg', layers: [{ filter }, group] }, 18],
    [{ ...scene, format: 'webp' }, 18],
    [{ ...scene, format: 'webp', canvas: opaque }, 14],
    [{ ...scene, format: 'avif', canvas: opaque }, 32],
    [{ ...scene, lossless: true }, 8],
    [{ ...scene, format: 'webp', lossless: true }, 32],
    [{ ...scene, format: 'webp', canvas: opaque, lossless: true }, 28],
    [{ ...scene, format: 'avif', lossless: true }, 96],
  ] as const;
  for (const [picture, bytes] of rows) t.equal(estimateBytes(picture, [], 1), 5000 * bytes, JSON.stringify(picture));
  const giant = { width: 8192, height: 8192, scale: 1, backgroundColor: opaque.backgroundColor };
  const tiles = (lossless: boolean) => estimateBytes({ ...scene, format: 'avif', canvas: giant, lossless }, [], 1);
  t.equal(tiles(false), 2 ** 26 * 8 + 2 ** 22 * 32);
  t.equal(tiles(true), 2 ** 26 * 8 + 2 ** 22 * 96);
});

t.test('counts the corners of the path and of the dashes that have most', async (t) => {
  const extra = (...layers: object[]) => estimateBytes({ ...scene, layers }, [], 1) - estimate();
  const path = (segments: number) => ({ verbs: new Uint8Array(segments), coords: new Float64Array(0) });
  t.equal(extra({ d: path(10) }), 10 * (500 * 45 + 150));
  t.equal(extra({ d: path(10) }, { d: path(5), border: {} }, {}), 5 * 500 * 130 + 15 * 150);
  t.equal(extra({ d: path(20_000), border: { width: 2 } }), 1e6 * 130 + 20_000 * 150, 'bounded');
  t.equal(extra({ textPath: path(10) }), 10 * (500 * 200 + 150));
  t.equal(extra({ textPath: path(20_000) }), 1e5 * 200 + 20_000 * 150, 'bounded');
  const clipped = (clipPath: object) => extra({ clipPath }) - extra({ clipPath: { kind: 'circle' } });
  t.equal(clipped({ kind: 'path', rule: 'nonzero', data: path(10) }), 10 * (500 * 45 + 150));
  t.equal(clipped({ kind: 'polygon', rule: 'nonzero', points: Array(9) }), 9 * (500 * 45 + 150));
  t.equal(extra({ width: 100, height: 50, border: { dash: [4, 6] } }), 60 * 4000);
  t.equal(extra({ width: 1e6, height: 1e6, border: { dash: [1] } }), 20_000 * 4000, 'bounded');
  t.equal(extra({ width: 100, height: 50, border: { dash: [0, 0] } }), 0);
});

t.test('counts the text of all layers, and the outlines of the one that has most', async (t) => {
  const bytesOf = (...layers: object[]) =>
    estimateBytes({ ...scene, layers: layers as { type: 'text' }[] }, [], 1) - estimateBytes(scene, [], 1);
  const text = (fields: object) => ({ type: 'text', ...fields });
  const plain = bytesOf(text({ text: 'a'.repeat(100) }));
  t.equal(plain, 100 * (1000 + 2000));
  t.equal(bytesOf(text({ text: 'a'.repeat(100) }), text({ text: 'b'.repeat(40) })), plain + 40 * 1000);
  const spans = [{ text: 'a'.repeat(60) }, { text: 'b'.repeat(40) }];
  t.equal(bytesOf(text({ text: '', spans })), plain);
  t.equal(bytesOf({ type: 'group', layers: [text({ text: 'a'.repeat(100) })] }), plain);
  t.equal(bytesOf({ type: 'qrcode', text: 'a'.repeat(100) }), 0);
  const stroke = { width: 1 };
  t.equal(bytesOf(text({ text: 'a'.repeat(100), stroke })), 100 * (1000 + 6000));
  t.equal(bytesOf(text({ text: 'a\n'.repeat(50) })), plain + 50 * 2000);
  t.equal(bytesOf(text({ text: '\u{1f600}'.repeat(50) })), 100 * (1000 + 5000));
  t.equal(bytesOf(text({ text: 'a'.repeat(1e6) })), 1e9 + 600e6, 'outlines have a limit');
});
