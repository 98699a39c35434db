// Signed image links (`GET /v1/images/…`) through the service's core: signatures, charges, caching, errors, limits.
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { RenderError, ServiceError } from '../../../lib/errors.js';
import { createLinkKeyPair, signImageUrl } from '../../../lib/links/sign.js';
import { failureCpuMs } from '../../../lib/service/render/engine.js';
import { loggedRenders, saveTemplate } from '../stores.js';
import { type Ask, createWorld, type World, type WorldOptions } from '../world.js';

const RECORD = {
  ...{ name: 'Card', width: 10, height: 20 },
  hotspots: [{ key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 10, height: 20, text: 'A' }],
};
const JSON_TYPE = 'application/json; charset=utf-8';

interface Setup {
  readonly world: World;
  readonly workspaceId: string;
  readonly templateId: string;
  readonly keyId: string;
  readonly privateKey: string;
  /** Asks for a link with these parameters, signed. */
  get(query?: string, more?: Ask & { readonly file?: string }): ReturnType<World['ask']>;
  balance(): Promise<number>;
}

/** The request of a signed link. */
function requestOf(url: string): { path: string; query: string } {
  const at = url.indexOf('?');
  return { path: url.slice(0, at), query: url.slice(at + 1) };
}

async function addLinkKey(world: World, workspaceId: string) {
  const { privateKey, publicKey } = await createLinkKeyPair();
  const { id: keyId } = await world.store.createLinkKey({ workspaceId, name: 'l', publicKey });
  return { keyId, privateKey };
}

async function setUp(t: Test, { credits = 5, ...options }: WorldOptions & { credits?: number } = {}): Promise<Setup> {
  const world = await createWorld(t, options);
  const { workspaceId } = await world.caller({ credits });
  const templateId = await saveTemplate(world.store, workspaceId, RECORD);
  const { keyId, privateKey } = await addLinkKey(world, workspaceId);
  return {
    ...{ world, workspaceId, templateId, keyId, privateKey },
    async get(query = 'v.title=Hi', { file = `${templateId}.png`, ...more } = {}) {
      const url = await signImageUrl(`/v1/images/${file}?${query}${query && '&'}keyId=${keyId}`, privateKey);
      return await world.ask({ method: 'GET', ...requestOf(url), ...more });
    },
    balance: async () => (await world.store.balance(workspaceId)).balance,
  };
}

t.test('answers the image of a template, and charges it once', async (t) => {
  const { world, get, balance, templateId, keyId, workspaceId } = await setUp(t);
  world.engine.result = { alt: 'A card' };
  const first = await get();
  t.equal(first.status, 200);
  t.equal(first.headers.get('content-type'), 'image/png');
  t.equal(first.headers.get('cache-control'), 'public, max-age=86400');
  t.match(first.headers.get('etag'), /^"[\w-]{43}"$/);
  for (const secret of ['x-service-credits-remaining', 'x-service-renders-remaining', 'x-ratelimit-remaining']) {
    t.notOk(first.headers.has(secret), secret);
  }
  t.match(world.engine.asked[0].request, { templateId, variables: { title: 'Hi' }, format: 'png', quality: 90 });
  t.equal(first.headers.get('x-service-alt'), 'A%20card');
  t.equal(await balance(), 4);
  const second = await get();
  t.equal(second.status, 200);
  t.ok(second.bytes.equals(first.bytes));
  t.equal(await balance(), 4);
  const entry = { templateId, templateVersion: 1, keyId, status: 'ok', format: 'png' };
  const id = first.headers.get('x-service-render-id');
  t.match(await loggedRenders(world.store, workspaceId), [
    { ...entry, creditsCost: 0, replayOf: id },
    { ...entry, id, creditsCost: 1 },
  ]);
  t.match(first.outcome, { route: '/v1/images/{templateId}.{format}', keyId, workspaceId, format: 'png' });
});

