// Bytes that are not what was hoped for → a few words that a person recognises ("an HTML page", "a PNG image").

const MAGIC: readonly (readonly [prefix: string, name: string])[] = [
  ['\x89PNG', 'a PNG image'],
  ['\xff\xd8\xff', 'a JPEG image'],
  ['GIF8', 'a GIF image'],
  ['%PDF', 'a PDF document'],
  ['PK\x03\x04', 'a ZIP archive'],
  ['\x1f\x8b', 'a gzip archive'],
  ['wOFF', 'a WOFF font'],
  ['wOF2', 'a WOFF2 font'],
  ['OTTO', 'an OpenType font'],
  ['\0\x01\0\0', 'a TrueType font'],
  ['ttcf', 'a font collection'],
];

/** What `bytes` look like, with an article: for messages of the form "received …, expected …". */
export function describe(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'nothing (0 bytes)';
  const start = String.fromCharCode(...bytes.subarray(0, 512));
  for (const [prefix, name] of MAGIC) if (start.startsWith(prefix)) return name;
  if (start.startsWith('RIFF') && start.slice(8, 12) === 'WEBP') return 'a WebP image';
  if (start.slice(4, 8) === 'ftyp') return 'an AVIF or MP4 file';
  // An embedded OpenType file carries its magic number at byte 34.
  if (start.slice(34, 36) === 'LP') return 'an EOT font';
  const text = start.replace(/^\xef\xbb\xbf/, '').trimStart();
  if (/^(<!doctype html|<html|<head|<body|<script)/i.test(text)) return 'an HTML page';
  if (/^(<\?xml[^>]*>\s*)?(<!--[^>]*-->\s*)*<svg/i.test(text)) return 'an SVG image';
  if (text.startsWith('<')) return 'an XML or HTML document';
  if (/^[{[]\s*["{\]}[\d]/.test(text)) return 'JSON';
  if (/^[\t\n\r\x20-\x7e]+$/.test(start)) return 'plain text';
  return `${bytes.length} bytes of an unknown format`;
}
