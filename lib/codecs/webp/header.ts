// Reads a WebP's RIFF chunks: its canvas, and the first frame of an animation as a still file (the decoder only reads
// stills). Source: the WebP container specification; sizes of VP8 (RFC 6386 section 9.1) and VP8L bitstreams.
import { malformed } from '../errors.js';
import type { DeclaredColors } from '../profile/declared.js';
import { Reader } from '../reader.js';
import { webpFile, webpHeader } from './container.js';

export interface WebpHeader {
  readonly width: number;
  readonly height: number;
  readonly isAnimated: boolean;
  readonly colors?: DeclaredColors;
}

/** A frame as a separate WebP file, and its position on the canvas. */
export interface WebpFrame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/** Maximum chunks inspected; files have a few before their image. */
const MAX_CHUNKS = 64;

/** Flags of the VP8X header. */
const ANIMATED = 2;
const HAS_PROFILE = 0x20;

/** Reads the canvas from the first chunk, and where the profile is. */
export function readWebpHeader(bytes: Uint8Array): WebpHeader {
  const reader = new Reader(bytes, 'webp');
  const type = reader.text(12, 4);
  if (type === 'VP8X') {
    const flags = reader.u8(20);
    const profile = flags & HAS_PROFILE ? findProfile(reader) : undefined;
    return {
      width: reader.u24(24) + 1,
      height: reader.u24(27) + 1,
      isAnimated: (flags & ANIMATED) !== 0,
      ...(profile && { colors: { kind: 'icc', bytes: profile } }),
    };
  }
  return { ...bitstreamSize(reader, type, 20), isAnimated: false };
}

function bitstreamSize(reader: Reader, type: string, at: number): { width: number; height: number } {
  if (type === 'VP8L') {
    if (reader.u8(at) !== 0x2f) throw malformed('webp', 'its lossless data has no signature');
    const sizes = reader.u32(at + 1, true);
    return { width: (sizes & 0x3fff) + 1, height: ((sizes >>> 14) & 0x3fff) + 1 };
  }
  if (type !== 'VP8 ') throw malformed('webp', 'it does not start with an image chunk');
  if (reader.text(at + 3, 3) !== '\x9d\x01\x2a') throw malformed('webp', 'its lossy data has no signature');
  const width = reader.u16(at + 6, true) & 0x3fff;
  const height = reader.u16(at + 8, true) & 0x3fff;
  if (width === 0 || height === 0) throw malformed('webp', `its size is ${width} × ${height}`);
  return { width, height };
}

/** The contents of the first ICCP chunk. */
function findProfile(reader: Reader): Uint8Array | undefined {
  for (let at = 12, chunks = 0; chunks < MAX_CHUNKS && at + 8 <= reader.length; chunks++) {
    const length = reader.u32(at + 4, true);
    if (reader.text(at, 4) === 'ICCP') return reader.bytes.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length & 1);
  }
  return undefined;
}

export type WebpCoding = 'lossy' | 'lossyWithAlpha' | 'lossless';

/**
 * Returns the coding of the image, or of an animation's first frame; if it is not found early, the coding that takes the most
 * memory.
 */
export function webpCoding(bytes: Uint8Array, { isAnimated }: WebpHeader): WebpCoding {
  const reader = new Reader(bytes, 'webp');
  let isInFrame = !isAnimated;
  for (let at = 12, chunks = 0; chunks < MAX_CHUNKS && at + 8 <= bytes.length; chunks++) {
    const type = reader.text(at, 4);
    const length = reader.u32(at + 4, true);
    if (isInFrame && type === 'VP8 ') return 'lossy';
    if (isInFrame && type === 'VP8L') return 'lossless';
    if (isInFrame && type === 'ALPH') break;
    if (!isInFrame && type === 'ANMF') {
      isInFrame = true;
      at += FRAME_HEADER_BYTES;
    } else at += 8 + length + (length & 1);
  }
  return 'lossyWithAlpha';
}

/** Bytes of ANMF before its chunks. */
const FRAME_HEADER_BYTES = 24;

/** Extracts the first ANMF chunk of an animated file. */
export function firstFrame(bytes: Uint8Array): WebpFrame {
  const reader = new Reader(bytes, 'webp');
  for (let at = 12; at + 8 <= bytes.length; ) {
    const length = reader.u32(at + 4, true);
    if (reader.text(at, 4) === 'ANMF') {
      const frame = {
        x: reader.u24(at + 8) * 2,
        y: reader.u24(at + 11) * 2,
        width: reader.u24(at + 14) + 1,
        height: reader.u24(at + 17) + 1,
      };
      checkSize(new Reader(reader.slice(at + FRAME_HEADER_BYTES, length - 16), 'webp'), frame.width, frame.height);
      return {
        ...frame,
        bytes: webpFile(webpHeader(frame.width, frame.height), reader.slice(at + FRAME_HEADER_BYTES, length - 16)),
      };
    }
    at += 8 + length + (length & 1);
  }
  throw malformed('webp', 'it is animated but has no frame');
}

/** The frame's bitstream must have the size that the frame declares. */
function checkSize(chunks: Reader, width: number, height: number): void {
  const at = chunks.text(0, 4) === 'ALPH' ? 8 + chunks.u32(4, true) + (chunks.u32(4, true) & 1) : 0;
  const size = bitstreamSize(chunks, chunks.text(at, 4), at + 8);
  if (size.width !== width || size.height !== height)
    throw malformed('webp', 'its first frame does not match its header');
}