t.test('an image is what it shows: order, spelling, expiry and key of a link make no other', async (t) => {
  const { world, get, balance, workspaceId, templateId } = await setUp(t);
  const same = [
    'v.title=A+B&v.x=1',
    'v.x=1&v.title=A%20B',
    'v.title=A%20B&v.x=1&expires=99999999999',
    'quality=90&v.title=A+B&v.x=1',
  ];
  for (const query of same) t.equal((await get(query)).status, 200, query);
  t.match(world.engine.asked[0].request, { variables: { title: 'A B', x: '1' } }, '+ is a space');
  t.equal(await balance(), 4);
  const other = await addLinkKey(world, workspaceId);
  const url = await signImageUrl(
    `/v1/images/${templateId}.png?v.title=A+B&v.x=1&keyId=${other.keyId}`,
    other.privateKey,
  );
  t.equal((await world.ask({ method: 'GET', ...requestOf(url) })).status, 200);
  t.equal(await balance(), 4, 'nor do two keys of a workspace pay for it twice');
  await get('v.title=A+B&v.x=2');
  t.equal(await balance(), 3);
  await get('v.title=A+B&v.x=1&quality=91');
  t.equal(await balance(), 2);
  const jpg = await get('v.title=J', { file: `${templateId}.jpg` });
  const jpeg = await get('v.title=J', { file: `${templateId}.jpeg` });
  t.equal(jpg.headers.get('content-type'), 'image/jpeg');
  t.equal(jpeg.headers.get('etag'), jpg.headers.get('etag'));
  t.equal(await balance(), 1, 'jpg and jpeg are one image');
  await world.store.replaceTemplate(
    { id: templateId },
    { record: RECORD, hotspots: [], assetIds: [] },
    { publish: true },
  );
  await get('v.title=A+B&v.x=1');
  t.equal(await balance(), 0, 'a new version is a new image');
});

const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Links with the same 64 bytes of signature in another spelling: 86 characters have four bits more, and a decoder that ignores
 * these takes 16 spellings. A proxy would have an entry for each.
 */
function otherSpellings(link: string): Record<string, string> {
  const last = BASE64URL.indexOf(link.at(-1)!);
  const others = Array.from({ length: 15 }, (_, n) => link.slice(0, -1) + BASE64URL[last + n + 1]);
  return Object.fromEntries(others.map((other, n) => [`spelling ${n + 1} of the signature`, other]));
}

// before: 16 spellings of one signature were accepted
t.test('refuses what no active key signed, always with the same answer', async (t) => {
  const setup = await setUp(t);
  const { world, get, balance, keyId, privateKey, templateId, workspaceId } = setup;
  const path = `/v1/images/${templateId}.png`;
  const good = (await signImageUrl(`${path}?v.title=Hi&keyId=${keyId}`, privateKey)).split('?')[1];
  const stranger = await createLinkKeyPair();
  const revoked = await addLinkKey(world, workspaceId);
  await world.store.revokeLinkKey(revoked.keyId);
  const sign = async (query: string, key = privateKey) => (await signImageUrl(`${path}?${query}`, key)).split('?')[1];
  const api = await world.caller({ workspaceId });
  const rows: Record<string, string | undefined> = {
    'no query': undefined,
    'no signature': `v.title=Hi&keyId=${keyId}`,
    'an empty signature': `v.title=Hi&keyId=${keyId}&signature=`,
    'a short signature': good.slice(0, -1),
    'a signature with padding': `${good}==`,
    'other characters': `${good.slice(0, -2)}+/`,
    ...otherSpellings(good),
    'another title': good.replace('Hi', 'Ho'),
    'another spelling': good.replace('Hi', '%48i'),
    'a parameter after the signature': `${good}&v.x=1`,
    'two signatures': `${good}&signature=${good.split('signature=')[1]}`,
    'no keyId': await sign('v.title=Hi'),
    'two keyIds': await sign(`keyId=${keyId}&keyId=${keyId}`),
    'an unknown key': await sign('keyId=link_none'),
    'the id of an API key': await sign(`keyId=${api.keyId}`),
    'an odd id': await sign('keyId=__proto__'),
    'the key of someone else': await sign(`keyId=${keyId}`, stranger.privateKey),
    'a revoked key': await sign(`keyId=${revoked.keyId}`, revoked.privateKey),
    'a huge query': `v.title=${'x'.repeat(20_000)}&keyId=${keyId}&signature=${'A'.repeat(86)}`,
    'bad percent-encoding': `v.%zz=%&keyId=%ff&signature=${'A'.repeat(86)}`,
    'a fallback that nobody signed': `fallback=https%3A%2F%2Fevil.example&keyId=${keyId}&signature=${'A'.repeat(86)}`,
  };
  const messages = new Set<unknown>();
  for (const [name, query] of Object.entries(rows)) {
    const reply = await world.ask({ method: 'GET', path, ...(query !== undefined && { query }) });
    t.match(reply, { status: 403, json: { success: false, code: 'invalid_signature' } }, name);
    t.equal(reply.headers.get('cache-control'), 'no-store', name);
    t.notOk(reply.outcome.workspaceId, name);
    messages.add(reply.json.error);
  }
  t.equal(messages.size, 1);
  const moved = await world.ask({ method: 'GET', path: path.replace('.png', '.webp'), query: good });
  t.match(moved, { status: 403 }, 'the signature covers the path');
  const api403 = await world.ask({ method: 'GET', path, query: good, key: api.key });
  t.match(api403, { status: 200 }, 'an API key changes nothing');
  t.equal(await balance(), 4);
  await world.store.revokeLinkKey(keyId);
  t.match(await get(), { status: 403 }, 'revocation holds from the next request on');
  await world.store.deleteWorkspace(workspaceId);
  t.match(await get(), { status: 403 });
});

