// Format detection by content, and descriptions of other files.
import t from 'tap';
import { decodeImage } from '../../lib/codecs/index.js';
import { describe, sniff } from '../../lib/codecs/sniff.js';

const latin = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const ftyp = (...brands: string[]) => {
  const length = String.fromCharCode(8 + 4 * (brands.length + 1));
  return latin(`\0\0\0${length}ftyp${brands[0]}\0\0\0\0${brands.slice(1).join('')}`);
};

t.test('detects formats by content', (t) => {
  for (const [bytes, format] of [
    [latin('\x89PNG\r\n\x1a\n'), 'png'],
    [latin('\xff\xd8\xff\xe0'), 'jpeg'],
    [latin('GIF87a..'), 'gif'],
    [latin('GIF89a..'), 'gif'],
    [latin('RIFF....WEBPVP8 '), 'webp'],
    [ftyp('avif', 'mif1'), 'avif'],
    [ftyp('avis', 'msf1'), 'avif'],
    [ftyp('mif1', 'miaf', 'avif'), 'avif'],
    [ftyp('mif1', 'miaf'), 'avif'],
    [ftyp('mif1', 'heic'), undefined],
    [ftyp('isom', 'mp42'), undefined],
    [latin('<svg>'), 'svg'],
    [latin('\xef\xbb\xbf <!-- x --><svg\n>'), 'svg'],
    [latin('<?xml version="1.0"?><!DOCTYPE svg><x:svg/>'), 'svg'],
    [latin(`<!--${' '.repeat(5000)}--><svg/>`), 'svg'],
    [latin('<svgs>'), undefined],
    [latin('<!DOCTYPE html><svg></svg>x'), 'svg'],
    [latin('<html><svg></svg></html>'), undefined],
    [latin('<!-- <svg> '), undefined],
    [latin('svg'), undefined],
    [latin('RIFF....WAVE'), undefined],
    [latin(''), undefined],
  ] as const) {
    t.equal(sniff(bytes), format, JSON.stringify(Buffer.from(bytes).toString('latin1').slice(0, 40)));
  }
  t.end();
});

t.test('describes unsupported content', async (t) => {
  for (const [bytes, phrase] of [
    [latin(''), 'an empty file'],
    [latin('a'), '1 byte'],
    [latin('abc'), '3 bytes'],
    [latin('%PDF-1.7 '), 'a PDF'],
    [latin('\n<!DOCTYPE html><html>'), 'an HTML page'],
    [latin('<?xml version="1.0"?><rss/>'), 'an XML document'],
    [latin('{"error": "no"}'), 'JSON'],
    [latin('not an image\n'), 'plain text'],
    [latin('\x1f\x8b\x08\0\0\0\0\0\0'), 'a gzip archive'],
    [ftyp('heic', 'mif1'), 'a HEIC photo'],
    [ftyp('isom', 'mp42'), 'a video'],
    [latin('wOF2\0\x01\0\0'), 'a WOFF2 font'],
    [latin('\0\x01\0\0\0\x0c\0\x80'), 'a TrueType font'],
    [latin(`${'\x01'.repeat(34)}LP`), 'an EOT font'],
    [latin('\x01\x02\x03\x04\x05\x06\x07\x08\x09'), '9 bytes of an unknown format'],
  ] as const) {
    t.equal(describe(bytes), phrase);
    await t.rejects(decodeImage(bytes), { code: 'render_failed', message: `received ${phrase}` });
  }
});
