// External decoders decode this project's output to the same pixels. Tests without their tool are skipped.
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { decodeImage, encodeImage } from '../../lib/codecs/index.js';
import type { Pixmap } from '../../lib/raster/pixmap.js';
import { difference, drawn, fixture, quadrants, randomBelow, smooth } from './pictures.js';

const random = randomBelow(4);
const IMAGES: [string, Pixmap][] = [
  ['indexed', quadrants(200, 120)],
  ['indexed, translucent', drawn(90, 70, (x) => [x, 0, 0, x % 3 ? 255 : 90])],
  ['one bit', drawn(77, 50, (x, y) => [(x ^ y) & 1 ? 255 : 0, 0, 0, 255])],
  ['opaque', smooth(150, 101)],
  ['translucent', smooth(150, 101, 77)],
  ['noise in bands', drawn(1300, 1100, () => [random(256), random(256), random(256), 255])],
];

function lacking(tool: string): false | string {
  return spawnSync(tool, ['--version']).error ? `${tool} is not installed` : false;
}

/** A PPM's pixels, three bytes each. */
function ppm(bytes: Buffer): Uint8Array {
  const header = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(bytes.subarray(0, 40).toString('latin1'));
  return bytes.subarray(header?.[0].length);
}

const rgb = ({ data }: Pixmap) => data.filter((_, i) => i % 4 !== 3);

t.test('pngcheck accepts the PNGs', { skip: lacking('pngcheck') }, async (t) => {
  const dir = t.testdir();
  for (const [name, pixmap] of IMAGES) {
    const path = join(dir, 'a.png');
    writeFileSync(path, await encodeImage(pixmap, 'png', { quality: 90 }));
    t.match(execFileSync('pngcheck', ['-v', path], { encoding: 'utf8' }), /No errors detected/, name);
  }
});

t.test('pngtopnm decodes the same pixels', { skip: lacking('pngtopnm') }, async (t) => {
  for (const [name, pixmap] of IMAGES.filter(([, pixmap]) => pixmap.isOpaque())) {
    const input = await encodeImage(pixmap, 'png', { quality: 90 });
    const decoded = execFileSync('pngtopnm', ['-quiet'], { input, maxBuffer: 1 << 26 });
    if (decoded.subarray(0, 2).toString() === 'P6') t.equal(difference(ppm(decoded), rgb(pixmap)).max, 0, name);
  }
});

t.test('djpeg decodes the JPEGs', { skip: lacking('djpeg') }, async (t) => {
  const input = await encodeImage(smooth(150, 101), 'jpeg', { quality: 90 });
  const decoded = ppm(execFileSync('djpeg', ['-pnm'], { input }));
  t.ok(difference(decoded, rgb(smooth(150, 101))).mean < 2);
});

t.test('djpeg and this project decode the same pixels', { skip: lacking('djpeg') }, async (t) => {
  for (const name of ['quadrants-420.jpg', 'quadrants-progressive.jpg', 'quadrants-restart.jpg', 'quadrants-rgb.jpg']) {
    const bytes = fixture(name);
    const decoded = ppm(execFileSync('djpeg', ['-pnm'], { input: bytes }));
    t.equal(difference(decoded, rgb(await decodeImage(bytes))).max, 0, name);
  }
});

for (const [format, tool, args] of [
  ['webp', 'dwebp', (path: string, out: string) => ['-quiet', path, '-o', out]],
  ['avif', 'avifdec', (path: string, out: string) => [path, out]],
] as const) {
  t.test(`${tool} and this project decode the same pixels`, { skip: lacking(tool) }, async (t) => {
    const dir = t.testdir();
    for (const [name, pixmap] of IMAGES.slice(0, 5)) {
      const bytes = await encodeImage(pixmap, format, { quality: 90 });
      const path = join(dir, `a.${format}`);
      writeFileSync(path, bytes);
      execFileSync(tool, args(path, join(dir, 'a.png')), { stdio: 'ignore' });
      const decoded = await decodeImage(new Uint8Array(readFileSync(join(dir, 'a.png'))));
      t.ok(difference(decoded.data, (await decodeImage(bytes)).data).max <= 2, name);
    }
  });
}
