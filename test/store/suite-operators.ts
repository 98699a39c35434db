// The behaviour of operators, sessions and the audit log that all store implementations have.
import { createHash, randomBytes } from 'node:crypto';
import type { Test } from 'tap';
import type { Actor, AuditStore, OperatorStore, StoredSecret } from '../../lib/store/operator-store.js';
import type { Store } from '../../lib/store/types.js';
import { addWorkspace } from './suite.js';
import { readPages, rejectAll } from './suite-templates.js';

export interface OperatorSuiteSetup {
  /** Opens an empty store and closes it when the test ends. */
  readonly open: (t: Test) => Promise<Store & OperatorStore & AuditStore>;
}

const HOUR = 3_600_000;

/** A secret that is valid for `ms` milliseconds. */
const secret = (ms = HOUR): StoredSecret => ({
  hash: createHash('sha256').update(randomBytes(32)).digest('hex'),
  expiresAt: new Date(Date.now() + ms).toISOString(),
});

const owner = (name = 'ada') => ({ name, role: 'owner', workspaces: null }) as const;

/** An operator that has set a password, and a session of it. */
async function signedIn(store: OperatorStore, name = 'ada') {
  const { id } = await store.createOperator(owner(name));
  const token = secret();
  await store.createSignInToken(id, token);
  await store.setPassword(token.hash, `hash of ${name}`);
  const session = secret();
  await store.createSession(id, session);
  return { id, session };
}

