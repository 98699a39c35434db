// Writes the RIFF container of a WebP: chunks, optionally with a VP8X header (RFC 9649 section 2).
import { concatBytes, latin1Bytes, latin1Text } from '../../bytes/bytes.js';

/** Type, length and data, padded to an even length. */
export function webpChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(8 + ((data.length + 1) & ~1));
  chunk.set(latin1Bytes(type));
  new DataView(chunk.buffer).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

/** A file with these chunks. */
export function webpFile(...chunks: readonly Uint8Array[]): Uint8Array {
  const file = concatBytes([latin1Bytes('RIFF\0\0\0\0WEBP'), ...chunks]);
  new DataView(file.buffer).setUint32(4, file.length - 8, true);
  return file;
}

/** Flags of the VP8X header. */
const HAS_ALPHA = 0x10;
const HAS_EXIF = 0x08;
const HAS_XMP = 0x04;
/** Bytes of the RIFF header. */
export const FILE_HEADER_BYTES = 12;

/** Data about an image that its file may carry. */
export interface WebpMetadata {
  readonly exif?: Uint8Array | undefined;
  readonly xmp?: Uint8Array | undefined;
}

/** The file with metadata. `image`: its size, and whether it has alpha, in case it has no VP8X header yet. */
export function withMetadata(
  file: Uint8Array,
  { width, height, hasAlpha }: { readonly width: number; readonly height: number; readonly hasAlpha: boolean },
  { exif, xmp }: WebpMetadata,
): Uint8Array {
  const flags = (exif ? HAS_EXIF : 0) | (xmp ? HAS_XMP : 0);
  if (flags === 0) return file;
  const chunks = file.slice(FILE_HEADER_BYTES);
  const isExtended = latin1Text(chunks.subarray(0, 4)) === 'VP8X';
  if (isExtended) chunks[8] |= flags;
  const header = isExtended ? [] : [webpHeader(width, height, (hasAlpha ? HAS_ALPHA : 0) | flags)];
  const metadata = [...(exif ? [webpChunk('EXIF', exif)] : []), ...(xmp ? [webpChunk('XMP ', xmp)] : [])];
  return webpFile(...header, chunks, ...metadata);
}

/** The VP8X header of a still image, with alpha unless `flags` say otherwise; `ALPH`, if any, and the image chunk follow it. */
export function webpHeader(width: number, height: number, flags = HAS_ALPHA): Uint8Array {
  const data = new DataView(new ArrayBuffer(10));
  data.setUint8(0, flags);
  // 24 bits each; the height is written second, over the fourth byte of the width
  data.setUint32(4, width - 1, true);
  data.setUint16(7, height - 1, true);
  data.setUint8(9, (height - 1) >> 16);
  return webpChunk('VP8X', new Uint8Array(data.buffer));
}
