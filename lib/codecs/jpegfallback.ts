// JPEGs that the other decoders refuse (progressive CMYK above all) → premultiplied pixels, not yet upright. The package
// reads Huffman codes and transforms; colour of three components is made here (see ycc.ts).
import jpeg from 'jpeg-js';
import { Pixmap } from '../raster/pixmap.js';
import { broken, guarded, unsupported } from './broken.js';
import { ordinaryForm } from './jpegform.js';
import type { JpegHeader } from './jpegheader.js';
import { convertYcc } from './ycc.js';

/**
 * Blocks of 8 × 8 samples, all components together. Each is an object of the package's: 2.6 million of them, a CMYK of 6,500 ×
 * 6,500 pixels, are more than a render process's 512 MiB of JavaScript heap hold.
 */
const MOST_BLOCKS = 2 ** 21;

/** Of CMYK that the kernels gave up, its data being damaged: by its header it was weighed at a tenth of what it takes here. */
const MOST_DAMAGED_PIXELS = 2 ** 21;

/** Of what browsers refuse, being sampled as no encoder does: 67 million took 9 s, in 300 KB. */
const MOST_UNUSUAL_PIXELS = 2 ** 24;

/** Reads a whole JPEG: baseline or progressive, gray, YCbCr, RGB, CMYK, YCCK. One that is cut short fails. */
export function decodeByFallback(bytes: Uint8Array, header: JpegHeader): Pixmap {
  checkExtent(bytes, header);
  return guarded('jpeg', explain, () => {
    const { width, height, components } = header;
    const image = jpeg.decode(withAdobe(bytes, header), {
      useTArray: true,
      formatAsRGBA: true,
      colorTransform: false,
      maxResolutionInMP: (width * height) / 1e6 + 1,
      maxMemoryUsageInMB: memoryBound(header),
    });
    if (image.width !== width || image.height !== height) throw broken('jpeg', 'its picture contradicts its header');
    const data = new Uint8ClampedArray(image.data.buffer);
    if (components.length === 3 && isYcc(header)) {
      const [luma, cb, cr] = components;
      const alike = cb.horizontal === cr.horizontal && cb.vertical === cr.vertical;
      const across = alike ? luma.horizontal / cb.horizontal : 1;
      const down = alike ? luma.vertical / cb.vertical : 1;
      convertYcc(data, width, height, across, down);
    }
    return new Pixmap(width, height, data);
  });
}

/** libjpeg's guess: of three components JFIF is YCbCr, Adobe says, the ids "RGB" mean it, else YCbCr; of four Adobe says. */
export function isYcc({ hasJfif, adobe, components }: JpegHeader): boolean {
  if (components.length === 4) return adobe !== undefined && adobe.transform !== 0;
  if (hasJfif) return true;
  if (adobe) return adobe.transform !== 0;
  return String.fromCharCode(...components.map((component) => component.id)) !== 'RGB';
}

/**
 * A copy with the Adobe marker that makes the package do what is wanted: with three components no transform at all, with
 * four a marker where there is none (CMYK is taken as inverted, as in browsers).
 */
function withAdobe(bytes: Uint8Array, { adobe, components }: JpegHeader): Uint8Array {
  if (components.length === 3 && adobe && adobe.transform !== 0) {
    const patched = bytes.slice();
    patched[adobe.transformAt] = 0;
    return patched;
  }
  if (components.length < 4 || adobe) return bytes;
  const marker = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 0];
  const patched = new Uint8Array(bytes.length + marker.length);
  patched.set(bytes.subarray(0, 2));
  patched.set(marker, 2);
  patched.set(bytes.subarray(2), 2 + marker.length);
  return patched;
}

function checkExtent(bytes: Uint8Array, header: JpegHeader): void {
  const size = `its ${header.width} × ${header.height} pixels`;
  const blocks = blocksOf(header);
  if (header.components.length < 4 && header.width * header.height > MOST_UNUSUAL_PIXELS) {
    throw unsupported(
      'jpeg',
      `${size} are sampled in an unusual way, in which ${MOST_UNUSUAL_PIXELS} are read at most`,
    );
  }
  if (header.components.length < 4) return;
  if (header.width * header.height > MOST_DAMAGED_PIXELS && ordinaryForm(bytes, header)) {
    throw broken('jpeg', 'its picture data is damaged or cut short');
  }
  if (blocks > MOST_BLOCKS) {
    throw unsupported(
      'jpeg',
      `${size} are CMYK, progressive or of an unusual form, and take ${blocks} blocks of samples, of which ${MOST_BLOCKS} are read at most`,
    );
  }
}

function blocksOf({ width, height, components }: JpegHeader): number {
  const across = Math.ceil(width / (8 * Math.max(...components.map(({ horizontal }) => horizontal))));
  const down = Math.ceil(height / (8 * Math.max(...components.map(({ vertical }) => vertical))));
  return across * down * components.reduce((sum, { horizontal, vertical }) => sum + horizontal * vertical, 0);
}

/** In MiB: coefficients take 4 bytes a sample, samples 1, the two copies of the pixels up to 4 each; doubled for padding. */
function memoryBound({ width, height, components }: JpegHeader): number {
  const across = Math.max(...components.map((component) => component.horizontal));
  const down = Math.max(...components.map((component) => component.vertical));
  const padded = (width + 8 * across) * (height + 8 * down);
  return 16 + (padded * (components.length * 6 + 8)) / 2 ** 20;
}

/** The package's messages, in words. */
function explain(message: string): string {
  if (/marker was not found|undefined|reading/.test(message)) return 'its picture data is damaged or cut short';
  if (/memory/i.test(message)) return 'it asks for more memory than its size needs';
  if (/huffman/i.test(message)) return 'its Huffman codes are damaged';
  return 'its picture data is damaged';
}
