// Reads the numbers of a WOFF2 file in order. A read past the end throws RangeError.
import { viewOf } from '../sfnt.js';

export class ByteReader {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  /** The position of the next read. */
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.#view = viewOf(bytes);
    this.at = at;
  }

  u8(): number {
    return this.#view.getUint8(this.at++);
  }

  u16(): number {
    const value = this.#view.getUint16(this.at);
    this.at += 2;
    return value;
  }

  u32(): number {
    const value = this.#view.getUint32(this.at);
    this.at += 4;
    return value;
  }

  /** A view of the next `length` bytes. */
  slice(length: number): Uint8Array {
    const end = this.at + length;
    if (end > this.bytes.length) throw new RangeError('past the end of the file');
    const part = this.bytes.subarray(this.at, end);
    this.at = end;
    return part;
  }

  /** UIntBase128: seven bits per byte, most significant first, at most five bytes, no leading zeros. */
  base128(): number {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = this.u8();
      if (i === 0 && byte === 0x80) break;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new Error('its table directory is malformed');
  }

  /** 255UInt16: one byte up to 252; 253 precedes a 16-bit number, 255 and 254 precede a byte to which 253 or 506 is added. */
  short255(): number {
    const code = this.u8();
    if (code < 253) return code;
    if (code === 253) return this.u16();
    return this.u8() + (code === 255 ? 253 : 506);
  }
}
