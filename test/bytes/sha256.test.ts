// Compares the portable SHA-256 with Node's, around the bounds of its blocks.
import { createHash } from 'node:crypto';
import t from 'tap';
import { sha256 } from '../../lib/bytes/sha256.js';

t.test('digests as Node does', (t) => {
  const bytes = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 31 + (i >> 8)) & 255);
  for (const length of [...Array(200).keys(), 1000, 100_000]) {
    const part = bytes.subarray(0, length);
    t.equal(sha256(part), createHash('sha256').update(part).digest('hex'), `${length} bytes`);
  }
  t.end();
});
