// Plain reference implementation of the kernels' JPEG encoder, sample by sample and bit by bit: the same integer
// arithmetic, so the same bytes.

import type { ChromaSampling } from '../../../lib/codecs/jpeg/encode.js';
import * as tables from '../../../lib/codecs/jpeg/tables.js';
import type { Pixmap } from '../../../lib/raster/pixmap.js';

/** Factors of red, green and blue in 32768ths. */
const LUMA = [9798, 19235, 3735];
const BLUE = [-5529, -10855, 16384];
const RED = [16384, -13720, -2664];

/** The rounded product of `a` and a factor in 32768ths. */
const times = (a: number, factors: number) => (a * factors + 16384) >> 15;

/** The DCT of eight values, scaled by √8 relative to the orthonormal DCT. */
export function transformLine(s: readonly number[]): number[] {
  const [sum0, sum1, sum2, sum3] = [0, 1, 2, 3].map((i) => s[i] + s[7 - i]);
  const [difference0, difference1, difference2, difference3] = [0, 1, 2, 3].map((i) => s[i] - s[7 - i]);
  const outer = sum0 - sum3;
  const inner = sum1 - sum2;
  const a = times(difference3, 27246) + times(difference0, 18205);
  const b = times(difference2, 32138) + times(difference1, 6393);
  const c = times(difference1, 32138) - times(difference2, 6393);
  const d = times(difference0, 27246) - times(difference3, 18205);
  return [
    sum0 + sum3 + sum1 + sum2,
    d + b + a + c,
    outer + times(outer, 10045) + times(inner, 17734),
    d - b + times(d - b, 13573),
    sum0 + sum3 - sum1 - sum2,
    a - c + times(a - c, 13573),
    times(outer, 17734) - inner - times(inner, 10045),
    d + b - a - c,
  ];
}

/** 64 samples in 32nds → coefficients in 32nds, in natural order. */
export function transform(samples: readonly number[]): number[] {
  const lines = (values: readonly number[]) => {
    const out: number[] = [];
    for (let line = 0; line < 8; line++) {
      const done = transformLine(Array.from({ length: 8 }, (_, i) => values[i * 8 + line]));
      out.push(...done);
    }
    return out;
  };
  // each pass takes columns and writes rows
  return lines(lines(samples).map((value) => (value + 4) >> 3));
}

function quantize(coefficient: number, step: number): number {
  const power = 31 - Math.clz32(step);
  const divisor = Math.min(32767, Math.round(2 ** (15 + power) / step));
  return times(times(coefficient, divisor), 2 ** (10 - power));
}

class Bits {
  readonly bytes: number[] = [];
  private waiting = '';

  put(value: number, size: number): void {
    if (size > 0) this.waiting += value.toString(2).padStart(size, '0');
    while (this.waiting.length >= 8) {
      const byte = Number.parseInt(this.waiting.slice(0, 8), 2);
      this.bytes.push(byte);
      if (byte === 255) this.bytes.push(0);
      this.waiting = this.waiting.slice(8);
    }
  }

  fill(): void {
    if (this.waiting.length > 0) this.put(2 ** (8 - this.waiting.length) - 1, 8 - this.waiting.length);
  }

  /** Writes the code of `run` zeros and a value's magnitude, then the value bits. */
  value({ codes, lengths }: tables.HuffmanTable, run: number, value: number): void {
    const size = value === 0 ? 0 : Math.floor(Math.log2(Math.abs(value))) + 1;
    const symbol = run * 16 + size;
    this.put(codes[symbol], lengths[symbol]);
    this.put(value < 0 ? value + 2 ** size - 1 : value, size);
  }
}

/** The bytes between the header and the end marker. */
export function plainScan(pixmap: Pixmap, quality: number, sampling: ChromaSampling): Uint8Array {
  const { width, height, data } = pixmap;
  const ratio = sampling === '4:2:0' ? 2 : 1;
  const steps = tables.quantizationTables(quality);
  const bits = new Bits();
  const previousDc = [0, 0, 0];
  const channel = (x: number, y: number, i: number) => {
    const at = (Math.min(height - 1, y) * width + Math.min(width - 1, x)) * 4;
    return data[at + i] + 255 - data[at + 3];
  };
  /** The mean of `size` × `size` pixels (1 or 2) in 32nds, weighted by `factors`. */
  const sample = (x: number, y: number, size: number, factors: readonly number[], centre: number) => {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < size * size; j++) sum += factors[i] * channel(x + (j % size), y + (j >> (size - 1)), i);
    }
    const shift = size === 2 ? 12 : 10;
    return (sum - centre * 32768 + (1 << (shift - 1))) >> shift;
  };
  const block = (component: number, left: number, top: number, size: number) => {
    const factors = [LUMA, BLUE, RED][component];
    const at = (i: number) =>
      sample(left + (i & 7) * size, top + (i >> 3) * size, size, factors, component === 0 ? 128 : 0);
    const coefficients = transform(Array.from({ length: 64 }, (_, i) => at(i)));
    const table = component === 0 ? steps.luma : steps.chroma;
    const values = Array.from(tables.ZIGZAG, (place) => quantize(coefficients[place], table[place]));
    const [dc, ac] = component === 0 ? [tables.LUMA_DC, tables.LUMA_AC] : [tables.CHROMA_DC, tables.CHROMA_AC];
    bits.value(dc, 0, values[0] - previousDc[component]);
    previousDc[component] = values[0];
    let run = 0;
    for (const value of values.slice(1)) {
      if (value === 0) {
        run++;
        continue;
      }
      for (; run > 15; run -= 16) bits.value(ac, 15, 0);
      bits.value(ac, run, value);
      run = 0;
    }
    if (run > 0) bits.value(ac, 0, 0);
  };
  for (let y = 0; y < height; y += 8 * ratio) {
    for (let x = 0; x < width; x += 8 * ratio) {
      for (let i = 0; i < ratio * ratio; i++) block(0, x + (i % ratio) * 8, y + (i >> 1) * 8, 1);
      block(1, x, y, ratio);
      block(2, x, y, ratio);
    }
  }
  bits.fill();
  return Uint8Array.from(bits.bytes);
}
