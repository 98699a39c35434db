// The audit log of changes: every operation that changes something has its entry, without secrets.
import t, { type Test } from 'tap';
import { createRawKey, hashKey, keyPrefix } from '../../lib/store/api-keys.js';
import { audited } from '../../lib/store/audited.js';
import { openEmbeddedStore } from '../../lib/store/embedded/store.js';
import { assetOf } from './suite-administration.js';
import { draft } from './suite-templates.js';

const ACTOR = { kind: 'operator', name: 'ada' } as const;
/** Operations that read, that serve requests, or whose caller knows more about them. */
const OTHERS =
  /^(find|list|get|has|read)|^(balance|countRequest|hold|release|settle|claimIdempotencyKey|releaseIdempotencyLease|settledFingerprints)$|^(appendRender|appendAudit|createSession|useSession|endSession|dailyUsage|keyRequests|countCpu|assertWritable|close)$/;

async function open(t: Test) {
  const inner = await openEmbeddedStore(t.testdir({}), { warn: () => undefined });
  t.teardown(() => inner.close());
  return inner;
}

t.test('records each change with its subject and what a reader wants to know', async (t) => {
  const inner = await open(t);
  const store = audited(inner, ACTOR);
  const changed = new Set<string>();
  const check = async (verb: string, entry: object | undefined) => {
    changed.add(verb);
    const { items } = await inner.listAudit({}, { limit: 200 });
    if (entry) count++;
    t.equal(items.length, count, verb);
    if (entry) t.match(items[0], { actor: ACTOR, ...entry }, verb);
  };
  let count = 0;

  const { id: w } = await store.createWorkspace({ name: 'w', plan: 'free', credits: 5 });
  await check('createWorkspace', { action: 'workspace.create', workspaceId: w, details: { name: 'w', credits: 5 } });
  await store.updateWorkspace(w, { plan: 'paid' });
  await check('updateWorkspace', { action: 'workspace.update', workspaceId: w, details: { name: 'w', plan: 'paid' } });
  const raw = createRawKey();
  const fields = { workspaceId: w, name: 'k', hash: hashKey(raw), prefix: keyPrefix(raw) };
  const key = await store.createKey({ ...fields, scopes: ['render:write', 'render:read'] });
  t.equal(key.prefix, raw.slice(0, 17));
  const scopes = 'render:write,render:read';
  await check('createKey', { action: 'key.create', workspaceId: w, subject: key.id, details: { name: 'k', scopes } });
  await store.revokeKey(key.id);
  await check('revokeKey', { action: 'key.revoke', workspaceId: w, subject: key.id, details: { name: 'k' } });
  const publicKey = Buffer.alloc(32, 1).toString('base64url');
  const link = await store.createLinkKey({ workspaceId: w, name: 'l', publicKey });
  await check('createLinkKey', { action: 'link.create', workspaceId: w, subject: link.id, details: { name: 'l' } });
  await store.revokeLinkKey(link.id);
  await check('revokeLinkKey', { action: 'link.revoke', workspaceId: w, subject: link.id, details: { name: 'l' } });
  await store.grant(w, 7);
  await check('grant', { action: 'credits.grant', workspaceId: w, details: { amount: 7, balance: 12 } });
  await store.revokeCredits(w, 2);
  await check('revokeCredits', { action: 'credits.revoke', workspaceId: w, details: { amount: 2, balance: 10 } });

  const { id: subject } = await store.createTemplate(w, draft('t'), { publish: false });
  const details = { name: 't', version: 1, isPublished: false };
  await check('createTemplate', { action: 'template.create', workspaceId: w, subject, details });
  await store.replaceTemplate({ id: subject }, draft('u'), { publish: true });
  const second = { name: 'u', version: 2, isPublished: true };
  await check('replaceTemplate', { action: 'template.update', workspaceId: w, subject, details: second });
  await store.publishTemplate({ id: subject }, 1);
  await check('publishTemplate', { action: 'template.publish', workspaceId: w, subject, details: { version: 1 } });
  await store.restoreTemplate({ id: subject }, 1, { publish: true });
  const third = { name: 't', version: 3, restored: 1, isPublished: true };
  await check('restoreTemplate', { action: 'template.restore', workspaceId: w, subject, details: third });
  await store.deleteTemplate({ id: subject });
  await check('deleteTemplate', { action: 'template.delete', workspaceId: w, subject, details: { name: 't' } });

  await store.replaceBrand(w, { tokens: {} });
  await check('replaceBrand', { action: 'brand.update', workspaceId: w, subject: w, details: { version: 1 } });

  const content = new Uint8Array(9);
  const { asset } = await store.addAsset(assetOf(w, content), content, 1000);
  const described = { workspaceId: w, subject: asset.id, details: { mimeType: 'image/png', bytes: 9 } };
  await check('addAsset', { action: 'asset.add', ...described });
  await store.addAsset(assetOf(w, content), content, 1000);
  await check('addAsset', undefined);
  await store.deleteAsset(w, asset.id, { force: false });
  await check('deleteAsset', { action: 'asset.delete', ...described });

  const owner = await store.createOperator({ name: 'ada', role: 'owner', workspaces: null });
  await check('createOperator', {
    action: 'operator.create',
    subject: owner.id,
    details: { name: 'ada', role: 'owner' },
  });
  const token = { hash: hashKey('token'), expiresAt: new Date(Date.now() + 60_000).toISOString() };
  await store.createSignInToken(owner.id, token);
  await check('createSignInToken', { action: 'operator.link', subject: owner.id, details: { name: 'ada' } });
  await store.setPassword(token.hash, 'hash of a password');
  await check('setPassword', { action: 'operator.password', subject: owner.id, details: { name: 'ada' } });
  await store.setPassword(token.hash, 'hash of a password');
  await check('setPassword', undefined);
  const viewer = await store.createOperator({ name: 'bob', role: 'viewer', workspaces: [w] });
  await check('createOperator', { details: { name: 'bob', role: 'viewer', workspaces: w } });
  await store.removeOperator(viewer.id);
  await check('removeOperator', { action: 'operator.remove', subject: viewer.id, details: { name: 'bob' } });
  await store.deleteWorkspace(w);
  await check('deleteWorkspace', { action: 'workspace.delete', workspaceId: w, details: { name: 'w', credits: 10 } });

  const everything = JSON.stringify((await inner.listAudit({}, { limit: 200 })).items);
  for (const secret of [raw, raw.slice(9), hashKey(raw), token.hash, 'hash of']) t.notOk(everything.includes(secret));
  const missing = Object.keys(inner).filter((verb) => !OTHERS.test(verb) && !changed.has(verb));
  t.strictSame(missing, [], 'no operation that changes something is left out');
});

t.test('records nothing for a change that failed', async (t) => {
  const inner = await open(t);
  const store = audited(inner, ACTOR);
  await t.rejects(store.grant('ws_none', 1), { code: 'not_found' });
  await t.rejects(store.removeOperator('op_none'), { code: 'not_found' });
  t.strictSame((await inner.listAudit({}, { limit: 9 })).items, []);
});

t.test('returns the result of a change whose entry can’t be written, and tells', async (t) => {
  const inner = await open(t);
  const lost: string[] = [];
  const broken = { ...inner, appendAudit: async () => Promise.reject(new Error('disk full')) };
  const store = audited(broken, { kind: 'command' }, (message) => lost.push(message));
  t.match(await store.createWorkspace({ name: 'w', plan: 'free', credits: 0 }), { name: 'w' });
  t.strictSame(lost, ['the audit log lacks workspace.create: disk full']);
});
