// A settled idempotency key as a record of fixed size in a segment file.
import type { SettledRequest } from '../../types.js';

/** Length of a record. Four fill a disk sector, so a sector that is lost damages no other record. */
export const RECORD_BYTES = 128;

// Layout, little-endian: digest of the key, fingerprint, time and cost as doubles, template version (0: none), length of
// the render id, render id in UTF-8, brand version (0: none), checksum of all of these. A render id that is longer than a UUID
// takes the place of the brand version.
const FINGERPRINT = 32;
const TIME = 64;
const COST = 72;
const TEMPLATE_VERSION = 80;
const ID_LENGTH = 84;
const ID = 85;
const BRAND_VERSION = 121;
const BRAND_VERSION_BYTES = 3;
const CHECKSUM = 124;
const MAX_ID_BYTES = CHECKSUM - ID;

export interface IdempotencyRecord extends SettledRequest {
  /** Digest of the key. */
  readonly digest: Buffer;
  /** Milliseconds since 1970 by the store's clock. */
  readonly time: number;
}

/** Throws RangeError when a field does not fit. */
export function encodeRecord(record: IdempotencyRecord): Buffer {
  const { digest, fingerprint, time, creditsCost, templateVersion = 0, brandVersion = 0, renderId } = record;
  if (!/^[0-9a-f]{64}$/.test(fingerprint)) throw new RangeError('a fingerprint is a SHA-256 in hexadecimal digits');
  const idLength = Buffer.byteLength(renderId);
  if (idLength > MAX_ID_BYTES) throw new RangeError(`a render id has at most ${MAX_ID_BYTES} bytes`);
  if (brandVersion > 0 && idLength > BRAND_VERSION - ID) {
    throw new RangeError(`a render id beside a brand version has at most ${BRAND_VERSION - ID} bytes`);
  }
  const bytes = Buffer.alloc(RECORD_BYTES);
  digest.copy(bytes);
  bytes.write(fingerprint, FINGERPRINT, 'hex');
  bytes.writeDoubleLE(time, TIME);
  bytes.writeDoubleLE(creditsCost, COST);
  bytes.writeUInt32LE(templateVersion, TEMPLATE_VERSION);
  bytes.writeUInt8(idLength, ID_LENGTH);
  bytes.write(renderId, ID);
  if (brandVersion > 0) bytes.writeUIntLE(brandVersion, BRAND_VERSION, BRAND_VERSION_BYTES);
  bytes.writeUInt32LE(checksumAt(bytes, 0), CHECKSUM);
  return bytes;
}

/** Whether the record at `start` of `bytes` matches its checksum. Zeros do not. */
export function isIntact(bytes: Buffer, start: number): boolean {
  return bytes.readUInt32LE(start + CHECKSUM) === checksumAt(bytes, start);
}

/** The time of the record at `start` of `bytes`. */
export function timeAt(bytes: Buffer, start: number): number {
  return bytes.readDoubleLE(start + TIME);
}

/** The record that fills `bytes`, which is intact. */
export function decodeRecord(bytes: Buffer): IdempotencyRecord {
  const templateVersion = bytes.readUInt32LE(TEMPLATE_VERSION);
  const idLength = bytes.readUInt8(ID_LENGTH);
  const brandVersion = idLength > BRAND_VERSION - ID ? 0 : bytes.readUIntLE(BRAND_VERSION, BRAND_VERSION_BYTES);
  return {
    digest: bytes.subarray(0, FINGERPRINT),
    fingerprint: bytes.toString('hex', FINGERPRINT, TIME),
    time: timeAt(bytes, 0),
    renderId: bytes.toString('utf8', ID, ID + idLength),
    creditsCost: bytes.readDoubleLE(COST),
    ...(templateVersion > 0 && { templateVersion }),
    ...(brandVersion > 0 && { brandVersion }),
  };
}

/** FNV-1a over words of 32 bits: any change within one word changes the result. */
function checksumAt(bytes: Buffer, start: number): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < start + CHECKSUM; at += 4) hash = Math.imul(hash ^ bytes.readInt32LE(at), 0x01000193);
  return hash >>> 0;
}
