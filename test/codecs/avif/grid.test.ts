// Images too large for AVIF's baseline profile are encoded as grids: every tile in place, the excess cropped, alpha in separate
// tiles even where a tile is opaque. This project and an external libavif decode them equally.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { gridFor, type TileGrid, writeAvifGrid } from '../../../lib/codecs/avif/grid.js';
import { readHeader } from '../../../lib/codecs/header.js';
import { decodeImage, encodeImage } from '../../../lib/codecs/index.js';
import { Pixmap } from '../../../lib/raster/pixmap.js';
import { difference, drawn, exifDpi } from '../pictures.js';

type Color = [number, number, number];

t.test('chooses a grid for large images only, with valid tile sizes', (t) => {
  t.equal(gridFor(4096, 2176), undefined, 'the largest of the baseline profile');
  const sizes: [number, number][] = [
    [4097, 2176],
    [8192, 8192],
    [8191, 1089],
    [1089, 8191],
    [3001, 2999],
    [65_535, 137],
  ];
  for (const [width, height] of sizes) {
    const grid = gridFor(width, height)!;
    const { columns, rows, tileWidth, tileHeight } = grid;
    t.ok(columns * tileWidth >= width && rows * tileHeight >= height, `${width} × ${height} is covered`);
    t.ok((columns - 1) * tileWidth < width && (rows - 1) * tileHeight < height, 'no more tiles than needed');
    t.ok(tileWidth <= 2048 && tileHeight <= 2048 && tileWidth % 64 === 0 && tileHeight % 64 === 0, 'valid tile sizes');
  }
  t.end();
});

t.test('writes tiles in place, with and without alpha', async (t) => {
  const grid: TileGrid = { width: 180, height: 100, columns: 3, rows: 2, tileWidth: 64, tileHeight: 64 };
  const color = (tile: number): Color => [tile * 40, 255 - tile * 40, (tile & 1) * 200];
  const tile = (paint: (tile: number) => Color) =>
    Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        encodeImage(
          drawn(64, 64, () => [...paint(i), 255]),
          'avif',
          { quality: 95 },
        ),
      ),
    );
  const colors = await tile(color);
  const image = (alpha: (tile: number) => number) =>
    drawn(180, 100, (x, y) => {
      const i = (y >> 6) * 3 + (x >> 6);
      return [...color(i), alpha(i)];
    });
  // away from the tile edges, where subsampled chroma of neighbours mixes
  const isNear = (a: Pixmap, b: Pixmap) =>
    [30, 90, 150].every((x) =>
      [30, 85].every((y) => {
        const at = (y * 180 + x) * 4;
        return difference(a.data.subarray(at, at + 4), b.data.subarray(at, at + 4)).max <= 3;
      }),
    );
  const opaque = writeAvifGrid(grid, colors);
  t.match(readHeader(opaque), { format: 'avif', width: 180, height: 100 });
  t.ok(
    isNear(
      await decodeImage(opaque),
      image(() => 255),
    ),
  );
  const alpha = (i: number) => 255 - i * 50;
  const clear = writeAvifGrid(grid, colors, await tile((i) => [alpha(i), alpha(i), alpha(i)]));
  t.ok(isNear(await decodeImage(clear), image(alpha)));
});

t.test('encodes a large image with odd sides, half of it opaque', async (t) => {
  const [width, height] = [3333, 2701];
  const image = new Pixmap(width, height);
  for (let y = 0; y < height; y++) {
    // the left is transparent, and half-transparent below its middle; the right is opaque
    if (y > 1350) image.words.fill(0x80402080, y * width, y * width + 1600);
    image.words.fill(0xff2040c0, y * width + 1600, (y + 1) * width);
  }
  const bytes = await encodeImage(image, 'avif', { quality: 80 });
  t.match(readHeader(bytes), { format: 'avif', width, height });
  t.ok(Buffer.from(bytes).includes('grid'));
  const back = await decodeImage(bytes);
  const { max, mean } = difference(back.data, image.data);
  t.ok(mean < 0.5 && max < 40, `${mean}, ${max}`);

  const lacking = spawnSync('avifdec', ['--version']).error && 'avifdec is not installed';
  t.test('by its own rules', { skip: lacking ?? false }, async (t) => {
    const path = join(t.testdir(), 'a.avif');
    writeFileSync(path, bytes);
    const info = execFileSync('avifdec', ['--info', path], { encoding: 'utf8' });
    t.match(info, new RegExp(`Resolution +: ${width}x${height}[^]*Alpha +: Not premultiplied`));
    t.notMatch(info, /Diagnostics/, 'conforms to the standard');
  });
});

t.test('a large image without loss, with its resolution', async (t) => {
  const [width, height] = [4111, 2180];
  const image = new Pixmap(width, height);
  for (let y = 0; y < height; y++) {
    // bands of other colours meet inside tiles; the lower half is translucent on the left
    image.words.fill((0xff102030 + ((y >> 6) << 3)) >>> 0, y * width, (y + 1) * width);
    if (y > 1090) image.words.fill(0x80402080, y * width, y * width + 2500);
  }
  t.ok(gridFor(width, height));
  const bytes = await encodeImage(image, 'avif', { quality: 30, lossless: true, dpi: 300 });
  t.ok(Buffer.from(bytes).includes('grid'));
  t.match(readHeader(bytes), { format: 'avif', width, height });
  const { words } = await decodeImage(bytes);
  t.equal(
    words.findIndex((word, i) => word !== image.words[i]),
    -1,
    'no pixel differs',
  );
  t.same(exifDpi(bytes), [300, 300]);
});
