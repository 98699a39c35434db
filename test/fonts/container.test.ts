// unpackFont on valid and malformed files of every container format.
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import t, { type Test } from 'tap';
import { RenderError } from '../../lib/errors.js';
import { unpackFont } from '../../lib/fonts/bundled.js';

const fonts = new URL('../../fonts/', import.meta.url);
const ttf = new Uint8Array(readFileSync(new URL('inter/inter-400.ttf', fonts)));
const woff2 = new Uint8Array(readFileSync(new URL('pacifico/pacifico-400.woff2', fonts)));

/** Tag → bytes of an SFNT file. */
function tablesOf(sfnt: Uint8Array): Map<string, Buffer> {
  const view = Buffer.from(sfnt);
  return new Map(
    Array.from({ length: view.readUInt16BE(4) }, (_, i) => {
      const record = 12 + 16 * i;
      const offset = view.readUInt32BE(record + 8);
      const data = view.subarray(offset, offset + view.readUInt32BE(record + 12));
      return [view.toString('latin1', record, record + 4), data];
    }),
  );
}

/** Packs as WOFF 1.0; `lengthError` is added to the original lengths in the table headers. */
function packWoff(sfnt: Uint8Array, lengthError = 0): Uint8Array {
  const tables = [...tablesOf(sfnt)];
  const head = Buffer.alloc(44 + 20 * tables.length);
  head.write('wOFF');
  Buffer.from(sfnt).copy(head, 4, 0, 4);
  head.writeUInt16BE(tables.length, 12);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  tables.forEach(([tag, data], i) => {
    const deflated = deflateSync(data);
    const packed = deflated.length < data.length ? deflated : data;
    const record = 44 + 20 * i;
    head.write(tag, record, 'latin1');
    head.writeUInt32BE(offset, record + 4);
    head.writeUInt32BE(packed.length, record + 8);
    head.writeUInt32BE(data.length + lengthError, record + 12);
    parts.push(packed);
    offset += packed.length;
  });
  return Buffer.concat(parts);
}

/** A collection of one face: its directory is moved, so every offset changes. */
function packCollection(sfnt: Uint8Array): Uint8Array {
  const face = Buffer.from(sfnt);
  for (let i = 0; i < face.readUInt16BE(4); i++) {
    const at = 12 + 16 * i + 8;
    face.writeUInt32BE(face.readUInt32BE(at) + 16, at);
  }
  const head = Buffer.from('ttcf\0\x01\0\0\0\0\0\x01\0\0\0\x10', 'latin1');
  return Buffer.concat([head, face]);
}

const fails = async (t: Test, bytes: Uint8Array, message: RegExp) => {
  const error = await unpackFont(bytes).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  t.ok(error instanceof RenderError, String(message));
  t.match((error as RenderError).message, message);
  t.equal((error as RenderError).code, 'render_failed');
};

t.test('returns TTF files unchanged', async (t) => t.equal(await unpackFont(ttf), ttf));

t.test('unpacks WOFF, WOFF2 and collections to the same tables', async (t) => {
  const expected = tablesOf(ttf);
  t.same(tablesOf(await unpackFont(packWoff(ttf))), expected);
  t.same(tablesOf(await unpackFont(packCollection(ttf))), expected);
  const { numGlyphs } = {
    numGlyphs: tablesOf(await unpackFont(woff2))
      .get('maxp')!
      .readUInt16BE(4),
  };
  t.equal(numGlyphs, 1514);
});

t.test('describes a file that is not a font', async (t) => {
  const text = (content: string) => Buffer.from(content, 'latin1');
  await fails(
    t,
    text('<!DOCTYPE html><p>Not found'),
    /^received an HTML page, expected a TTF, OTF, WOFF or WOFF2 font$/,
  );
  await fails(t, text('  <svg xmlns="http://www.w3.org/2000/svg"/>'), /received an SVG,/);
  await fails(t, text('{"error": 1}'), /JSON/);
  await fails(t, text('Not found'), /plain text/);
  await fails(t, text('\x89PNG\r\n\x1a\n'), /received a PNG,/);
  await fails(t, new Uint8Array(0), /received an empty file,/);
  await fails(t, new Uint8Array([1, 2, 3, 4, 5]), /received 5 bytes,/);
  await fails(t, new Uint8Array([0, 1, 0]), /3 bytes/);
});

// fault: 62
t.test('rejects malformed containers with a reason', async (t) => {
  const woff = packWoff(ttf);
  await fails(t, woff.subarray(0, 30), /malformed font file: it is truncated/);
  await fails(t, woff.subarray(0, 60_000), /truncated or points outside/);
  await fails(t, packWoff(ttf, 1000), /length of a table differs from its header|longer than its uncompressed/);
  await fails(t, packWoff(ttf, 40 << 20), /more than 31457280 bytes/);
  await fails(t, woff2.subarray(0, 20_000), /malformed font file/);
  const oversized = Buffer.from(woff2);
  oversized.writeUInt32BE(2_000_000_000, 16);
  await fails(t, oversized, /more than 31457280 bytes/);
  await fails(t, packCollection(ttf).subarray(0, 1000), /truncated/);
  await fails(t, Buffer.from('wOFF'.padEnd(44, '\0')), /no tables/);
  // If any bits are flipped, the result is a font or a RenderError.
  for (let i = 0; i < 200; i++) {
    const bytes = Buffer.from(i % 2 ? woff : packCollection(ttf));
    for (let k = 0; k < 4; k++) bytes[(i * 7919 + k * 104729) % (k ? 400 : bytes.length)] ^= 1 << ((i + k) % 8);
    const result = await unpackFont(bytes).catch((error: unknown) => error);
    if (!(result instanceof Uint8Array || result instanceof RenderError)) t.fail(String(result));
  }
  t.ok((await unpackFont(woff2)).length > 300_000, 'the decoder still works');
});
