// Compares the portable base64 decoder with the host's.
import t from 'tap';
import { decodeBase64, decodeBase64Loosely, portableDecodeBase64 } from '../../lib/bytes/base64.js';
import { concatBytes, includesText, latin1Bytes, latin1Text } from '../../lib/bytes/bytes.js';
import { type Host, host, setHost } from '../../lib/host.js';
import { randomBelow } from '../codecs/pictures.js';

const random = randomBelow(3);
const noise = (length: number) => Uint8Array.from({ length }, () => random(256));

t.test('decodes both alphabets, with and without padding', (t) => {
  for (let length = 0; length < 40; length++) {
    const bytes = noise(length);
    const text = Buffer.from(bytes).toString('base64');
    t.same(decodeBase64(text), bytes);
    t.same(portableDecodeBase64(text.replace(/=+$/, '')), bytes);
    t.same(portableDecodeBase64(Buffer.from(bytes).toString('base64url')), bytes);
  }
  t.end();
});

t.test('accepts and rejects the same without the host’s decoder', (t) => {
  const nodes = host();
  t.teardown(() => setHost(nodes));
  const { native: _, ...others } = nodes;
  const texts = [
    'A',
    'AA=A',
    '====',
    'AB==',
    'A===',
    'AAAA=',
    'AA AA',
    'AAÁA',
    'AA\u0141A',
    'QUJD\n',
    'QUJ-_w',
    '£'.repeat(4),
  ];
  for (let round = 0; round < 500; round++) {
    const text = [...Buffer.from(noise(random(30))).toString('base64')];
    if (random(2)) text[random(text.length + 1)] = String.fromCharCode(random(300));
    texts.push(text.join(''));
  }
  for (const text of texts) {
    setHost(nodes);
    const expected = decodeBase64(text);
    setHost(others satisfies Host);
    t.same(decodeBase64(text), expected, JSON.stringify(text));
    t.same(decodeBase64Loosely(text), new Uint8Array(Buffer.from(text.replace(/[^\0-\x7f]/g, ''), 'base64')));
  }
  t.end();
});

t.test('texts of one byte per character, and searches in them', (t) => {
  const bytes = noise(20_000);
  t.same(latin1Bytes(latin1Text(bytes)), bytes);
  t.same(concatBytes([bytes.subarray(0, 5), new Uint8Array(), bytes.subarray(5)]), bytes);
  t.ok(includesText(latin1Bytes('<svg><t<text>'), '<text'));
  t.notOk(includesText(latin1Bytes('<svg><t<tex'), '<text'));
  t.end();
});
