// Passwords are hashed with certain parameters, one at a time, and with the same work whether or not there is an account.
import { scryptSync } from 'node:crypto';
import t from 'tap';
import { createPasswords } from '../../../lib/dashboard/sign-in/passwords.js';

/** Counts what it is asked for, and hashes without cost. */
function cheapHash() {
  const calls: string[] = [];
  let running = 0;
  let most = 0;
  const derive = async (password: string, salt: Buffer) => {
    calls.push(password);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return Buffer.from(`${salt.toString('hex')}${password}`.padEnd(32, '.'));
  };
  return { derive, calls, most: () => most };
}

t.test('stores scrypt with N = 2^15, r = 8, p = 3 and a salt of its own', async (t) => {
  const passwords = createPasswords();
  const stored = await passwords.hash('correct horse battery');
  const [scheme, salt, hash] = stored.split('$');
  t.equal(scheme, 'scrypt-15-8-3');
  const options = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
  const expected = scryptSync('correct horse battery', Buffer.from(salt, 'base64url'), 32, options);
  t.equal(hash, expected.toString('base64url'));
  t.equal(await passwords.verify('correct horse battery', stored), true);
  t.equal(await passwords.verify('correct horse batterY', stored), false);
  t.not(await passwords.hash('correct horse battery'), stored);
});

// fault: 101
t.test('a name that nobody has takes the same work', async (t) => {
  const { derive, calls } = cheapHash();
  const passwords = createPasswords(derive);
  const stored = await passwords.hash('right');
  for (const known of [stored, undefined, '', 'scrypt-1-1-1$AA$AA', 'nonsense']) {
    calls.length = 0;
    t.equal(await passwords.verify('wrong', known), false);
    t.same(calls, ['wrong'], `one hash, stored: ${known}`);
  }
  t.equal(await passwords.verify('right', stored), true);
  t.equal(await passwords.verify('', ''), false, 'nothing is no password');
  t.equal(await passwords.verify('right', stored.slice(0, -1)), false);
});

t.test('one way of typing a character is as good as another', async (t) => {
  const passwords = createPasswords(cheapHash().derive);
  const stored = await passwords.hash('cafe\u0301 ﬁve');
  t.equal(await passwords.verify('caf\u00e9 five', stored), true);
});

t.test('hashes are made one at a time, and few wait', async (t) => {
  const { derive, calls, most } = cheapHash();
  const passwords = createPasswords(derive);
  const settled = await Promise.allSettled(Array.from({ length: 30 }, () => passwords.hash('x')));
  t.equal(most(), 1);
  const refused = settled.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
  t.equal(calls.length + refused.length, 30);
  t.ok(calls.length < 10, `${calls.length} waited`);
  for (const { code, retryAfter } of refused) t.same([code, retryAfter], ['busy', 1]);
  t.match(await passwords.hash('x'), /^scrypt/, 'later ones are let in again');
});

t.test('a hash that fails does not block the next', async (t) => {
  let isBroken = true;
  const passwords = createPasswords(async () => {
    if (isBroken) throw new Error('no memory');
    return Buffer.alloc(32);
  });
  await t.rejects(passwords.hash('x'), { message: 'no memory' });
  isBroken = false;
  t.match(await passwords.hash('x'), /^scrypt/);
});
