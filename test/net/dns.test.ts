// Names → addresses: by the hosts file, by name servers that answer, and in spite of those that don't.
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

const nowhere = '/nowhere/file';

t.test('name servers: every address of both families, IPv4 first; no such name has none', async (t) => {
  const records = new Map([
    ['both.test', ['2606:4700::1', '93.184.216.34', '93.184.216.35']],
    ['old.test', ['93.184.216.34']],
    ['new.test', ['2606:4700::1']],
    ['empty.test', []],
  ]);
  const { address, asked } = await startNameServer(t, (name) => records.get(name));
  const names = createResolver({ servers: [address], hostsFile: nowhere, resolvFile: nowhere });
  t.same(new Set(await names('both.test')), new Set(records.get('both.test')));
  t.equal((await names('both.test')).at(-1), '2606:4700::1');
  t.same(await names('old.test'), ['93.184.216.34']);
  t.same(await names('OLD.test.'), ['93.184.216.34']);
  t.same(await names('new.test'), ['2606:4700::1']);
  for (const name of ['empty.test', 'missing.test']) t.same(await names(name), []);
  asked.length = 0;
  t.same(await names('a.localhost.'), ['127.0.0.1', '::1'], 'RFC 6761');
  t.same(asked, []);
});

t.test('the hosts file comes first; short names are looked for in the search domains', async (t) => {
  const folder = t.testdir();
  const hostsFile = join(folder, 'hosts');
  const resolvFile = join(folder, 'resolv.conf');
  await writeFile(hostsFile, '# comment\n::1 one\n10.0.0.1 One two.test # both\nnonsense three\n');
  await writeFile(resolvFile, 'nameserver 10.9.9.9\nsearch a.test b.test\noptions ndots:2\n');
  const records = new Map([
    ['store.b.test', ['10.0.0.2']],
    ['x.y.z', ['10.0.0.3']],
  ]);
  const { address, asked } = await startNameServer(t, (name) => records.get(name));
  const names = createResolver({ servers: [address], hostsFile, resolvFile });
  t.same(await names('one'), ['10.0.0.1', '::1']);
  t.same(await names('two.test'), ['10.0.0.1']);
  t.same(asked, []);
  t.same(await names('store'), ['10.0.0.2']);
  t.same([...new Set(asked)], ['store.a.test', 'store.b.test']);
  asked.length = 0;
  t.same(await names('x.y.z'), ['10.0.0.3']);
  t.same([...new Set(asked)], ['x.y.z'], 'with two dots it is no short name');
  asked.length = 0;
  t.same(await names('three.'), []);
  t.same([...new Set(asked)], ['three'], 'nor with one at its end');
});

// fault: 38
t.test('a name server that never answers: names end in time, and the disk is not kept waiting', async (t) => {
  const { address } = await startNameServer(t, () => 'silent');
  const system = { servers: [address], hostsFile: nowhere, resolvFile: nowhere };
  const brief = createResolver({ ...system, timeoutMs: 100 });
  await t.rejects(brief('slow.test'), { message: 'the name servers do not respond' });
  const names = createResolver({ ...system, timeoutMs: 600_000 });
  const file = await open(join(t.testdir(), 'ledger'), 'w');
  // Once more where the disk alone was too slow.
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
  }, 'five charges are on disk before the first name is given up');
  await file.close();
});

// fault: 37
t.test('addresses that change from answer to answer: connected to is what was vetted', async (t) => {
  let hits = 0;
  const canary = createServer((_request, response) => {
    hits++;
    response.end('canary');
  });
  await new Promise<void>((resolve) => canary.listen(0, '127.0.0.1', resolve));
  t.teardown(() => canary.close());
  const { port } = canary.address() as AddressInfo;
  let turn = 0;
  const { address } = await startNameServer(t, (name) => {
    if (name === 'mixed.test') return ['93.184.216.34', '::1'];
    // a documentation address stands for a public one: allowed below, and nobody answers there
    return turn++ % 4 < 2 ? ['192.0.2.1'] : ['127.0.0.1'];
  });
  const resolve = createResolver({ servers: [address], hostsFile: nowhere, resolvFile: nowhere });
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
