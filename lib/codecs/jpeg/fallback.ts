// Decodes JPEGs that the other decoders reject (mostly progressive CMYK) with jpeg-js, to premultiplied pixels before orientation. jpeg-js decodes Huffman codes and transforms; three-component
// colour is converted here (see jpeg/color.ts).
import jpeg from 'jpeg-js';
import { Pixmap } from '../../raster/pixmap.js';
import { malformed, unsupported, wrapDecoderErrors } from '../errors.js';
import { baselineLayout } from './baseline-layout.js';
import { convertYCbCr } from './color.js';
import { isUnusuallySampled, isYCbCr, type JpegHeader } from './header.js';

/**
 * Maximum blocks of 8 × 8 samples, all components together. jpeg-js allocates an object per block: 2.6 million of them,
 * a CMYK image of 6,500 × 6,500 pixels, exceed the 512 MiB JavaScript heap of a render process.
 */
const MAX_BLOCKS = 2 ** 21;

/**
 * Maximum pixels of baseline CMYK whose data the kernels found corrupt: from its header, its memory was estimated at a
 * tenth of what it takes here.
 */
const MAX_CORRUPT_CMYK_PIXELS = 2 ** 21;

/**
 * Maximum pixels of files of up to three components. Here these have unusual sampling factors, which browsers reject and
 * no encoder writes: 67 million took 9 s, in 300 KB.
 */
const MAX_UNUSUAL_PIXELS = 2 ** 24;

/** Decodes a complete JPEG: baseline or progressive; grayscale, YCbCr, RGB, CMYK or YCCK. A truncated file fails. */
export function decodeByFallback(bytes: Uint8Array, header: JpegHeader): Pixmap {
  checkLimits(bytes, header);
  return wrapDecoderErrors('jpeg', explain, () => {
    const { width, height, components } = header;
    const image = jpeg.decode(withAdobe(bytes, header), {
      useTArray: true,
      formatAsRGBA: true,
      colorTransform: false,
      maxResolutionInMP: (width * height) / 1e6 + 1,
      maxMemoryUsageInMB: maxMemoryMiB(header),
    });
    if (image.width !== width || image.height !== height)
      throw malformed('jpeg', 'its image data does not match its header');
    const data = new Uint8ClampedArray(image.data.buffer);
    if (components.length === 3 && isYCbCr(header)) {
      const [luma, cb, cr] = components;
      const hasSameSampling = cb.horizontal === cr.horizontal && cb.vertical === cr.vertical;
      const ratioX = hasSameSampling ? luma.horizontal / cb.horizontal : 1;
      const ratioY = hasSameSampling ? luma.vertical / cb.vertical : 1;
      convertYCbCr(data, width, height, ratioX, ratioY);
    }
    return new Pixmap(width, height, data);
  });
}

/**
 * A copy with an Adobe marker that makes jpeg-js behave as needed: with three components no transform; with four, a
 * marker if there is none (CMYK is treated as inverted, as in browsers).
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

function checkLimits(bytes: Uint8Array, header: JpegHeader): void {
  const size = `its ${header.width} × ${header.height} pixels`;
  const blocks = countBlocks(header);
  if (header.components.length < 4 && header.width * header.height > MAX_UNUSUAL_PIXELS) {
    const kind = isUnusuallySampled(header) ? 'have unusual sampling factors' : 'are not baseline';
    throw unsupported('jpeg', `${size} ${kind}; such files are limited to ${MAX_UNUSUAL_PIXELS} pixels`);
  }
  if (header.components.length < 4) return;
  if (header.width * header.height > MAX_CORRUPT_CMYK_PIXELS && baselineLayout(bytes, header)) {
    throw malformed('jpeg', 'its image data is corrupt or truncated');
  }
  if (blocks > MAX_BLOCKS) {
    throw unsupported(
      'jpeg',
      `${size} are CMYK, progressive or otherwise not baseline, and take ${blocks} blocks of samples; the limit is ${MAX_BLOCKS}`,
    );
  }
}

function countBlocks({ width, height, components }: JpegHeader): number {
  const mcusAcross = Math.ceil(width / (8 * Math.max(...components.map(({ horizontal }) => horizontal))));
  const mcusDown = Math.ceil(height / (8 * Math.max(...components.map(({ vertical }) => vertical))));
  return mcusAcross * mcusDown * components.reduce((sum, { horizontal, vertical }) => sum + horizontal * vertical, 0);
}

/**
 * Bounds the memory in MiB: 4 bytes per coefficient, 1 per sample, up to 4 per pixel for each of two copies of the pixels;
 * doubled for padding.
 */
function maxMemoryMiB({ width, height, components }: JpegHeader): number {
  const maxH = Math.max(...components.map((component) => component.horizontal));
  const maxV = Math.max(...components.map((component) => component.vertical));
  const padded = (width + 8 * maxH) * (height + 8 * maxV);
  return 16 + (padded * (components.length * 6 + 8)) / 2 ** 20;
}

/** Rephrases jpeg-js's messages. */
function explain(message: string): string {
  if (/marker was not found|undefined|reading/.test(message)) return 'its image data is corrupt or truncated';
  if (/memory/i.test(message)) return 'it asks for more memory than its size needs';
  if (/huffman/i.test(message)) return 'its Huffman codes are corrupt';
  return 'its image data is corrupt';
}
