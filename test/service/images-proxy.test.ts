// Signed image links behind nginx with a cache, configured as docs/links.md says.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { createLinkKeyPair, signImageUrl } from '../../lib/links/sign.js';
import { ROOT } from '../checkout.js';
import { loggedRenders, saveTemplate } from './stores.js';
import { startWhole } from './whole.js';

const NGINX = '/usr/sbin/nginx';
const RECORD = {
  ...{ name: 'Card', width: 40, height: 20, background: { color: '#ffffff' } },
  hotspots: [{ key: 'title', label: 'Title', type: 'text', x: 0, y: 0, width: 40, height: 20, text: 'A' }],
};

interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

type Ask = (target: string, options?: { method?: string; headers?: Record<string, string> }) => Promise<Reply>;

/** nginx before `upstream`, on a socket in the file system, so that it needs no free port. */
async function startNginx(t: Test, upstream: string): Promise<Ask> {
  // names of sockets are short
  const folder = mkdtempSync(join(tmpdir(), 'nginx-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const socketPath = join(folder, 's');
  const [, documented] = /```nginx\n([\s\S]*?)```/.exec(readFileSync(join(ROOT, 'docs/links.md'), 'utf8'))!;
  const site = documented
    .replace('/var/cache/images', join(folder, 'cache'))
    .replace('listen 80;', `listen unix:${socketPath}; add_header X-Cache $upstream_cache_status always;`)
    .replace('http://127.0.0.1:8080', upstream);
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(folder, name)};`,
  );
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${join(folder, 'pid')}; error_log stderr;
events {}
http { access_log off; ${folders.join(' ')} ${site} }`,
  );
  const nginx = spawn(NGINX, ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let errors = '';
  nginx.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  const ended = once(nginx, 'exit');
  t.teardown(async () => {
    nginx.kill('SIGQUIT');
    await ended;
  });
  while (!existsSync(socketPath)) {
    if (nginx.exitCode !== null) throw new Error(`nginx ended: ${errors}`);
    await sleep(10);
  }
  return async (target, options = {}) => {
    const sent = request({ socketPath, path: target, headers: { Host: 'images.example.com' }, ...options }).end();
    const [response] = await once(sent, 'response');
    const body = Buffer.concat(await response.toArray());
    return { status: response.statusCode, headers: response.headers, body };
  };
}

t.test(
  'a caching proxy keeps images as long as they may be kept',
  { skip: !existsSync(NGINX) && 'there is no nginx here' },
  async (t) => {
    const whole = await startWhole(t, { LINK_MAX_AGE: '2' });
    const { workspaceId } = await whole.caller({ credits: 5 });
    const templateId = await saveTemplate(whole.store, workspaceId, RECORD);
    const { privateKey, publicKey } = await createLinkKeyPair();
    const { id: keyId } = await whole.store.createLinkKey({ workspaceId, name: 'l', publicKey });
    const ask = await startNginx(t, whole.url);
    const linkTo = (query: string) => signImageUrl(`/v1/images/${templateId}.png?${query}&keyId=${keyId}`, privateKey);
    const balance = async () => (await whole.store.balance(workspaceId)).balance;
    const reached = async () => (await loggedRenders(whole.store, workspaceId)).length;

    const link = await linkTo('v.title=B%20%E2%9C%93');
    const all = await Promise.all(Array.from({ length: 8 }, () => ask(link)));
    t.ok(all.every(({ status, body }) => status === 200 && body.equals(all[0].body)));
    t.equal(all[0].body.subarray(1, 4).toString(), 'PNG');
    t.equal(await balance(), 4, 'it is charged once');
    t.equal(await reached(), 1, 'and only one request reached the service');
    const { etag = '' } = all[0].headers;
    t.match((await ask(link)).headers, { 'x-cache': 'HIT', 'cache-control': 'public, max-age=2', etag });
    t.match(await ask(link, { headers: { 'If-None-Match': etag } }), { status: 304, body: { length: 0 } });
    t.match(await ask(link, { method: 'HEAD' }), { status: 200, body: { length: 0 } });
    t.equal(await reached(), 1, 'the proxy answers 304 and HEAD itself');

    let later = await ask(link);
    for (; later.headers['x-cache'] === 'HIT'; later = await ask(link)) await sleep(100);
    t.match(later, { status: 200, headers: { 'x-cache': 'REVALIDATED', etag } });
    t.ok(later.body.equals(all[0].body), 'the service said 304, and the proxy has the image still');
    t.equal(await reached(), 2);
    t.equal(await balance(), 4);

    const errors: [string, number][] = [
      [link.replace('B%20', 'C%20'), 403],
      [await linkTo('expires=1'), 403],
      [await linkTo('quality=0'), 400],
      [await linkTo(`expires=1&fallback=${encodeURIComponent('https://example.com/a.png')}`), 302],
    ];
    for (const [target, status] of errors) {
      for (let n = 0; n < 2; n++) {
        const refused = await ask(target);
        t.equal(refused.status, status, target);
        t.match(refused.headers, { 'x-cache': 'MISS', 'cache-control': 'no-store' });
      }
    }
    await whole.store.revokeLinkKey(keyId);
    for (later = await ask(link); later.status === 200; later = await ask(link)) await sleep(100);
    t.equal(later.status, 403, 'a revoked key ends its images when they have to be revalidated');
    t.equal(await balance(), 4);
  },
);
