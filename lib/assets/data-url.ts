// data: URLs (RFC 2397, decoded as the Fetch standard's "data: URL processor" does) → bytes. One pass, never more
// memory than a small multiple of the bytes that come out.
import { RenderError } from '../errors.js';

/**
 * The bytes of a `data:` URL. Its media type is ignored: what the bytes are is found by content. Throws RenderError
 * `render_failed` when it has no comma, is not base64 although it says so, is empty, or holds more than `maxBytes`.
 */
export function readDataUrl(url: string, maxBytes: number): Uint8Array {
  const comma = url.indexOf(',');
  if (comma < 0) throw new RenderError('render_failed', 'a data: URL needs a comma before its data');
  // 3 characters stand for a byte at most (%XX); with blanks between them it is no longer a picture that someone sent.
  if (url.length - comma > 4 * maxBytes + 1024) throw tooLarge(maxBytes);
  // A fragment is no part of the data; a literal # must be written %23.
  const hash = url.indexOf('#', comma);
  const body = url.slice(comma + 1, hash < 0 ? undefined : hash);
  const base64 = /;[ \t\r\n]*base64[ \t\r\n]*$/i.test(url.slice(0, comma));
  const bytes = base64 ? decodeBase64(body) : percentDecode(body);
  if (bytes.length === 0) throw new RenderError('render_failed', 'the data: URL is empty');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

function tooLarge(maxBytes: number): RenderError {
  return new RenderError('render_failed', `the data: URL holds more than ${maxBytes} bytes`);
}

/**
 * Forgiving base64, as browsers read it: blanks anywhere, padding or none; also the URL-safe alphabet. Node's decoder
 * passes over what is no base64, so bytes are missing exactly when there was something to forgive or to refuse. A photograph
 * of 470 kB takes a fifth of the time that looking at every character beforehand took.
 */
function decodeBase64(body: string): Uint8Array {
  const padding = body.endsWith('==') ? 2 : body.endsWith('=') ? 1 : 0;
  const length = body.length - padding;
  if (length % 4 !== 1 && isAscii(body)) {
    const bytes = Buffer.from(body, 'base64');
    if (bytes.length === Math.floor((length * 3) / 4)) {
      // small ones are windows on memory that Node shares out
      const isWhole = bytes.buffer.byteLength === bytes.length;
      return isWhole ? new Uint8Array(bytes.buffer) : new Uint8Array(bytes);
    }
  }
  return forgivingBase64Decode(body);
}

/** The decoder takes characters of two bytes by their lower one. */
function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

/** The same by the letter of the standard; also the twin that the shorter way is held to. */
export function forgivingBase64Decode(body: string): Uint8Array {
  const plain = body.includes('%') ? Buffer.from(percentDecode(body)).toString('latin1') : body;
  const text = plain.replace(/[\t\n\f\r ]+/g, '');
  const bare = text.replace(/={1,2}$/, '');
  if (/[^A-Za-z0-9+/_-]/.test(bare) || bare.length % 4 === 1) {
    throw new RenderError('render_failed', 'the data: URL is not valid base64');
  }
  return Uint8Array.from(Buffer.from(bare, 'base64'));
}

/** `%XX` → that byte; every other character → its UTF-8; tabs and newlines are dropped, as URL parsing drops them. */
function percentDecode(body: string): Uint8Array {
  const source = Buffer.from(body.replace(/[\t\n\r]+/g, ''), 'utf8');
  let length = 0;
  for (let i = 0; i < source.length; i++) {
    const high = source[i] === 0x25 ? hexDigit(source[i + 1]) : -1;
    const low = high >= 0 ? hexDigit(source[i + 2]) : -1;
    if (low >= 0) {
      source[length++] = high * 16 + low;
      i += 2;
    } else {
      source[length++] = source[i];
    }
  }
  return Uint8Array.from(source.subarray(0, length));
}

/** Value of an ASCII hexadecimal digit, or -1. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
