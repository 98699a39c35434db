// Decoding of data: URLs: spellings, errors, and the fast base64 path against the standard's.
import fc from 'fast-check';
import t from 'tap';
import { decodeDataUrl, forgivingBase64Decode } from '../../lib/assets/data-url.js';

const decode = (url: string, maxBytes = 1000) => Buffer.from(decodeDataUrl(url, maxBytes)).toString('latin1');

t.test('decodes every spelling', async (t) => {
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
  for (const [url, bytes] of table) t.equal(decode(url), bytes, url);
});

t.test('rejects malformed, empty and oversized URLs', async (t) => {
  t.throws(() => decode('data:image/png'), { code: 'render_failed', message: /comma/ });
  t.throws(() => decode('data:,'), { code: 'render_failed', message: /empty/ });
  t.throws(() => decode('data:image/png;base64,'), { code: 'render_failed', message: /empty/ });
  t.throws(() => decode('data:;base64,a'), { code: 'render_failed', message: /base64/ });
  t.throws(() => decode('data:;base64,a!b='), { code: 'render_failed', message: /base64/ });
  t.throws(() => decode('data:;base64,ab=c'), { code: 'render_failed', message: /base64/ });
  t.throws(() => decode(`data:,${'x'.repeat(1001)}`), { code: 'render_failed', message: /more than 1000 bytes/ });
  t.throws(() => decode(`data:;base64,${'A'.repeat(9000)}`), { message: /more than 1000 bytes/ });
});

t.test('returns the bytes that were encoded', async (t) => {
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

t.test('decodes valid and invalid base64 as the standard algorithm does', async (t) => {
  const resultOf = (run: () => Uint8Array) => {
    try {
      return Buffer.from(run()).toString('hex') || 'empty';
    } catch (error) {
      // decodeDataUrl rejects empty data
      return /empty/.test((error as Error).message) ? 'empty' : 'rejected';
    }
  };
  const seen = new Map<string, number>();
  const compare = (body: string) => {
    const expected = resultOf(() => forgivingBase64Decode(body));
    t.equal(
      resultOf(() => decodeDataUrl(`data:;base64,${body}`, 1000)),
      expected,
      JSON.stringify(body),
    );
    const kind = expected === 'rejected' || expected === 'empty' ? expected : 'bytes';
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
  const nearlyValid = fc
    .tuple(fc.base64String({ maxLength: 60 }), fc.nat(60), piece, fc.boolean())
    .map(([text, at, extra, isValid]) => (isValid ? text : text.slice(0, at) + extra + text.slice(at)));
  fc.assert(fc.property(fc.oneof(noisy, nearlyValid), compare), { numRuns: 600 });
  for (const kind of ['bytes', 'empty', 'rejected']) t.ok((seen.get(kind) ?? 0) > 0, kind);
});
