// A WOFF2 file's header and table directory (W3C WOFF2 sections 4.1 and 4.2), checked before its decoder sees a byte:
// the sizes that it gives are what the decoder allocates.
import { MAX_UNPACKED, tableCount } from './container.js';

/** Each table's name in the directory: an index of 63 is followed by four bytes of it. */
const OTHER_TAG = 63;
const GLYF = 10;
const LOCA = 11;

/** Throws an Error whose message completes "received a broken font file: …", or a RangeError where the file is cut short. */
export function checkWoff2(bytes: Uint8Array): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = tableCount(view, 12);
  const packed = view.getUint32(20);
  let total = view.getUint32(16);
  if (total > MAX_UNPACKED) throw tooLarge();
  total = 0;
  let at = 48;
  for (let table = 0; table < count; table++) {
    const flags = view.getUint8(at++);
    const tag = flags & 63;
    const version = flags >> 6;
    if (tag === OTHER_TAG) at += 4;
    let length = number();
    // glyf and loca are transformed unless version 3 says that they aren't, others unless version 0 does
    const isTransformed = tag === GLYF || tag === LOCA ? version !== 3 : version !== 0;
    if (isTransformed) length = Math.max(length, number());
    total += length;
    if (total > MAX_UNPACKED) throw tooLarge();
  }
  if (at + packed > bytes.length) throw new RangeError('packed data outside the file');

  /** UIntBase128: seven bits a byte, the highest first, five bytes at most, no zeros before it. */
  function number(): number {
    let value = 0;
    for (let i = 0; i < 5; i++) {
      const byte = view.getUint8(at++);
      if (i === 0 && byte === 0x80) break;
      value = value * 128 + (byte & 127);
      if (byte < 128) return value;
    }
    throw new Error('its table directory is malformed');
  }
}

function tooLarge(): Error {
  return new Error(`it unpacks to more than ${MAX_UNPACKED} bytes`);
}
