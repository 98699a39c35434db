// The resolver: hosts file, search domains, DNS queries, unresponsive name servers and DNS rebinding.
import { open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import t from 'tap';
import { allowPublic } from '../../lib/net/address-policy.js';
import { createResolver } from '../../lib/net/dns.js';
import { fetchBytes } from '../../lib/net/http-client.js';
import { eventually } from '../eventually.js';
import { startNameServer } from './nameserver.js';

const missingFile = '/nowhere/file';

t.test('returns all addresses of both families, IPv4 first, and none for an unknown name', async (t) => {
  const records = new Map([
    ['both.test', ['2606:4700::1', '93.184.216.34', '93.184.216.35']],
    ['old.test', ['93.184.216.34']],
    ['new.test', ['2606:4700::1']],
    ['empty.test', []],
  ]);
  const { address, queries } = await startNameServer(t, (name) => records.get(name));
  const names = createResolver({ servers: [address], hostsFile: missingFile, resolvFile: missingFile });
  t.same(new Set(await names('both.test')), new Set(records.get('both.test')));
  t.equal((await names('both.test')).at(-1), '2606:4700::1');
  t.same(await names('old.test'), ['93.184.216.34']);
  t.same(await names('OLD.test.'), ['93.184.216.34']);
  t.same(await names('new.test'), ['2606:4700::1']);
  for (const name of ['empty.test', 'missing.test']) t.same(await names(name), []);
  queries.length = 0;
  t.same(await names('a.localhost.'), ['127.0.0.1', '::1'], 'RFC 6761');
  t.same(queries, []);
});

t.test('reads the hosts file first and appends search domains to short names', async (t) => {
  const folder = t.testdir();
  const hostsFile = join(folder, 'hosts');
  const resolvFile = join(folder, 'resolv.conf');
  await writeFile(hostsFile, '# comment\n::1 one\n10.0.0.1 One two.test # both\nnonsense three\n');
  await writeFile(resolvFile, 'nameserver 10.9.9.9\nsearch a.test b.test\noptions ndots:2\n');
  const records = new Map([
    ['store.b.test', ['10.0.0.2']],
    ['x.y.z', ['10.0.0.3']],
  ]);
  const { address, queries } = await startNameServer(t, (name) => records.get(name));
  const names = createResolver({ servers: [address], hostsFile, resolvFile });
  t.same(await names('one'), ['10.0.0.1', '::1']);
  t.same(await names('two.test'), ['10.0.0.1']);
  t.same(queries, []);
  t.same(await names('store'), ['10.0.0.2']);
  t.same([...new Set(queries)], ['store.a.test', 'store.b.test']);
  queries.length = 0;
  t.same(await names('x.y.z'), ['10.0.0.3']);
  t.same([...new Set(queries)], ['x.y.z'], 'a name with two dots is not short');
  queries.length = 0;
  t.same(await names('three.'), []);
  t.same([...new Set(queries)], ['three'], 'a name with a trailing dot is not short');
});

// fault: 38
t.test('times out on an unresponsive name server and does not block file writes', async (t) => {
  const { address } = await startNameServer(t, () => 'silent');
  const system = { servers: [address], hostsFile: missingFile, resolvFile: missingFile };
  const brief = createResolver({ ...system, timeoutMs: 100 });
  await t.rejects(brief('slow.test'), { message: 'the name servers do not respond' });
  const names = createResolver({ ...system, timeoutMs: 600_000 });
  const file = await open(join(t.testdir(), 'ledger'), 'w');
  // Repeated if the disk was too slow by itself.
  await eventually(async () => {
    let ended = 0;
    const many = Array.from({ length: 300 }, (_, i) => names(`slow${i}.test`).finally(() => ended++));
    const all = Promise.allSettled(many);
    for (let i = 0; i < 5; i++) {
      await file.write('charge');
      await file.sync();
    }
    const endedBefore = ended;
    for (const { status } of await all) if (status !== 'rejected') t.fail('a name was found');
    return endedBefore === 0;
  }, 'five charges are on disk before the first name times out');
  await file.close();
});

// fault: 37
t.test('connects only to checked addresses when DNS results change', async (t) => {
  let hits = 0;
  const canary = createServer((_request, response) => {
    hits++;
    response.end('canary');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  t.teardown(() => canary.close());
  const { port } = canary.address() as AddressInfo;
  let queryCount = 0;
  const { address } = await startNameServer(t, (name) => {
    if (name === 'mixed.test') return ['93.184.216.34', '::1'];
    // A documentation address stands for a public one: it is allowed below, and no host responds there.
    return queryCount++ % 4 < 2 ? ['192.0.2.1'] : ['127.0.0.1'];
  });
  const resolve = createResolver({ servers: [address], hostsFile: missingFile, resolvFile: missingFile });
  const isPublic = allowPublic([], [port]);
  const allowAddress = (literal: string, host: string, at: number) =>
    literal === '192.0.2.1' || isPublic(literal, host, at);
  const policy = { timeoutMs: 40, maxBytes: 1000, allowAddress, resolve };
  for (let i = 0; i < 20; i++) {
    await t.rejects(fetchBytes(new URL(`http://turning.test:${port}/`), policy), { code: 'asset_failed' });
  }
  await t.rejects(fetchBytes(new URL(`http://mixed.test:${port}/`), policy), { code: 'asset_failed' });
  t.equal(hits, 0);
});