t.test('signed links can be wrong, too: 400, 403, 404 and 402, no-store and free', async (t) => {
  const setup = await setUp(t, { credits: 1 });
  const { world, get, balance, templateId } = setup;
  const other = await world.caller();
  const foreign = await saveTemplate(world.store, other.workspaceId, RECORD);
  const rows: [string, string, object][] = [
    ['expires=1', '', { status: 403, json: { code: 'link_expired' } }],
    ['expires=soon', '', { status: 400, json: { code: 'invalid_request', details: [{ path: 'expires' }] } }],
    ['expires=-1', '', { status: 400 }],
    ['expires=99999999999999999999', '', { status: 400 }],
    ['quality=0', '', { status: 400, json: { details: [{ path: 'quality' }] } }],
    ['quality=80&quality=80', '', { status: 400, json: { details: [{ path: 'quality' }] } }],
    ['v.title=a&v.title=b', '', { status: 400, json: { details: [{ path: 'v.title' }] } }],
    ['qualty=80', '', { status: 400, json: { details: [{ message: /did you mean quality/ }] } }],
    ['fallback=javascript:alert(1)', '', { status: 400, json: { details: [{ path: 'fallback' }] } }],
    ['fallback=/other.png', '', { status: 400 }],
    ['', 'tpl_none.png', { status: 404, json: { code: 'template_not_found' } }],
    ['', `${foreign}.png`, { status: 404, json: { code: 'template_not_found' } }],
    ['', `${templateId}.gif`, { status: 404, json: { code: 'not_found' } }],
    ['', `${templateId}.PNG`, { status: 404, json: { code: 'not_found' } }],
    ['', templateId, { status: 404, json: { code: 'not_found' } }],
    ['', '.png', { status: 404, json: { code: 'not_found' } }],
    ['', '%zz.png', { status: 404, json: { code: 'not_found' } }],
  ];
  for (const [query, file, expected] of rows) {
    const reply = await get(query, file ? { file } : {});
    t.match(reply, expected, query || file);
    t.equal(reply.headers.get('content-type'), JSON_TYPE);
    t.equal(reply.headers.get('cache-control'), 'no-store', query || file);
  }
  t.strictSame(world.engine.asked, [], 'nothing was drawn');
  t.equal(await balance(), 1);
  t.match((await get('v.title=50%&v.%zz=%ff')).status, 200, 'malformed escapes are text, as in every query');
  const broke = await get('v.title=other');
  t.match(broke, { status: 402, json: { success: false, code: 'credits_exhausted' } });
  t.notOk('paywall' in broke.json, 'visitors do not learn the balance');
  t.notMatch(broke.bytes.toString(), /balance/);
  t.match((await get('v.title=50%&v.%zz=%ff')).status, 200, 'what was charged stays free');
  const posted = await world.ask({ method: 'POST', path: `/v1/images/${templateId}.png` });
  t.equal(posted.status, 405);
  t.equal(posted.headers.get('cache-control'), 'no-store');
  t.match(await world.ask({ method: 'OPTIONS', path: `/v1/images/${templateId}.png` }), { status: 204 });
});