export function operatorSuite(t: Test, { open }: OperatorSuiteSetup): void {
  t.test('creates operators, finds them by name and lists them newest first', async (t) => {
    const store = await open(t);
    t.equal(await store.hasOperators(), false);
    t.strictSame(await store.listOperators(), []);
    const ada = await store.createOperator(owner());
    t.equal(await store.hasOperators(), true);
    t.match(ada, { name: 'ada', role: 'owner', workspaces: null, hasPassword: false });
    t.strictSame(Object.keys(ada).sort(), ['createdAt', 'hasPassword', 'id', 'name', 'role', 'workspaces']);
    t.equal(new Date(ada.createdAt).toISOString(), ada.createdAt);
    const { id } = await addWorkspace(store);
    const bob = await store.createOperator({ name: 'bob', role: 'viewer', workspaces: [id] });
    const upper = await store.createOperator({ name: 'Ada', role: 'editor', workspaces: null });
    t.strictSame(await store.listOperators(), [upper, bob, ada]);
    t.strictSame(await store.findOperator('bob'), { operator: bob, passwordHash: undefined });
    for (const odd of ['', 'ADA', '__proto__', ada.id]) t.equal(await store.findOperator(odd), undefined, odd);
  });

  t.test('rejects a name that is taken, also at the same moment, and unknown workspaces', async (t) => {
    const store = await open(t);
    const attempts = Array.from({ length: 5 }, () => store.createOperator(owner()));
    const outcomes = await Promise.allSettled(attempts);
    t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'fulfilled') continue;
      t.match(outcome.reason, { name: 'StoreError', code: 'duplicate_name', message: /^[^\n]*"ada"[^\n]*$/ });
    }
    t.equal((await store.listOperators()).length, 1);
    const unknown = { name: 'eve', role: 'editor', workspaces: ['ws_none'] } as const;
    await t.rejects(store.createOperator(unknown), { name: 'StoreError', code: 'not_found' });
    t.equal(await store.findOperator('eve'), undefined);
  });

  t.test('a sign-in link sets the password once, and the latest one only', async (t) => {
    const store = await open(t);
    const ada = await store.createOperator(owner());
    const [early, expired, latest] = [secret(), secret(-1), secret()];
    await store.createSignInToken(ada.id, early);
    t.strictSame(await store.findSignInToken(early.hash), ada);
    await store.createSignInToken(ada.id, expired);
    for (const { hash } of [early, expired, secret()]) {
      t.equal(await store.findSignInToken(hash), undefined);
      t.equal(await store.setPassword(hash, 'stolen'), undefined);
    }
    t.strictSame(await store.findOperator('ada'), { operator: ada, passwordHash: undefined });
    await store.createSignInToken(ada.id, latest);
    const outcomes = await Promise.all(['one', 'two', 'three'].map((hash) => store.setPassword(latest.hash, hash)));
    const changed = { ...ada, hasPassword: true };
    t.strictSame(
      outcomes.filter((each) => each !== undefined),
      [changed],
    );
    const found = await store.findOperator('ada');
    t.strictSame(found?.operator, changed);
    t.match(found?.passwordHash, /^(one|two|three)$/);
    t.equal(await store.findSignInToken(latest.hash), undefined);
    await rejectAll(t, { code: 'not_found' }, [
      store.createSignInToken('op_none', secret()),
      store.createSession('op_none', secret()),
      store.removeOperator('op_none'),
    ]);
  });

  t.test('a session ends by signing out, by its date and by disuse', async (t) => {
    const store = await open(t);
    const { id, session } = await signedIn(store);
    t.match(await store.useSession(session.hash, HOUR), { id, name: 'ada', hasPassword: true });
    t.equal(await store.useSession(secret().hash, HOUR), undefined);
    t.equal(await store.useSession(session.hash, 0), undefined, 'not used in the last 0 ms');
    const [expired, other] = [secret(-1), secret()];
    await store.createSession(id, expired);
    await store.createSession(id, other);
    t.equal(await store.useSession(expired.hash, HOUR), undefined);
    await store.endSession(session.hash);
    await store.endSession(session.hash);
    await store.endSession(secret().hash);
    t.equal(await store.useSession(session.hash, HOUR), undefined);
    t.match(await store.useSession(other.hash, HOUR), { id }, 'other sessions stay');
  });

  t.test('a new password ends all sessions of its operator', async (t) => {
    const store = await open(t);
    const ada = await signedIn(store);
    const bob = await signedIn(store, 'bob');
    const token = secret();
    await store.createSignInToken(ada.id, token);
    t.match(await store.useSession(ada.session.hash, HOUR), { id: ada.id }, 'a link alone ends none');
    await store.setPassword(token.hash, 'new');
    t.equal(await store.useSession(ada.session.hash, HOUR), undefined);
    t.match(await store.useSession(bob.session.hash, HOUR), { id: bob.id });
  });

  t.test('a password that was replaced meanwhile starts no session', async (t) => {
    const store = await open(t);
    const { id } = await signedIn(store);
    const [session, late] = [secret(), secret()];
    await store.createSession(id, session, 'hash of ada');
    t.match(await store.useSession(session.hash, HOUR), { id });
    const token = secret();
    await store.createSignInToken(id, token);
    await store.setPassword(token.hash, 'new');
    await t.rejects(store.createSession(id, late, 'hash of ada'), { name: 'StoreError', code: 'not_found' });
    t.equal(await store.useSession(late.hash, HOUR), undefined);
    await t.resolves(store.createSession(id, late, 'new'));
  });

  t.test('removes an operator with its sessions and links, but never the last owner', async (t) => {
    const store = await open(t);
    const ada = await signedIn(store);
    const editor = await store.createOperator({ name: 'ed', role: 'editor', workspaces: null });
    await t.rejects(store.removeOperator(ada.id), { name: 'StoreError', code: 'last_owner' });
    t.match(await store.removeOperator(editor.id), { name: 'ed' });
    const bob = await signedIn(store, 'bob');
    const token = secret();
    await store.createSignInToken(ada.id, token);
    const removals = await Promise.allSettled([store.removeOperator(ada.id), store.removeOperator(bob.id)]);
    t.strictSame(removals.map(({ status }) => status).sort(), ['fulfilled', 'rejected'], 'one owner stays');
    const [left] = await store.listOperators();
    for (const { id, session } of [ada, bob]) {
      const used = await store.useSession(session.hash, HOUR);
      t.equal(used?.id, id === left.id ? id : undefined);
    }
    const found = await store.findSignInToken(token.hash);
    t.equal(found?.id, left.id === ada.id ? ada.id : undefined);
    t.ok(await store.createOperator(owner(left.name === 'ada' ? 'bob' : 'ada')), 'the name is free again');
  });

  t.test('keeps the sessions of an operator bounded', async (t) => {
    const store = await open(t);
    const { id, session } = await signedIn(store);
    const sessions = Array.from({ length: 60 }, () => secret());
    for (const each of sessions) await store.createSession(id, each);
    t.equal(await store.useSession(session.hash, HOUR), undefined, 'the oldest is over');
    t.match(await store.useSession(sessions[59].hash, HOUR), { id });
    const used = await Promise.all(sessions.map(({ hash }) => store.useSession(hash, HOUR)));
    t.equal(used.filter((each) => each !== undefined).length, 50);
  });

  t.test('appends audit entries and lists them newest first, filtered, in pages', async (t) => {
    const store = await open(t);
    const actors: readonly Actor[] = [
      { kind: 'operator', name: 'ada "ü"\n' },
      { kind: 'key', name: 'key_1' },
      { kind: 'command' },
    ];
    t.strictSame((await store.listAudit({}, { limit: 5 })).items, []);
    for (let n = 0; n < 9; n++) {
      await store.appendAudit({
        actor: actors[n % 3],
        action: n % 2 ? 'key.create' : 'key.revoke',
        ...(n > 2 && { workspaceId: n % 2 ? 'ws_a' : 'ws_b' }),
        ...(n > 3 && { subject: `key_${n}`, details: { name: 'k\u2028"', amount: 1.5, isNew: true, none: null } }),
      });
    }
    const all = (await store.listAudit({}, { limit: 20 })).items;
    t.equal(all.length, 9);
    t.equal(new Set(all.map(({ id }) => id)).size, 9);
    for (const { time } of all) t.equal(new Date(time).toISOString(), time);
    const { id: _id, time: _time, ...newest } = all[0];
    t.strictSame(newest, {
      ...{ actor: { kind: 'command' }, action: 'key.revoke', workspaceId: 'ws_b', subject: 'key_8' },
      details: { name: 'k\u2028"', amount: 1.5, isNew: true, none: null },
    });
    t.strictSame(Object.keys(all[8]).sort(), ['action', 'actor', 'id', 'time']);
    t.strictSame(all[8].actor, actors[0]);
    t.strictSame(
      (await store.listAudit({ action: 'key.create' }, { limit: 20 })).items,
      [1, 3, 5, 7].map((n) => all[n]),
    );
    t.strictSame(
      (await store.listAudit({ workspaceIds: ['ws_a'] }, { limit: 20 })).items,
      [1, 3, 5].map((n) => all[n]),
    );
    t.strictSame((await store.listAudit({ workspaceIds: ['ws_a', 'ws_b'] }, { limit: 20 })).items, all.slice(0, 6));
    t.strictSame((await store.listAudit({ workspaceIds: [] }, { limit: 20 })).items, []);
    t.strictSame(
      (await store.listAudit({ action: 'key.create\0' }, { limit: 20 })).items,
      [],
      'a character that no text has',
    );
    t.strictSame((await store.listAudit({ workspaceIds: ['ws_b'], action: 'key.create' }, { limit: 20 })).items, []);
    const seen = await readPages(
      (page) => store.listAudit({}, page),
      4,
      () => store.appendAudit({ actor: { kind: 'command' }, action: 'late' }),
    );
    t.strictSame(seen, all);
    await t.rejects(store.listAudit({}, { limit: 1, cursor: 'x' }), { code: 'invalid_cursor' });
  });

  t.test('rejects these operations after close', async (t) => {
    const store = await open(t);
    const { id } = await store.createOperator(owner());
    await store.close();
    await rejectAll(t, { name: 'ServiceError', code: 'storage_unavailable' }, [
      store.hasOperators(),
      store.createOperator(owner('x')),
      store.findOperator('ada'),
      store.createSession(id, secret()),
      store.useSession(secret().hash, HOUR),
      store.appendAudit({ actor: { kind: 'command' }, action: 'late' }),
    ]);
  });
}
