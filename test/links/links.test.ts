// Signing, the handler for servers of one's own, and the examples of docs/links.md, which run.
import { execFile } from 'node:child_process';
import { createPrivateKey, createPublicKey, randomBytes, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import t, { type Test } from 'tap';
import { signImageUrl as signInClient } from '../../lib/client/index.js';
import { createImageHandler, type ImageHandlerOptions, signImageUrl } from '../../lib/index.js';
import { createLinkKeyPair, isSignedBy, publicKeyOf } from '../../lib/links/sign.js';

const run = promisify(execFile);
const page = readFileSync(new URL('../../docs/links.md', import.meta.url), 'utf8');
const card = {
  ...{ name: 'Card', width: 40, height: 20, background: { color: '#fff' } },
  hotspots: [{ key: 'title', label: 'Title', type: 'text' as const, x: 0, y: 0, width: 40, height: 20, text: 'A' }],
};
const key = `lnk_live_${randomBytes(32).toString('base64url')}`;

/** The code of the page whose fence starts with these words. */
const snippet = (fence: string) => page.split(`\`\`\`${fence}\n`)[1].split('\n```')[0];

t.test('signs as Node’s own Ed25519 does', async (t) => {
  t.equal(signInClient, signImageUrl);
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([head, Buffer.from(key.slice(9), 'base64url')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const target = '/v1/images/a.png?v.title=%C3%A9+b&keyId=link_1';
  const expected = `${target}&signature=${sign(null, Buffer.from(target), privateKey).toString('base64url')}`;
  t.equal(await signImageUrl(target, key), expected);
  t.equal(await signImageUrl(`https://h.example:8080${target}#x`, key), `https://h.example:8080${expected}`);
  t.equal(
    await signImageUrl(new URL('https://h.example/v1/images/a.png?v.title=é b'), key).then((url) => url.split('&')[0]),
    'https://h.example/v1/images/a.png?v.title=%C3%A9%20b',
  );
  t.equal(await publicKeyOf(key), createPublicKey(privateKey).export({ format: 'jwk' }).x);
  const pair = await createLinkKeyPair();
  t.match(pair, { privateKey: /^lnk_live_[\w-]{43}$/, publicKey: /^[\w-]{43}$/ });
  t.notOk(await isSignedBy(pair.publicKey, target, expected.split('signature=')[1]));
});

t.test('rejects what it can’t sign, and never repeats the key', async (t) => {
  const rows: [string, string, RegExp][] = [
    ['a.png', key, /url: expected a whole URL/],
    ['//h.example/a.png', key, /url: expected a whole URL/],
    ['/a.png?signature=x', key, /signature already/],
    ['/a.png', key.slice(0, -1), /expected lnk_live_ and 43/],
    ['/a.png', `${key}x`, /expected lnk_live_ and 43/],
    ['/a.png', '', /expected lnk_live_ and 43/],
  ];
  for (const [url, given, message] of rows) {
    const error = await signImageUrl(url, given).catch((thrown: Error) => thrown);
    t.match(error, { name: 'TypeError', message }, url);
    t.notOk(String(error).includes(key.slice(9, 30)));
  }
});

t.test('the handler answers signed links, 304, HEAD, errors and redirects', async (t) => {
  const handle = createImageHandler({ templates: { card }, key, maxAge: 60 });
  const get = async (target: string, init: RequestInit = {}) =>
    handle(new Request(await signImageUrl(`https://h.example/images/${target}`, key), init));
  const image = await get('card.png?v.title=B');
  t.equal(image.status, 200);
  t.equal(image.headers.get('Content-Type'), 'image/png');
  t.equal(image.headers.get('Cache-Control'), 'public, max-age=60');
  const bytes = Buffer.from(await image.arrayBuffer());
  t.equal(bytes.subarray(1, 4).toString(), 'PNG');
  const tag = image.headers.get('ETag')!;
  const same = await get('card.png?v.title=B', { headers: { 'If-None-Match': tag } });
  t.equal(same.status, 304);
  t.equal(same.headers.get('ETag'), tag);
  const head = await get('card.png?v.title=B', { method: 'HEAD' });
  t.equal(head.status, 200);
  t.equal(head.headers.get('Content-Length'), String(bytes.length));
  t.equal((await head.arrayBuffer()).byteLength, 0);
  t.equal((await get('card.jpg')).headers.get('Content-Type'), 'image/jpeg', 'without a query');
  t.not((await get('card.png?v.title=C')).headers.get('ETag'), tag);

  const fallback = 'fallback=https%3A%2F%2Fh.example%2Fno.png';
  const rows: [string, number, string][] = [
    ['none.png', 404, 'template_not_found'],
    ['__proto__.png', 404, 'template_not_found'],
    ['card.gif', 404, 'not_found'],
    ['%zz.png', 404, 'not_found'],
    ['card.png?expires=1', 403, 'link_expired'],
    ['card.png?quality=0', 400, 'invalid_request'],
    ['card.png?v.a=1&v.a=2', 400, 'invalid_request'],
  ];
  for (const [target, status, code] of rows) {
    const answer = await get(target);
    t.equal(answer.status, status, target);
    t.equal(answer.headers.get('Cache-Control'), 'no-store', target);
    t.match(await answer.json(), { success: false, code }, target);
    if (code === 'not_found') continue;
    const redirect = await get(`${target}${target.includes('?') ? '&' : '?'}${fallback}`);
    t.equal(redirect.status, 302, target);
    t.equal(redirect.headers.get('Location'), 'https://h.example/no.png');
    t.equal(redirect.headers.get('Cache-Control'), 'no-store');
  }
  const unsigned = [`?v.title=B`, `?${fallback}&signature=${'A'.repeat(86)}`, '', `?&signature=${'A'.repeat(86)}`];
  for (const query of unsigned) {
    const refused = await handle(new Request(`https://h.example/images/card.png${query}`));
    t.match(await refused.json(), { code: 'invalid_signature' }, query);
  }
  const post = await handle(new Request('https://h.example/images/card.png', { method: 'POST' }));
  t.equal(post.status, 405);
  t.equal(post.headers.get('Allow'), 'GET, HEAD');
});

t.test('a link names theme and locale', async (t) => {
  const asked: object[] = [];
  const renderer: ImageHandlerOptions['renderer'] = {
    render: async (_template, { theme, locale }) => {
      asked.push({ theme, locale });
      return { bytes: new Uint8Array(1), mimeType: 'image/png' };
    },
  };
  const handle = createImageHandler({ templates: { card }, key, renderer });
  for (const query of ['?theme=dark&locale=de', '']) {
    t.equal((await handle(new Request(await signImageUrl(`https://h.example/card.png${query}`, key)))).status, 200);
  }
  t.same(asked, [
    { theme: 'dark', locale: 'de' },
    { theme: undefined, locale: undefined },
  ]);
});

t.test('the handler finds templates with a function, and hides its failures from strangers', async (t) => {
  const renderer = { render: async () => Promise.reject(new Error('secret')) };
  const request = async () => new Request(await signImageUrl('https://h.example/card.png', key));
  const broken = await createImageHandler({ templates: async () => card, key, renderer })(await request());
  t.equal(broken.status, 500);
  t.notMatch(await broken.text(), /secret/);
  const none = await createImageHandler({ templates: () => undefined, key })(await request());
  t.equal(none.status, 404);
  t.throws(() => createImageHandler({ templates: {}, key, maxAge: -1 }), { name: 'TypeError', message: /maxAge/ });
  await t.rejects(createImageHandler({ templates: {}, key: 'x' })(await request()), { name: 'TypeError' });
});

const environment = { ...process.env, LINK_KEY: key, LINK_ID: 'link_7c1e' };

/** Checks the link that an example prints. */
async function checkLink(t: Test, printed: string) {
  const [target, signature] = printed.trim().replace('https://images.example.com', '').split('&signature=');
  t.match(target, /^\/v1\/images\/tpl_5d1f\.png\?v\.title=Hello%2C\+world&keyId=link_7c1e$/);
  t.ok(await isSignedBy(await publicKeyOf(key), target, signature));
}

t.test('the examples of the page sign', async (t) => {
  const code = snippet('js')
    .replace(/^import .*$/m, '')
    .replace('console.log(', 'return (')
    .replaceAll('process.env', 'environment');
  const AsyncFunction = (async () => {}).constructor as new (
    ...words: string[]
  ) => (...values: unknown[]) => Promise<string>;
  await checkLink(t, await new AsyncFunction('signImageUrl', 'environment', code)(signImageUrl, environment));
  for (const [command, fence, probe] of [
    ['python3', 'python', ['-c', 'import cryptography']],
    ['php', 'php', ['-r', 'sodium_crypto_sign_keypair();']],
  ] as const) {
    const isThere = await run(command, [...probe]).then(
      () => true,
      () => false,
    );
    await t.test(command, { skip: !isThere && `${command} can’t run it here` }, async (t) => {
      const text = snippet(fence);
      const words = command === 'php' ? ['-r', text.replace('<?php\n', '')] : ['-c', text];
      await checkLink(t, (await run(command, words, { env: environment })).stdout);
    });
  }
});

t.test('the examples of handlers answer as their frameworks call them', async (t) => {
  const url = await signImageUrl('https://h.example/images/card.png?v.title=B', key);
  /** Runs a module of the page; its default export is named `result`. */
  const load = async (fence: string, given: Record<string, unknown>) => {
    const code = snippet(fence)
      .replace(/^import .*$/gm, '')
      .replaceAll('export default', 'result =')
      .replaceAll('export const', 'const')
      .replaceAll('process.env', 'environment');
    const names = Object.keys(given);
    const body = `let result; ${code}; return { result, ${fence === 'js next' ? 'GET, HEAD' : ''} };`;
    return new Function('createImageHandler', 'card', 'environment', ...names, body)(
      createImageHandler,
      card,
      environment,
      ...Object.values(given),
    );
  };
  const next = await load('js next', {});

  const check = async (response: Response) => {
    t.equal(response.status, 200);
    t.equal(response.headers.get('Content-Type'), 'image/png');
  };
  await check(await next.GET(new Request(url), { params: Promise.resolve({ file: 'card.png' }) }));
  t.equal(next.HEAD, next.GET);
  const { result: worker } = await load('js worker', {});
  await check(await worker.fetch(new Request(url), { LINK_KEY: key }));
  /** Hono's router as far as the example goes: a path with a parameter, and the request as `c.req.raw`. */
  class Hono {
    handler: ((context: { req: { raw: Request } }) => Promise<Response>) | undefined;
    get(path: string, handler: NonNullable<Hono['handler']>) {
      t.equal(path, '/images/:file');
      this.handler = handler;
    }
  }
  const { result: app } = await load('js hono', { Hono });
  await check(await app.handler({ req: { raw: new Request(url) } }));
});