t.test('redirects the errors of a verified link to its fallback', async (t) => {
  const { world, get, balance, workspaceId } = await setUp(t);
  const fallback = 'fallback=https%3A%2F%2Fexample.com%2Fa%20b.png';
  t.equal((await get(`v.title=a&${fallback}`)).status, 200);
  const expired = await get(`expires=1&${fallback}`);
  t.equal(expired.status, 302);
  t.equal(expired.headers.get('location'), 'https://example.com/a%20b.png');
  t.equal(expired.headers.get('cache-control'), 'no-store');
  t.equal(expired.bytes.length, 0);
  t.equal(expired.outcome.code, 'link_expired');
  for (const query of ['quality=0', 'expires=x']) t.equal((await get(`${query}&${fallback}`)).status, 302, query);
  t.equal((await get(fallback, { file: 'tpl_none.png' })).status, 302);
  world.engine.before = () => {
    throw new RenderError('asset_failed', 'no', {
      details: [{ code: 'asset_failed', path: 'hotspots.photo.url', message: 'no' }],
    });
  };
  t.equal((await get(`v.title=b&${fallback}`)).status, 302);
  t.match(await loggedRenders(world.store, workspaceId, 1), [
    { status: 'failed', code: 'asset_failed', creditsCost: 0 },
  ]);
  t.equal(await balance(), 4);
});

t.test('answers 304 to the tag of the image; neither that nor HEAD is charged', async (t) => {
  const { world, get, balance, workspaceId } = await setUp(t, { credits: 1 });
  const head = await get('v.title=a', { method: 'HEAD' });
  t.equal(head.status, 200);
  const tag = head.headers.get('etag')!;
  t.equal(await balance(), 1);
  for (const ifNoneMatch of [tag, `W/${tag}`, `"x", ${tag}`, '*']) {
    const same = await get('v.title=a', { ifNoneMatch });
    t.equal(same.status, 304, ifNoneMatch);
    t.equal(same.bytes.length, 0);
    t.equal(same.headers.get('etag'), tag);
    t.equal(same.headers.get('cache-control'), 'public, max-age=86400');
  }
  t.equal(await balance(), 1);
  t.equal((await get('v.title=a', { ifNoneMatch: '"x"' })).status, 200);
  t.equal(await balance(), 0, 'another tag buys the picture');
  t.equal((await get('v.title=a')).status, 200);
  t.equal((await get('v.title=a', { ifNoneMatch: tag })).status, 304);
  t.equal((await get('v.title=a', { method: 'HEAD' })).status, 200, 'paid for already');
  t.equal((await get('v.title=b', { method: 'HEAD' })).status, 402, 'nothing is drawn for a workspace without credits');
  t.equal((await get('v.title=b', { ifNoneMatch: '"x"' })).status, 402);
  t.ok(
    (await loggedRenders(world.store, workspaceId)).every(
      ({ status, code }) => status === 'ok' || code === 'credits_exhausted',
    ),
  );
});

// before: If-None-Match with any tag answered 200 with the picture, and charged nothing
t.test('charges every picture that is sent, whatever If-None-Match says', async (t) => {
  const { world, get, balance, workspaceId } = await setUp(t, { credits: 40 });
  const odd = ['"x"', 'W/"x"', 'nonsense', '', '"a", "b"'];
  for (const [n, ifNoneMatch] of odd.entries()) t.equal((await get(`v.title=${n}`, { ifNoneMatch })).status, 200);
  t.equal(await balance(), 40 - odd.length);
  for (const [n, ifNoneMatch] of odd.entries()) t.equal((await get(`v.title=${n}`, { ifNoneMatch })).status, 200);
  t.equal(await balance(), 40 - odd.length, 'once a day');
  const entries = await loggedRenders(world.store, workspaceId, 10);
  t.equal(entries.filter(({ replayOf }) => replayOf !== undefined).length, odd.length);
  for (let n = 0; n < 30; n++) {
    const tag = (await get(`v.title=many${n}`, { method: 'HEAD' })).headers.get('etag')!;
    t.equal((await get(`v.title=many${n}`, { ifNoneMatch: tag })).status, 304);
  }
  t.equal(await balance(), 40 - odd.length, 'an answer without the picture is free');
});

t.test('among requests at once, the one that gets the picture pays, not the one that gets 304', async (t) => {
  const { world, get, balance } = await setUp(t);
  const tag = (await get('v.title=a', { method: 'HEAD' })).headers.get('etag')!;
  for (const [order, first, second] of [
    ['304 first', tag, undefined],
    ['304 first, then another tag', tag, '"x"'],
    ['200 first', undefined, tag],
  ] as const) {
    const before = await balance();
    const title = `v.title=a&v.order=${order.replaceAll(' ', '+')}`;
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    world.engine.before = () => finished;
    const reached = countAtDrawing(world);
    const drawn = world.engine.asked.length;
    const leading = get(title, { ...(first !== undefined && { ifNoneMatch: first }) });
    while (world.engine.asked.length === drawn) await turn();
    const following = get(title, { ...(second !== undefined && { ifNoneMatch: second }) });
    await reached(2);
    finish();
    const statuses = [(await leading).status, (await following).status].sort();
    t.strictSame(statuses, [200, 304], order);
    t.equal(before - (await balance()), 1, order);
  }
});

