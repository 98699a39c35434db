// Decodes the images of the fidelity references, if available, and checks their sizes.
import { existsSync, readFileSync } from 'node:fs';
import t from 'tap';
import { readHeader } from '../../lib/codecs/header.js';
import { decodeImage } from '../../lib/codecs/index.js';

const assets = new URL('../../../shared/fidelity/assets/', import.meta.url);

const EXPECTED: readonly (readonly [name: string, format: string, width: number, height: number, opaque: boolean])[] = [
  ['alpha-lossless.webp', 'webp', 300, 420, false],
  ['alpha.png', 'png', 512, 512, false],
  ['alpha.webp', 'webp', 480, 480, false],
  ['animated.gif', 'gif', 240, 180, true],
  ['gray.jpg', 'jpeg', 640, 640, true],
  ['gray1.png', 'png', 96, 96, true],
  ['lake.avif', 'avif', 720, 480, true],
  ['logo-sized.svg', 'svg', 160, 160, false],
  ['logo.svg', 'svg', 300, 150, false],
  ['palette.png', 'png', 256, 192, false],
  ['peak-progressive.jpg', 'jpeg', 900, 600, true],
  ['photo.jpg', 'jpeg', 2400, 1600, true],
  ['portrait-exif6.jpg', 'jpeg', 1200, 1600, true],
  ['really-a-jpeg.png', 'jpeg', 480, 360, true],
  ['rgb16.png', 'png', 480, 320, true],
  ['rgb8-interlaced.png', 'png', 400, 300, true],
  ['rgba16-interlaced.png', 'png', 320, 320, false],
];

t.test('decodes every asset', { skip: existsSync(assets) ? false : 'the references are not at hand' }, async (t) => {
  for (const [name, format, width, height, opaque] of EXPECTED) {
    const bytes = new Uint8Array(readFileSync(new URL(name, assets)));
    t.match(readHeader(bytes), { format, width, height }, name);
    const pixmap = await decodeImage(bytes);
    t.same([pixmap.width, pixmap.height, pixmap.isOpaque()], [width, height, opaque], name);
    t.notOk(
      pixmap.data.some((value, i) => value > pixmap.data[i | 3]),
      `${name}: premultiplied`,
    );
  }
  const impostor = new Uint8Array(readFileSync(new URL('not-an-image.png', assets)));
  await t.rejects(decodeImage(impostor), { message: /received plain text/ });
});
