// Writes the RIFF container of a WebP: chunks, optionally with a VP8X header (RFC 9649 section 2).

/** Type, length and data, padded to an even length. */
export function webpChunk(type: string, data: Uint8Array): Uint8Array {
  const chunk = new Uint8Array(8 + ((data.length + 1) & ~1));
  chunk.set(Buffer.from(type, 'latin1'));
  new DataView(chunk.buffer).setUint32(4, data.length, true);
  chunk.set(data, 8);
  return chunk;
}

/** A file with these chunks. */
export function webpFile(...chunks: readonly Uint8Array[]): Uint8Array {
  const length = chunks.reduce((sum, chunk) => sum + chunk.length, 12);
  const start = Buffer.from('RIFF\0\0\0\0WEBP', 'latin1');
  start.writeUInt32LE(length - 8, 4);
  return Uint8Array.from(Buffer.concat([start, ...chunks], length));
}

/** The VP8X header of a still image with alpha; `ALPH`, if any, and the image chunk follow it. */
export function webpHeader(width: number, height: number): Uint8Array {
  const data = Buffer.alloc(10);
  data.writeUInt32LE(0x10);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk('VP8X', data);
}