t.test('an image is kept no longer than its link holds', async (t) => {
  const { get } = await setUp(t, { settings: { LINK_MAX_AGE: '60' } });
  t.equal((await get('v.title=a')).headers.get('cache-control'), 'public, max-age=60');
  const expires = Math.floor(Date.now() / 1000) + 3000;
  t.equal((await get(`v.title=a&expires=${expires}`)).headers.get('cache-control'), 'public, max-age=60');
  const long = await setUp(t, { settings: { LINK_MAX_AGE: '10000' } });
  const [, seconds] = /^public, max-age=(\d+)$/.exec(
    (await long.get(`expires=${expires}`)).headers.get('cache-control')!,
  )!;
  t.ok(Number(seconds) <= 3000);
});

/** Waits until so many requests have their template: from there they share what is drawn. */
function countAtDrawing({ store }: World): (count: number) => Promise<void> {
  let found = 0;
  const { findTemplate } = store;
  store.findTemplate = (...which) => findTemplate(...which).finally(() => found++);
  return async (count) => {
    while (found < count) await turn();
    for (let n = 0; n < 20; n++) await turn();
  };
}

t.test('requests for one image at once share it, and it is charged once', async (t) => {
  const { world, get, balance, workspaceId } = await setUp(t, { credits: 1 });
  let finish = () => {};
  const finished = new Promise<void>((resolve) => (finish = resolve));
  world.engine.before = () => finished;
  world.engine.result = { cpuMs: 30 };
  const reached = countAtDrawing(world);
  const asked = Array.from({ length: 10 }, () => get('v.title=a'));
  await reached(10);
  while (world.engine.asked.length === 0) await turn();
  finish();
  const replies = await Promise.all(asked);
  t.ok(replies.every(({ status }) => status === 200));
  t.equal(world.engine.asked.length, 1);
  t.equal(await balance(), 0);
  const entries = await loggedRenders(world.store, workspaceId);
  t.equal(
    entries.reduce((sum, { creditsCost }) => sum + creditsCost, 0),
    1,
  );
  t.equal(entries.filter(({ replayOf }) => replayOf !== undefined).length, 9);
  t.strictSame(
    entries.filter(({ cpuMs }) => cpuMs !== undefined).map(({ cpuMs, creditsCost }) => [cpuMs, creditsCost]),
    [[30, 1]],
    'the processor time is in one entry',
  );
});

t.test('the processor time of an image that many wait for and that fails is in one entry', async (t) => {
  const { world, get, workspaceId } = await setUp(t);
  let fail = () => {};
  const failing = new Promise<void>((_, reject) => {
    const error = new RenderError('render_failed', 'no');
    failureCpuMs.set(error, 700);
    fail = () => reject(error);
  });
  world.engine.before = () => failing;
  const reached = countAtDrawing(world);
  const asked = Array.from({ length: 5 }, () => get('v.title=a'));
  await reached(5);
  while (world.engine.asked.length === 0) await turn();
  fail();
  for (const { status } of await Promise.all(asked)) t.equal(status, 500);
  t.equal(world.engine.asked.length, 1);
  const entries = await loggedRenders(world.store, workspaceId);
  t.equal(entries.length, 5);
  t.strictSame(
    entries.flatMap(({ cpuMs }) => (cpuMs === undefined ? [] : [cpuMs])),
    [700],
  );
});

t.test('a request that waits for another node gets the image when that is done', async (t) => {
  const { world, get, balance, workspaceId } = await setUp(t);
  let waits = 0;
  const { claimIdempotencyKey } = world.store;
  let other: Awaited<ReturnType<typeof claimIdempotencyKey>> | undefined;
  // the first look takes the key for another node, which gives it back after a while
  world.store.claimIdempotencyKey = async (key, fingerprint) => {
    t.equal(key.keyId, workspaceId);
    other ??= await claimIdempotencyKey(key, fingerprint);
    if (waits++ === 3 && 'lease' in other) await world.store.releaseIdempotencyLease(other.lease);
    return await claimIdempotencyKey(key, fingerprint);
  };
  t.equal((await get('v.title=a')).status, 200);
  t.ok(waits > 3);
  t.equal(await balance(), 4);
});

