// Our WOFF2 decoder against the reference decoder (woff2-encoder: Google's, compiled to WebAssembly): the same tables.
import { readdirSync, readFileSync } from 'node:fs';
import t, { type Test } from 'tap';
import decodeByReference from 'woff2-encoder/decompress';
import { checksumOf } from '../../../lib/fonts/sfnt.js';
import { decodeWoff2 } from '../../../lib/fonts/woff2/decode.js';
import { readDirectory } from '../../../lib/fonts/woff2/directory.js';
import { type Host, host, setHost } from '../../../lib/host.js';
import { packWoff2, type SfntTable, type StoredTable, sfntTables, storedTables } from './files.js';

const fonts = new URL('../../../fonts/', import.meta.url);
const read = (path: string) => Uint8Array.from(readFileSync(new URL(path, fonts)));
const pacifico = read('pacifico/pacifico-400.woff2');

/** The adjustment in head depends on the order of the tables in the file, which is free. */
function comparable(tables: Map<string, SfntTable>): [string, SfntTable][] {
  tables.get('head')?.data.fill(0, 8, 12);
  return [...tables].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Which tables differ. */
function differences(sfnt: Uint8Array, expected: Map<string, SfntTable>): string[] {
  const tables = comparable(sfntTables(sfnt));
  const others = comparable(expected);
  if (`${tables.map(([tag]) => tag)}` !== `${others.map(([tag]) => tag)}`) return ['the tags'];
  return tables.flatMap(([tag, { checksum, data }], i) => {
    const [, other] = others[i];
    return data.equals(other.data) && checksum === other.checksum ? [] : [tag];
  });
}

async function isLikeReference(t: Test, woff2: Uint8Array, title: string): Promise<Uint8Array> {
  const sfnt = await decodeWoff2(woff2);
  t.equal(checksumOf(sfnt), 0xb1b0afba, `${title}: the checksum of the file`);
  t.same(differences(sfnt, sfntTables(await decodeByReference(woff2))), [], `${title}: the tables`);
  return sfnt;
}

const isOverlapStored = (woff2: Uint8Array) =>
  storedTables(woff2).some(({ tag, data }) => tag === 'glyf' && (data[3] & 1) !== 0);

t.test('unpacks every bundled face to the tables that the reference decoder makes', async (t) => {
  const files = readdirSync(fonts, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.woff2'));
  t.ok(files.length > 100);
  const faces = files.map((path) => ({ path, bytes: read(path) }));
  for (const { path, bytes } of faces) await isLikeReference(t, bytes, path);
  t.ok(
    faces.some(({ bytes }) => isOverlapStored(bytes)),
    'a face has overlapping contours',
  );
});

/** Leaves out the side bearings of which `flags` says so, as the transform of hmtx does. */
function transformMetrics(tables: readonly StoredTable[], flags: number): StoredTable[] {
  const advances = Buffer.from(tables.find(({ tag }) => tag === 'hhea')!.data).readUInt16BE(34);
  return tables.map((table) => {
    if (table.tag !== 'hmtx') return table;
    const metrics = Buffer.from(table.data);
    const pairs = Array.from({ length: advances }, (_, i) => metrics.subarray(4 * i, 4 * i + 4));
    const parts = [
      Buffer.from([flags]),
      ...pairs.map((pair) => pair.subarray(0, 2)),
      ...(flags & 1 ? [] : pairs.map((pair) => pair.subarray(2))),
      ...(flags & 2 ? [] : [metrics.subarray(4 * advances)]),
    ];
    return { ...table, isTransformed: true, data: Buffer.concat(parts) };
  });
}

t.test('takes left-out side bearings from the glyphs', async (t) => {
  for (const path of ['pacifico/pacifico-400.woff2', 'jetbrains-mono/jetbrains-mono-400.woff2']) {
    const tables = storedTables(read(path));
    const before = sfntTables(await decodeWoff2(read(path))).get('hmtx')!.data;
    for (const flags of [1, 2, 3]) {
      const sfnt = await isLikeReference(t, packWoff2(transformMetrics(tables, flags)), `${path} with flags ${flags}`);
      t.equal(sfntTables(sfnt).get('hmtx')!.data.length, before.length);
    }
    for (const flags of [0, 4]) {
      await t.rejects(decodeWoff2(packWoff2(transformMetrics(tables, flags))), /hmtx table has an unknown transform/);
    }
  }
});

t.test('unpacks tables without transforms', async (t) => {
  const plain = [...sfntTables(await decodeWoff2(pacifico))].map(([tag, { data }]) => ({
    tag,
    isTransformed: false,
    length: data.length,
    data,
  }));
  await isLikeReference(t, packWoff2(plain), 'null transforms');
});

t.test('unpacks the first font of a collection, whose fonts share tables', async (t) => {
  const other = storedTables(read('lobster/lobster-400.woff2'));
  const own = storedTables(pacifico);
  const shared = own.findIndex(({ tag }) => tag === 'OS/2');
  const first = own.map((_, i) => i);
  const second = other.map(({ tag }, i) => (tag === 'OS/2' ? shared : own.length + i));
  const collection = packWoff2([...own, ...other], [first, second]);
  const reference = await decodeByReference(collection);
  const start = Buffer.from(reference).readUInt32BE(12);
  t.same(differences(await decodeWoff2(collection), sfntTables(reference, start)), []);
  const swapped = packWoff2([...own, ...other], [second, first]);
  const numGlyphs = (sfnt: Uint8Array) => sfntTables(sfnt).get('maxp')!.data.readUInt16BE(4);
  t.not(numGlyphs(await decodeWoff2(swapped)), numGlyphs(await decodeWoff2(collection)));
  await t.rejects(decodeWoff2(packWoff2(own, [[0, 0]])), /names a table twice/);
  await t.rejects(decodeWoff2(packWoff2(own, [[]])), /no tables/);
});

t.test('decompresses by the module where the host has no zlib', async (t) => {
  const { zlib, ...others } = host();
  t.teardown(() => setHost({ ...others, ...(zlib && { zlib }) } as Host));
  t.ok(zlib, 'Node has zlib');
  const expected = await decodeWoff2(pacifico);
  setHost(others);
  t.equal(Buffer.compare(await decodeWoff2(pacifico), expected), 0);
  const { compressed } = readDirectory(pacifico);
  const at = compressed.byteOffset - pacifico.byteOffset;
  for (const place of [10, 1000, compressed.length >> 1, compressed.length - 10]) {
    const damaged = Uint8Array.from(pacifico);
    damaged.fill(0xff, at + place, at + place + 8);
    const error = await decodeWoff2(damaged).catch((reason: unknown) => reason);
    if (!(error instanceof Uint8Array))
      t.match((error as Error).message, /^its |^a glyph|^past /, `damage at ${place}`);
  }
  t.equal(Buffer.compare(await decodeWoff2(pacifico), expected), 0, 'and works after a failure');
});

t.test('rejects data that is shorter or longer than the directory claims', async (t) => {
  const tables = storedTables(pacifico);
  const last = tables.length - 1;
  const claim = (difference: number) =>
    packWoff2(tables.map((table, i) => (i === last ? { ...table, length: table.length + difference } : table)));
  for (const difference of [-1, 1]) {
    await t.rejects(decodeWoff2(claim(difference)), /malformed or has another length/, `by ${difference}`);
  }
});

/** Deterministic numbers below 2^32. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 8;
  };
}

t.test('damaged tables make a font like the reference decoder, or an error', async (t) => {
  const random = createRandom(1);
  const tables = transformMetrics(storedTables(read('bebas-neue/bebas-neue-400.woff2')), 1);
  let fonts = 0;
  let errors = 0;
  for (let round = 0; round < 150; round++) {
    const damaged = tables.map((table) => {
      if (table.tag !== 'glyf' && table.tag !== 'hmtx') return table;
      const data = Uint8Array.from(table.data);
      const end = round % 3 === 0 ? 36 : data.length;
      for (let i = 0; i < 2; i++) data[random() % end] ^= 1 << (random() & 7);
      return { ...table, data };
    });
    const file = packWoff2(damaged);
    const sfnt = await decodeWoff2(file).catch((error: unknown) => error);
    const reference = await decodeByReference(file).catch(() => undefined);
    if (sfnt instanceof Uint8Array) {
      fonts++;
      if (reference) t.same(differences(sfnt, sfntTables(reference)), [], `round ${round}`);
    } else {
      errors++;
      t.ok(sfnt instanceof Error, String(sfnt));
      if (reference) t.comment(`round ${round}: ${sfnt}, but the reference decoder accepts it`);
    }
  }
  t.ok(fonts > 10, `${fonts} fonts`);
  t.ok(errors > 10, `${errors} errors`);
});
