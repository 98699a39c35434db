// The description in files: PNG has iTXt, JPEG and WebP have XMP. What reads the files reads it, and the picture stays as it is.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { decodeImage, encodeImage } from '../../lib/codecs/index.js';
import type { Pixmap } from '../../lib/raster/pixmap.js';
import { drawn, quadrants, smooth } from './pictures.js';

const IMAGES: readonly [string, Pixmap][] = [
  ['indexed', quadrants(200, 120)],
  ['opaque', smooth(150, 101)],
  ['translucent', smooth(150, 101, 77)],
  ['small', drawn(3, 2, (x) => [x, 0, 0, 255])],
];
const FORMATS = ['png', 'jpeg', 'webp'] as const;
const TEXT = 'Sales <2024> & "costs": ünïcode, 日本語, 👩‍👧\nsecond line';

const bytesOf = ({ data }: Pixmap) => new Uint8Array(data.buffer, data.byteOffset, data.length);

/** The bodies of the PNG's chunks of that type. */
function pngChunks(bytes: Uint8Array, type: string): Buffer[] {
  const file = Buffer.from(bytes);
  const found: Buffer[] = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    const body = file.subarray(at + 8, at + 8 + file.readUInt32BE(at));
    if (file.toString('latin1', at + 4, at + 8) === type) found.push(body);
  }
  return found;
}

function lacking(tool: string, argument = '--version'): false | string {
  return spawnSync(tool, [argument]).error ? `${tool} is not installed` : false;
}

t.test('without a description, and with an empty one, a file has the same bytes', async (t) => {
  for (const [name, pixmap] of IMAGES) {
    for (const format of [...FORMATS, 'avif'] as const) {
      const plain = await encodeImage(pixmap, format, { quality: 80 });
      const empty = await encodeImage(pixmap, format, { quality: 80, description: '' });
      t.equal(Buffer.compare(plain, empty), 0, `${name}, ${format}`);
    }
    const plain = await encodeImage(pixmap, 'avif', { quality: 80 });
    const described = await encodeImage(pixmap, 'avif', { quality: 80, description: TEXT });
    t.equal(Buffer.compare(plain, described), 0, 'AVIF has none');
  }
});

t.test('the picture is the one without it, and so is the resolution', async (t) => {
  for (const [name, pixmap] of IMAGES) {
    for (const format of FORMATS) {
      for (const lossless of [false, true]) {
        const options = { quality: 80, lossless, dpi: 300 };
        const plain = await decodeImage(await encodeImage(pixmap, format, options));
        const bytes = await encodeImage(pixmap, format, { ...options, description: TEXT });
        t.equal(Buffer.compare(bytesOf(await decodeImage(bytes)), bytesOf(plain)), 0, `${name}, ${format}`);
      }
    }
  }
});

t.test('PNG: one iTXt, before the pixels', async (t) => {
  const bytes = await encodeImage(IMAGES[0][1], 'png', { quality: 90, description: 'a\r\nb\rc\u0000\u009fd' });
  const chunks = pngChunks(bytes, 'iTXt').map((body) => body.toString());
  t.same(chunks, ['Description\0\0\0\0\0a\nb\nc\ufffd\ufffdd']);
  t.ok(bytes.length - (await encodeImage(IMAGES[0][1], 'png', { quality: 90 })).length < 60);
});

t.test('JPEG: an APP1 segment after JFIF; WebP: a chunk that VP8X announces', async (t) => {
  const description = '&\u0001\ud800'.repeat(600).slice(0, 2000);
  const jpeg = Buffer.from(await encodeImage(IMAGES[1][1], 'jpeg', { quality: 90, description }));
  const app0 = 2 + 2 + jpeg.readUInt16BE(4);
  t.equal(jpeg.readUInt16BE(app0), 0xffe1);
  t.equal(jpeg.toString('latin1', app0 + 4, app0 + 33), 'http://ns.adobe.com/xap/1.0/\0');
  const packet = jpeg.toString('utf8', app0 + 33, app0 + 2 + jpeg.readUInt16BE(app0 + 2));
  t.match(packet, /^<\?xpacket begin="\ufeff".*<dc:description><rdf:Alt><rdf:li xml:lang="x-default">&amp;\ufffd/s);
  t.match(packet, /<\?xpacket end="r"\?>$/);
  for (const [name, pixmap] of IMAGES) {
    const webp = Buffer.from(await encodeImage(pixmap, 'webp', { quality: 90, description: TEXT }));
    t.equal(webp.toString('latin1', 12, 16), 'VP8X', name);
    t.equal(webp[20] & 0x0c, 0x04, 'XMP, and no EXIF');
    t.equal((webp[20] & 0x10) !== 0, !pixmap.isOpaque(), 'alpha');
    t.equal(webp.length, webp.readUInt32LE(4) + 8);
    t.ok(webp.includes('Sales &lt;2024&gt; &amp; &quot;costs&quot;: ünïcode, 日本語, 👩‍👧\nsecond line'));
  }
});

t.test('pngcheck accepts the PNGs', { skip: lacking('pngcheck') }, async (t) => {
  const path = join(t.testdir(), 'a.png');
  for (const [name, pixmap] of IMAGES) {
    writeFileSync(path, await encodeImage(pixmap, 'png', { quality: 90, description: TEXT }));
    const out = execFileSync('pngcheck', ['-v7t', path], { encoding: 'utf8' });
    t.match(out, /No errors detected/, name);
    t.match(out, /iTXt.*keyword: Description/s, name);
  }
});

t.test('webpinfo and webpmux accept the WebPs', { skip: lacking('webpmux', '-version') }, async (t) => {
  const dir = t.testdir();
  const [path, out] = [join(dir, 'a.webp'), join(dir, 'a.xmp')];
  for (const [name, pixmap] of IMAGES) {
    for (const dpi of [undefined, 72]) {
      writeFileSync(path, await encodeImage(pixmap, 'webp', { quality: 90, dpi, description: TEXT }));
      t.match(execFileSync('webpinfo', ['-diag', path], { encoding: 'utf8' }), /No error detected/, name);
      execFileSync('webpmux', ['-get', 'xmp', path, '-o', out], { stdio: 'ignore' });
    }
  }
});

t.test('exiftool reads the description', { skip: lacking('exiftool', '-ver') }, async (t) => {
  const dir = t.testdir();
  for (const format of FORMATS) {
    const path = join(dir, `a.${format}`);
    for (const [name, pixmap] of IMAGES) {
      writeFileSync(path, await encodeImage(pixmap, format, { quality: 90, dpi: 72, description: TEXT }));
      const [found] = JSON.parse(
        execFileSync('exiftool', ['-json', '-validate', '-warning', '-description', path], { encoding: 'utf8' }),
      );
      t.equal(found.Description, TEXT, `${format}, ${name}`);
      t.notMatch(found, { Warning: /./ }, `${format}, ${name}`);
    }
  }
});
