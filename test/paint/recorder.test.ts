// Layers on a target that has no pixels: what they paint, in which order, in which groups. docs/paint.md shows the target.
import { readFileSync } from 'node:fs';
import t from 'tap';
import '../../lib/node-host.js';
import { createAssets } from '../../lib/assets/loader.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import { meaningOf } from '../../lib/layers/meaning.js';
import type { Meaning, PaintTarget } from '../../lib/paint/target.js';
import { paintScene } from '../../lib/render/paint-scene.js';
import { resolve } from '../../lib/templates/resolve.js';
import { Recorder } from './recorder.js';

const typefaces = createFontRegistry();

async function record(...layers: readonly object[]): Promise<string[]> {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e6, maxPixels: 1e6 });
  const canvas = { width: 200, height: 100 };
  const scene = resolve({ canvas, layers }, { maxLayers: 100, checkUrl: assets.source });
  const recorder = new Recorder({ left: 0, top: 0, right: canvas.width, bottom: canvas.height });
  await paintScene(scene, { assets, typefaces }, () => recorder);
  return recorder.lines;
}

const box = { x: 10, y: 20, width: 50, height: 30 };
const shape = (more: object) => ({ type: 'shape', shapeType: 'rectangle', fillColor: '#f00', ...box, ...more });
const text = (more: object) => ({ type: 'text', text: 'Hello', fontSize: 20, ...box, width: 120, ...more });

t.test('a box is a rectangle or a path, with its border on top', async (t) => {
  t.strictSame(await record(shape({})), ['rectangle 10 20 60 50, rgb(255 0 0 / 1)']);
  const [fill, ring, ...others] = await record(
    shape({ shapeType: 'circle', opacity: 0.5, border: { width: 2, color: '#00f' } }),
  );
  t.match(fill, /^group, opacity 0\.5, normal$/);
  t.match(ring, /^ {2}path of \d+ verbs, rgb\(255 0 0 \/ 1\)$/);
  t.strictSame(others, ['  polygon of 2 contours, rgb(0 0 255 / 1)']);
  t.match(await record(shape({ fillColor: 'linear-gradient(red, blue)' })), [
    /^rectangle .*, linear gradient, opacity 1$/,
  ]);
});

t.test('texts are runs of glyphs, one for each line and style', async (t) => {
  t.strictSame(await record(text({ color: '#0f0' })), ['5 glyphs, rgb(0 255 0 / 1)']);
  const spans = [
    { text: 'Red', color: '#f00' },
    { text: ' blue', color: '#00f' },
  ];
  t.match(await record(text({ text: undefined, spans, textDecoration: 'underline' })), [
    /^polygon of \d+ contours/,
    /^3 glyphs, rgb\(255 0 0/,
    /^[45] glyphs, rgb\(0 0 255/,
  ]);
  const path = 'M0 20 L120 20';
  t.match(await record(text({ textPath: path })), ['5 glyphs, rgb(0 0 0 / 1)'], 'also along a path');
});

t.test('glyphs have maps to the canvas, and clusters', async (t) => {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e6, maxPixels: 1e6 });
  const scene = resolve(
    { canvas: { width: 200, height: 100, scale: 2 }, layers: [text({ text: 'AV' })] },
    { maxLayers: 1, checkUrl: assets.source },
  );
  const target = new (class extends Recorder {
    override drawGlyphs(run: Parameters<Recorder['drawGlyphs']>[0]) {
      const [first, second] = run.glyphs();
      t.same([first.cluster, second.cluster], [0, 1]);
      t.equal(first.toCanvas.a, (2 * 20) / first.face.unitsPerEm);
      t.equal(first.toCanvas.e, 20, 'at x 10, in pixels of the canvas');
      t.ok(second.toCanvas.e > first.toCanvas.e);
      const { left, right } = run.bounds();
      t.ok(left >= 19 && right <= 80, `${left} to ${right}`);
      super.drawGlyphs(run);
    }
  })({ left: 0, top: 0, right: 400, bottom: 200 });
  await paintScene(scene, { assets, typefaces }, () => target);
  t.equal(target.lines.length, 1);
});

t.test('groups, clips and masks are groups; blurred shadows and filters are pixels', async (t) => {
  t.match(await record({ type: 'group', ...box, opacity: 0.4, layers: [shape({ x: 0 }), shape({ x: 9 })] }), [
    'group, opacity 0.4, normal',
    /^ {2}rectangle/,
    /^ {2}rectangle/,
  ]);
  t.match(await record(shape({ blendMode: 'multiply' })), ['group, opacity 1, multiply', /^ {2}rectangle/]);
  t.match(await record(shape({ clipPath: 'circle(40%)' })), [
    'group, opacity 1, normal, restriction',
    /^ {2}rectangle/,
  ]);
  t.match(await record(shape({ shadow: { blur: 4, offsetX: 0, offsetY: 2, color: '#000' } })), [
    /^pixels/,
    /^rectangle/,
  ]);
  t.match(await record(shape({ filter: 'blur(2px)' })), [/^pixels/]);
});

t.test('targets that ask are told what layers and linked spans mean', async (t) => {
  const assets = createAssets({ timeoutMs: 1000, maxBytes: 1e6, maxPixels: 1e6 });
  const spans = [{ text: 'See ' }, { text: 'more', href: 'tel:1' }];
  const layers = [shape({}), text({ text: undefined, spans, role: 'h1', bookmark: 'Top' })];
  const scene = resolve({ canvas: { width: 200, height: 100 }, layers }, { maxLayers: 9, checkUrl: assets.source });
  const found: object[] = [];
  const target = new (class extends Recorder {
    annotate(meaning: Meaning, draw: (target: PaintTarget) => void) {
      const { areas, text: textOf, ...rest } = meaning;
      found.push({
        ...JSON.parse(JSON.stringify(rest)),
        text: textOf(),
        boxes: areas().map(({ box: { left } }) => left),
      });
      draw(this);
    }
  })({ left: 0, top: 0, right: 200, bottom: 100 });
  await paintScene(scene, { assets, typefaces, meaningOf }, () => target);
  t.match(found, [
    { role: 'artifact', boxes: [10] },
    { role: 'h1', text: 'See more', bookmark: { title: 'Top', level: 1 }, boxes: [10] },
    { href: 'tel:1', text: 'more', boxes: [/^\d/] },
  ]);
  t.equal(target.lines.length, 3);
});

t.test('docs/paint.md shows the recorder as it is', async (t) => {
  const page = readFileSync(new URL('../../docs/paint.md', import.meta.url), 'utf8');
  const code = readFileSync(new URL('recorder.ts', import.meta.url), 'utf8');
  t.ok(page.includes(`\`\`\`typescript\n${code}\`\`\``));
  t.ok(code.split('\n').length <= 60, 'in at most 60 lines');
});
