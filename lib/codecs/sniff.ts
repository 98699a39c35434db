// Detects the format of bytes by content, or describes unsupported content for an error message.
import type { InputFormat } from './codec.js';
import { readProlog, xmlText } from './svg/prolog.js';

/** The format of `bytes` by its magic numbers (for an SVG, its root element); undefined if unsupported. */
export function sniff(bytes: Uint8Array): InputFormat | undefined {
  return sniffRaster(bytes) ?? (isSvg(bytes) ? 'svg' : undefined);
}

/** The format of a raster image by its magic numbers alone, which takes the same time for all bytes. */
export function sniffRaster(bytes: Uint8Array): Exclude<InputFormat, 'svg'> | undefined {
  if (startsWith(bytes, 0, '\x89PNG\r\n\x1a\n')) return 'png';
  if (startsWith(bytes, 0, '\xff\xd8\xff')) return 'jpeg';
  if (startsWith(bytes, 0, 'GIF87a') || startsWith(bytes, 0, 'GIF89a')) return 'gif';
  if (startsWith(bytes, 0, 'RIFF') && startsWith(bytes, 8, 'WEBP')) return 'webp';
  return startsWith(bytes, 4, 'ftyp') && isAvif(brands(bytes)) ? 'avif' : undefined;
}

/** Describes `bytes` for an error message: "an HTML page", "a PDF", "3 bytes". */
export function describe(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'an empty file';
  if (bytes.length < 8) return `${bytes.length} byte${bytes.length === 1 ? '' : 's'}`;
  for (const [at, magic, phrase] of KNOWN) if (startsWith(bytes, at, magic)) return phrase;
  if (startsWith(bytes, 4, 'ftyp')) {
    return brands(bytes).some((brand) => /^he[iv]/.test(brand)) ? 'a HEIC photo' : 'a video';
  }
  const format = sniff(bytes);
  if (format) return PHRASES[format];
  const text = new TextDecoder('latin1')
    .decode(bytes.subarray(0, 1024))
    .replace(/^\xEF\xBB\xBF/, '')
    .trimStart();
  if (/^<(!doctype\s+html|html|head|body|!--|script|meta|title)/i.test(text)) return 'an HTML page';
  if (text.startsWith('<')) return 'an XML document';
  if (/^[[{]/.test(text) && /["\]}]/.test(text)) return 'JSON';
  if (isPlainText(bytes.subarray(0, 1024))) return 'plain text';
  // An Embedded OpenType (EOT) file has its magic number at byte 34.
  return startsWith(bytes, 34, 'LP') ? 'an EOT font' : `${bytes.length} bytes of an unknown format`;
}

const PHRASES: Record<InputFormat, string> = {
  png: 'a PNG',
  jpeg: 'a JPEG',
  webp: 'a WebP',
  avif: 'an AVIF',
  gif: 'a GIF',
  svg: 'an SVG',
};

const KNOWN: readonly (readonly [at: number, magic: string, phrase: string])[] = [
  [0, '%PDF', 'a PDF'],
  [0, 'PK\x03\x04', 'a ZIP archive'],
  [0, '\x1f\x8b', 'a gzip archive'],
  [0, 'BM', 'a BMP image'],
  [0, 'II*\0', 'a TIFF image'],
  [0, 'MM\0*', 'a TIFF image'],
  [0, '\0\0\x01\0', 'an icon file'],
  [0, '8BPS', 'a Photoshop document'],
  [0, '\xff\x0a', 'a JPEG XL image'],
  [0, '\0\0\0\x0cJXL ', 'a JPEG XL image'],
  [0, '\0\0\0\x0cjP  ', 'a JPEG 2000 image'],
  [0, '\x1aE\xdf\xa3', 'a video'],
  [0, 'wOFF', 'a WOFF font'],
  [0, 'wOF2', 'a WOFF2 font'],
  [0, 'OTTO', 'an OpenType font'],
  [0, '\0\x01\0\0', 'a TrueType font'],
  [0, 'ttcf', 'a font collection'],
];

function startsWith(bytes: Uint8Array, at: number, magic: string): boolean {
  for (let i = 0; i < magic.length; i++) if (bytes[at + i] !== magic.charCodeAt(i)) return false;
  return true;
}

/** The major and compatible brands of an ISO media file (ISO/IEC 14496-12 section 4.3). */
function brands(bytes: Uint8Array): string[] {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0);
  const found: string[] = [];
  for (let at = 8; at + 4 <= Math.min(length, bytes.length, 1024); at += 4) {
    if (at !== 12) found.push(String.fromCharCode(...bytes.subarray(at, at + 4)));
  }
  return found;
}

/** `mif1` and `msf1` identify only the container: such a file is AVIF unless it declares HEIC. */
function isAvif(found: readonly string[]): boolean {
  if (found.includes('avif') || found.includes('avis')) return true;
  return (found[0] === 'mif1' || found[0] === 'msf1') && !found.some((brand) => /^he[iv]/.test(brand));
}

/**
 * Maximum bytes before an SVG's root element. Drawing programs declare a few thousand; skipping 25 MB of comments took
 * half a second.
 */
const MAX_PROLOG_BYTES = 2 ** 20;

function isSvg(bytes: Uint8Array): boolean {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 256));
  if (!/^(\xEF\xBB\xBF|\xFE\xFF|\xFF\xFE)?[\s\0]*</.test(head)) return false;
  const text = xmlText(bytes.subarray(0, MAX_PROLOG_BYTES));
  const prolog = text === undefined ? undefined : readProlog(text);
  return (
    text !== undefined &&
    prolog !== undefined &&
    /^<(?:[\w.-]+:)?svg[\s/>]/.test(text.slice(prolog.root, prolog.root + 200))
  );
}

/** Whether the bytes contain no control characters except tab and line ends. */
function isPlainText(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte >= 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d);
}
