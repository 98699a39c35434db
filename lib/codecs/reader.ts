// Bounds-checked reads from untrusted bytes: a read past the end throws the format's "truncated" error, never returns
// undefined or NaN.

import type { InputFormat } from './codec.js';
import { malformed } from './errors.js';

export class Reader {
  readonly bytes: Uint8Array;
  readonly #format: InputFormat;
  readonly #view: DataView;

  constructor(bytes: Uint8Array, format: InputFormat) {
    this.bytes = bytes;
    this.#format = format;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get length(): number {
    return this.bytes.length;
  }

  u8(at: number): number {
    return this.#view.getUint8(this.#within(at, 1));
  }

  /** 16-bit unsigned, big-endian unless `little`. */
  u16(at: number, little = false): number {
    return this.#view.getUint16(this.#within(at, 2), little);
  }

  /** 24-bit unsigned, little-endian. */
  u24(at: number): number {
    this.#within(at, 3);
    return this.#view.getUint16(at, true) | (this.#view.getUint8(at + 2) << 16);
  }

  /** 32-bit unsigned, big-endian unless `little`. */
  u32(at: number, little = false): number {
    return this.#view.getUint32(this.#within(at, 4), little);
  }

  /** `length` bytes as Latin-1 text: chunk types, brands, magic numbers. */
  text(at: number, length: number): string {
    this.#within(at, length);
    return String.fromCharCode(...this.bytes.subarray(at, at + length));
  }

  /** A view of `length` bytes at `at`. */
  slice(at: number, length: number): Uint8Array {
    this.#within(at, length);
    return this.bytes.subarray(at, at + length);
  }

  #within(at: number, length: number): number {
    if (!(at >= 0 && at + length <= this.length)) throw malformed(this.#format, 'it is truncated');
    return at;
  }
}
