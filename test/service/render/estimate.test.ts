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

t.test(
  'shadows take scratch surfaces, transparency in WebP a copy of the colours; a large AVIF is coded in tiles',
  async (t) => {
    const opaque = { ...canvas, scale: 1, backgroundColor: { r: 0, g: 0, b: 0, a: 1 } };
    const one = { color: opaque.backgroundColor, blur: 9, offsetX: 0, offsetY: 0, spread: 0, inset: false };
    const shadow = [one];
    const middle = { px: 0, percent: 50 };
    const rows = [
      [{ ...scene, layers: [{}, { shadow }] }, 12],
      [{ ...scene, format: 'jpeg', layers: [{ shadow }, { shadow }] }, 14],
      [{ ...scene, layers: [{ filter: [{ type: 'invert', amount: 1 }] }] }, 20],
      [
        {
          ...scene,
          layers: [{ clipPath: { kind: 'circle', radius: 'closest-side', center: { x: middle, y: middle } } }],
        },
        12,
      ],
      [{ ...scene, layers: [{ type: 'group', layers: [{ type: 'group', layers: [{ shadow }] }] }] }, 20],
      [{ ...scene, layers: [{ backdropFilter: [{ type: 'blur', sigma: 9 }] }, { filter: [] }] }, 20],
      [{ ...scene, format: 'webp' }, 18],
      [{ ...scene, format: 'webp', canvas: opaque }, 14],
      [{ ...scene, format: 'avif', canvas: opaque }, 32],
    ] as const;
    for (const [picture, bytes] of rows) t.equal(estimateBytes(picture, [], 1), 5000 * bytes, JSON.stringify(picture));
    const giant = { width: 8192, height: 8192, scale: 1, backgroundColor: opaque.backgroundColor };
    t.equal(
      estimateBytes({ ...scene, format: 'avif', canvas: giant }, [], 1),
      2 ** 26 * 8 + 2 ** 22 * 32,
      'tile by tile',
    );
  },
);

t.test('counts the corners of the path and of the dashes that have most', async (t) => {
  const extra = (...layers: object[]) => estimateBytes({ ...scene, layers }, [], 1) - estimate();
  const path = (segments: number) => ({ verbs: new Uint8Array(segments), coords: new Float64Array(0) });
  t.equal(extra({ d: path(10) }), 10 * 500 * 45);
  t.equal(extra({ d: path(10) }, { d: path(5), border: {} }, {}), 5 * 500 * 130);
  t.equal(extra({ d: path(20_000), border: { width: 2 } }), 1e6 * 130, 'bounded');
  t.equal(extra({ width: 100, height: 50, border: { dash: [4, 6] } }), 60 * 4000);
  t.equal(extra({ width: 1e6, height: 1e6, border: { dash: [1] } }), 20_000 * 4000, 'bounded');
  t.equal(extra({ width: 100, height: 50, border: { dash: [0, 0] } }), 0);
});
