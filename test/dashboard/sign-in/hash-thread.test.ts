// Keys from passwords, derived in a thread that yields to all others.
import { scryptSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import t from 'tap';
import { deriveInThread } from '../../../lib/dashboard/sign-in/hash-thread.js';

const parameters = { N: 16, r: 8, p: 3, maxmem: 2 ** 20 };
const salt = Buffer.from('salt');

t.test('derives what scrypt derives, again and again', async (t) => {
  for (const password of ['pass', 'Пароль “ü”\0', '', '🎉'.repeat(300)]) {
    const key = await deriveInThread(password, salt, 32, parameters);
    t.ok(key.equals(scryptSync(password, salt, 32, parameters)));
  }
});

t.test('a failure is the failure of one password', async (t) => {
  await t.rejects(deriveInThread('pass', salt, 32, { N: 15 }), { code: /^ERR_CRYPTO/ });
  t.equal((await deriveInThread('pass', salt, 32, parameters)).length, 32);
});

t.test('the thread has the lowest priority', { skip: process.platform !== 'linux' && 'Linux only' }, async (t) => {
  const before = getPriority();
  await deriveInThread('pass', salt, 32, parameters);
  const priorities = readdirSync('/proc/self/task').map((id) => {
    // nice is field 19; the name before it, in parentheses, may contain spaces
    const fields = readFileSync(`/proc/self/task/${id}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
    return Number(fields[16]);
  });
  t.ok(priorities.includes(19));
  t.equal(getPriority(), before, 'that of the server stays');
});
