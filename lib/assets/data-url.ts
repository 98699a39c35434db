// Decodes data: URLs (RFC 2397) by the Fetch standard's "data: URL processor". One pass; memory is bounded by a small
// multiple of the decoded bytes.
import { decodeBase64 } from '../bytes/base64.js';
import { latin1Text } from '../bytes/bytes.js';
import { RenderError } from '../errors.js';

/**
 * Decodes a `data:` URL. Its media type is ignored: the format is sniffed from the content. Throws RenderError
 * `render_failed` if it has no comma, claims base64 but is not, is empty, or decodes to more than `maxBytes`.
 */
export function decodeDataUrl(url: string, maxBytes: number): Uint8Array {
  const comma = url.indexOf(',');
  if (comma < 0) throw new RenderError('render_failed', 'a data: URL needs a comma before its data');
  // A byte takes at most 3 characters (%XX); the fourth allows for whitespace. Longer URLs are not genuine data.
  if (url.length - comma > 4 * maxBytes + 1024) throw tooLarge(maxBytes);
  // A fragment is not part of the data; a literal # must be written %23.
  const hash = url.indexOf('#', comma);
  const body = url.slice(comma + 1, hash < 0 ? undefined : hash);
  const isBase64 = /;[ \t\r\n]*base64[ \t\r\n]*$/i.test(url.slice(0, comma));
  const bytes = isBase64 ? forgivingBase64(body) : percentDecode(body);
  if (bytes.length === 0) throw new RenderError('render_failed', 'the data: URL is empty');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return bytes;
}

function tooLarge(maxBytes: number): RenderError {
  return new RenderError('render_failed', `the data: URL holds more than ${maxBytes} bytes`);
}

/** Forgiving base64 as browsers decode it: whitespace anywhere, optional padding; also the URL-safe alphabet. */
function forgivingBase64(body: string): Uint8Array {
  // mostly there is nothing to forgive: a 470 kB photograph decodes in a fifth of the time that checking it first takes
  return decodeBase64(body) ?? forgivingBase64Decode(body);
}

/** Forgiving base64, written after the standard; tests compare the fast path with it. */
export function forgivingBase64Decode(body: string): Uint8Array {
  const plain = body.includes('%') ? latin1Text(percentDecode(body)) : body;
  const compact = plain.replace(/[\t\n\f\r ]+/g, '');
  const bytes = decodeBase64(compact.replace(/={1,2}$/, ''));
  if (!bytes) throw new RenderError('render_failed', 'the data: URL is not valid base64');
  return bytes;
}

/** Decodes `%XX` to a byte and other characters to UTF-8; drops tabs and newlines, as URL parsing does. */
function percentDecode(body: string): Uint8Array {
  const source = new TextEncoder().encode(body.replace(/[\t\n\r]+/g, ''));
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
  return source.slice(0, length);
}

/** The value of an ASCII hexadecimal digit, or -1. */
function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const lower = byte | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}
