// Signed image links through a real socket, on the embedded store or (TEST_STORE=postgres) a database: real images, proxies'
// conditional requests, parallel requests, two servers on one store.
import t from 'tap';
import { createLinkKeyPair, signImageUrl } from '../../lib/links/sign.js';
import { saveTemplate } from './stores.js';
import { startWhole } from './whole.js';

const RECORD = {
  ...{ name: 'Card', width: 40, height: 20, background: { color: '#ffffff' } },
  hotspots: [{ key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 40, height: 20, text: 'A' }],
};

t.test('a link is an image for everyone, charged once, revalidated for free', async (t) => {
  const whole = await startWhole(t, { LINK_RATE_LIMIT_PER_MIN: '3' });
  const { workspaceId, key } = await whole.caller({ credits: 5 });
  const templateId = await saveTemplate(whole.store, workspaceId, RECORD);
  const { privateKey, publicKey } = await createLinkKeyPair();
  const { id: keyId } = await whole.store.createLinkKey({ workspaceId, name: 'l', publicKey });
  const linkTo = (file: string, query: string) =>
    signImageUrl(`${whole.url}/v1/images/${file}?${query}&keyId=${keyId}`, privateKey);
  const balance = async () => (await whole.store.balance(workspaceId)).balance;

  const link = await linkTo(`${templateId}.png`, 'v.title=B%20%E2%9C%93');
  const all = await Promise.all(Array.from({ length: 8 }, () => fetch(link)));
  const bodies = await Promise.all(all.map(async (response) => Buffer.from(await response.arrayBuffer())));
  t.ok(all.every(({ status }) => status === 200));
  t.ok(bodies.every((body) => body.equals(bodies[0])));
  t.equal(bodies[0].subarray(1, 4).toString(), 'PNG');
  t.equal(await balance(), 4, 'parallel requests are charged once');
  const [{ headers }] = all;
  t.equal(headers.get('cache-control'), 'public, max-age=86400');
  t.equal(headers.get('content-length'), String(bodies[0].length));
  const tag = headers.get('etag')!;

  const head = await fetch(link, { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(head.headers.get('etag'), tag);
  t.equal(head.headers.get('content-length'), String(bodies[0].length));
  t.equal((await head.arrayBuffer()).byteLength, 0);
  const same = await fetch(link, { headers: { 'If-None-Match': tag } });
  t.equal(same.status, 304);
  t.equal(same.headers.get('cache-control'), 'public, max-age=86400');
  t.equal((await fetch(link.replace('B%20', 'B+'))).status, 403, 'the spelling is signed too');
  t.equal(await balance(), 4);

  const uncharged = await linkTo(`${templateId}.png`, 'v.title=head');
  const unpaid = (await fetch(uncharged, { method: 'HEAD' })).headers.get('etag')!;
  t.equal((await fetch(uncharged, { headers: { 'If-None-Match': unpaid } })).status, 304);
  t.equal(await balance(), 4, 'answers without the picture are never charged');
  const jpeg = await fetch(await linkTo(`${templateId}.jpg`, 'quality=50'));
  t.equal(jpeg.headers.get('content-type'), 'image/jpeg');
  t.equal(await balance(), 3);
  const limited = await fetch(await linkTo(`${templateId}.webp`, 'v.title=x'));
  t.equal(limited.status, 429);
  t.equal(limited.headers.get('cache-control'), 'no-store');
  t.match(limited.headers.get('retry-after'), /^\d+$/);
  t.equal((await fetch(link)).status, 200, 'what is cached is not counted');

  const fallback = `fallback=${encodeURIComponent('https://example.com/a.png')}`;
  const redirect = await fetch(await linkTo(`${templateId}.webp`, `v.title=x&${fallback}`), { redirect: 'manual' });
  t.equal(redirect.status, 302);
  t.equal(redirect.headers.get('location'), 'https://example.com/a.png');
  t.equal(redirect.headers.get('cache-control'), 'no-store');
  const forged = await fetch(`${whole.url}/v1/images/${templateId}.png?${fallback}&keyId=${keyId}`, {
    redirect: 'manual',
  });
  t.equal(forged.status, 403);
  t.match(await forged.json(), { success: false, code: 'invalid_signature' });

  const listed = await fetch(`${whole.url}/v1/workspace`, { headers: { Authorization: `Bearer ${key}` } });
  t.match(await listed.json(), { balance: 3 });
  await whole.store.revokeLinkKey(keyId);
  t.equal((await fetch(link)).status, 403, 'revoked from the next request on');
});

t.test('a charge outlives the server', async (t) => {
  const first = await startWhole(t, {});
  const { workspaceId } = await first.caller({ credits: 2 });
  const templateId = await saveTemplate(first.store, workspaceId, RECORD);
  const { privateKey, publicKey } = await createLinkKeyPair();
  const { id: keyId } = await first.store.createLinkKey({ workspaceId, name: 'l', publicKey });
  const target = await signImageUrl(`/v1/images/${templateId}.png?keyId=${keyId}`, privateKey);
  const one = await fetch(first.url + target);
  t.equal(one.status, 200);
  await first.stop();
  const second = await startWhole(t, {}, undefined, first.store);
  const two = await fetch(second.url + target);
  t.equal(two.status, 200);
  t.equal(two.headers.get('etag'), one.headers.get('etag'));
  t.equal((await first.store.balance(workspaceId)).balance, 1);
});
