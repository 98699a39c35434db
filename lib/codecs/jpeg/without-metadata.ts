// Removes from a JPEG what says nothing about its pixels: EXIF with its GPS position, XMP, previews, comments.
import { concatBytes } from '../../bytes/bytes.js';

const SCAN = 0xda;
const COMMENT = 0xfe;
const APP0 = 0xe0;
const APP2 = 0xe2;
const APP14 = 0xee;
const APP15 = 0xef;

/** The file without its metadata. Colour profiles and the colour transforms of JFIF and Adobe stay. */
export function withoutMetadata(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [bytes.subarray(0, 2)];
  let at = 2;
  while (at + 4 <= bytes.length) {
    const marker = bytes[at] === 0xff ? bytes[at + 1] : 0;
    if (marker === SCAN) break;
    if (marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)) {
      // bytes outside segments, which decoders skip
      const next = bytes.indexOf(0xff, at + 1);
      if (next < 0) break;
      at = next;
      continue;
    }
    const end = Math.min(bytes.length, at + 2 + Math.max(2, (bytes[at + 2] << 8) | bytes[at + 3]));
    if (!isMetadata(marker, bytes.subarray(at + 4, end))) parts.push(bytes.subarray(at, end));
    at = end;
  }
  return concatBytes([...parts, bytes.subarray(at)]);
}

function isMetadata(marker: number, body: Uint8Array): boolean {
  if (marker === COMMENT) return true;
  if (marker < APP0 || marker > APP15) return false;
  if (marker === APP0) return !startsWith(body, 'JFIF\0');
  if (marker === APP2) return !startsWith(body, 'ICC_PROFILE\0');
  return marker !== APP14 || !startsWith(body, 'Adobe');
}

function startsWith(body: Uint8Array, text: string): boolean {
  return [...text].every((character, i) => body[i] === character.charCodeAt(0));
}