t.test('a client that leaves alone pays nothing, and does not take the image from the others', async (t) => {
  const { world, get, balance } = await setUp(t);
  const reached = countAtDrawing(world);
  const drawing = () => {
    let finish = () => {};
    world.engine.before = ({ signal }) =>
      Promise.race([
        new Promise<void>((resolve) => (finish = resolve)),
        once(signal, 'abort').then(() => Promise.reject(signal.reason)),
      ]);
    return () => finish();
  };
  drawing();
  const alone = new AbortController();
  const left = get('v.title=a', { signal: alone.signal });
  while (world.engine.asked.length < 1) await turn();
  alone.abort();
  await left;
  t.equal(await balance(), 5);
  const finish = drawing();
  const first = new AbortController();
  const leaving = get('v.title=b', { signal: first.signal });
  while (world.engine.asked.length < 2) await turn();
  const staying = get('v.title=b');
  await reached(3);
  first.abort();
  await leaving;
  finish();
  t.equal((await staying).status, 200);
  t.equal(world.engine.asked.length, 2);
  t.equal(await balance(), 4);
});

t.test('counts what is drawn against the limit of the link key', async (t) => {
  const setup = await setUp(t, { settings: { LINK_RATE_LIMIT_PER_MIN: '2' } });
  const { world, get, balance } = setup;
  // an engine with a cache
  const drawn = new Set<string>();
  world.engine.before = async ({ onDraw }) => {
    const { variables } = world.engine.asked.at(-1)!.request as unknown as { variables: { title: string } };
    if (drawn.has(variables.title)) return;
    await onDraw?.();
    drawn.add(variables.title);
  };
  const windowOf = ({ headers }: Awaited<ReturnType<typeof get>>) =>
    ['limit', 'remaining', 'reset'].map((name) => headers.get(`x-ratelimit-${name}`));
  t.equal((await get('expires=1')).status, 403);
  t.same(windowOf(await get('v.title=a')), ['2', '1', '60'], 'it was counted');
  for (let n = 0; n < 5; n++) {
    const again = await get('v.title=a');
    t.equal(again.status, 200);
    t.same(windowOf(again), [undefined, undefined, undefined], 'it was not');
  }
  t.equal((await get('v.title=b')).status, 200);
  const refused = await get('v.title=c');
  t.match(refused, { status: 429, json: { code: 'rate_limited' } });
  t.equal(refused.headers.get('cache-control'), 'no-store');
  t.equal(refused.headers.get('retry-after'), '60');
  t.same(windowOf(refused), ['2', '0', '60']);
  t.equal((await get('v.title=a')).status, 200, 'what is there already');
  t.equal(await balance(), 3);
  world.pass(60_000);
  t.equal((await get('v.title=c')).status, 200);
});

t.test('nothing is charged for an image that can’t be drawn or whose charge fails', async (t) => {
  const { world, get, balance } = await setUp(t);
  world.engine.before = () => {
    throw new RenderError('render_failed', 'no');
  };
  t.match(await get(), { status: 500, json: { code: 'render_failed' } });
  t.equal(await balance(), 5);
  world.engine.before = () => {};
  const { settle } = world.store;
  world.store.settle = async (hold, settlement) => {
    await world.store.release(hold);
    if (settlement) await world.store.releaseIdempotencyLease(settlement.lease);
    throw new ServiceError('storage_unavailable', 'storage is unavailable: nothing was changed');
  };
  const failed = await get();
  t.match(failed, { status: 503, json: { code: 'storage_unavailable' } });
  t.equal(failed.headers.get('cache-control'), 'no-store');
  world.store.settle = settle;
  t.equal((await get()).status, 200);
  t.equal(await balance(), 4);
});

t.test('marks the images of free workspaces', async (t) => {
  const world = await createWorld(t);
  const { workspaceId } = await world.caller({ plan: 'free' });
  const id = await saveTemplate(world.store, workspaceId, RECORD);
  const { keyId, privateKey } = await addLinkKey(world, workspaceId);
  const url = await signImageUrl(`/v1/images/${id}.webp?keyId=${keyId}`, privateKey);
  t.equal((await world.ask({ method: 'GET', ...requestOf(url) })).status, 200);
  t.match(world.engine.asked[0].options, { watermark: 'Made with Platen', tenant: { id: workspaceId } });
});
