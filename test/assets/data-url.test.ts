// Every spelling of a data: URL → the bytes meant.
import fc from 'fast-check';
import t from 'tap';
import { decodeDataUrl, forgivingBase64Decode } from '../../lib/assets/data-url.js';

const read = (url: string, maxBytes = 1000) => Buffer.from(decodeDataUrl(url, maxBytes)).toString('latin1');

t.test('spellings', async (t) => {
  const table: [url: string, bytes: string][] = [
    ['data:,hello', 'hello'],
    ['data:text/plain,hello%20world', 'hello world'],
    ['data:,a%2Cb,c', 'a,b,c'],
    ['data:,100%', '100%'],
    ['data:,%zz%4', '%zz%4'],
    ['data:,%C3%A9é', 'Ã©Ã©'],
    ['data:,a\n\tb', 'ab'],
    ['data:,a b', 'a b'],
    [
      'data:image/svg+xml;utf8,<svg xmlns="http://www.w3.org/2000/svg" fill="%23f00"/>#gone',
      '<svg xmlns="http://www.w3.org/2000/svg" fill="#f00"/>',
    ],
    ['data:;base64,aGVsbG8=', 'hello'],
    ['data:image/png;base64,aGVsbG8', 'hello'],
    ['DATA:image/png;charset=x;BASE64,aGVsbG8=', 'hello'],
    ['data:image/png; base64 ,aGVsbG8=', 'hello'],
    ['data:;base64,aGVs\nbG8 =', 'hello'],
    ['data:;base64,aGVsbG8%3D', 'hello'],
    ['data:;base64,aGVs%0AbG8%3d', 'hello'],
    ['data:;base64,%61GVsbG8=', 'hello'],
    ['data:;base64,-_-_', '\xfb\xff\xbf'],
    ['data:;base64,+/+/', '\xfb\xff\xbf'],
    ['data:base64,aGVsbG8=', 'aGVsbG8='],
  ];
  for (const [url, bytes] of table) t.equal(read(url), bytes, url);
});

t.test('failures', async (t) => {
  t.throws(() => read('data:image/png'), { code: 'render_failed', message: /comma/ });
  t.throws(() => read('data:,'), { code: 'render_failed', message: /empty/ });
  t.throws(() => read('data:image/png;base64,'), { code: 'render_failed', message: /empty/ });
  t.throws(() => read('data:;base64,a'), { code: 'render_failed', message: /base64/ });
  t.throws(() => read('data:;base64,a!b='), { code: 'render_failed', message: /base64/ });
  t.throws(() => read('data:;base64,ab=c'), { code: 'render_failed', message: /base64/ });
  t.throws(() => read(`data:,${'x'.repeat(1001)}`), { code: 'render_failed', message: /more than 1000 bytes/ });
  t.throws(() => read(`data:;base64,${'A'.repeat(9000)}`), { message: /more than 1000 bytes/ });
});

t.test('whatever is written comes back', async (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
      const buffer = Buffer.from(bytes);
      t.same(decodeDataUrl(`data:image/png;base64,${buffer.toString('base64')}`, 400), bytes);
      const escaped = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      t.same(decodeDataUrl(`data:,${escaped}`, 400), bytes);
    }),
    { numRuns: 50 },
  );
  const large = Buffer.alloc(20_000_000, 0xa5);
  t.equal(decodeDataUrl(`data:image/png;base64,${large.toString('base64')}`, 20_000_000).length, large.length);
});

t.test('base64 that is clean, and base64 that is not, come out as by the longer way', async (t) => {
  const resultOf = (decode: () => Uint8Array) => {
    try {
      return Buffer.from(decode()).toString('hex') || 'nothing';
    } catch (error) {
      // nothing at all is refused by the URL's reader
      return /empty/.test((error as Error).message) ? 'nothing' : 'refused';
    }
  };
  const seen = new Map<string, number>();
  const both = (body: string) => {
    const twin = resultOf(() => forgivingBase64Decode(body));
    t.equal(
      resultOf(() => decodeDataUrl(`data:;base64,${body}`, 1000)),
      twin,
      JSON.stringify(body),
    );
    const kind = twin === 'refused' || twin === 'nothing' ? twin : 'bytes';
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  };
  const piece = fc.constantFrom(
    'A',
    'b',
    '9',
    '+',
    '/',
    '-',
    '_',
    '=',
    '==',
    ' ',
    '\n',
    '!',
    'é',
    '\u0141',
    '😀',
    '%41',
    '%3D',
  );
  const noisy = fc.array(piece, { maxLength: 9 }).map((pieces) => pieces.join(''));
  const nearlyClean = fc
    .tuple(fc.base64String({ maxLength: 60 }), fc.nat(60), piece, fc.boolean())
    .map(([text, at, extra, clean]) => (clean ? text : text.slice(0, at) + extra + text.slice(at)));
  fc.assert(fc.property(fc.oneof(noisy, nearlyClean), both), { numRuns: 600 });
  for (const kind of ['bytes', 'nothing', 'refused']) t.ok((seen.get(kind) ?? 0) > 0, kind);
});
