// Tenants share the queue and the processor time of renders, simulated millisecond by millisecond.
import t from 'tap';
import { Admission, EXTRA_SLOTS, type Tenant } from '../../../lib/service/admission/index.js';
import { MemoryBudget } from '../../../lib/service/admission/memory-budget.js';
import { drawn, type Ended, longest, simulate } from './simulate.js';

const SMALL = 1;
const GREEDY: Tenant = { id: 'greedy', weight: 1 };
const MODEST: Tenant = { id: 'modest', weight: 1 };
const THIRD: Tenant = { id: 'third', weight: 1 };
const overloaded = { code: 'overloaded' };
const settle = () => new Promise((resolve) => setImmediate(resolve));
const of = (ended: Ended[], tenant: Tenant) => ended.filter((render) => render.tenant === tenant);

t.test('a tenant with a card a second does not notice one that keeps 50 dear renders waiting', async (t) => {
  for (const concurrency of [1, 2, 4]) {
    const { come, pass, season, ended, admission } = simulate(() => 30, { concurrency });
    await season();
    const keep = async () => {
      for (;;) if (!(await come(SMALL, GREEDY, 10_000))) return;
    };
    for (let i = 0; i < 50; i++) void keep();
    await pass(20_000);
    await pass(60_000, (now) => now % 1000 === 0 && come(SMALL, MODEST));
    const cards = of(ended, MODEST);
    t.equal(drawn(cards).length, 60);
    t.equal(longest(cards), 0, `${concurrency} slots`);
    t.ok(admission.running <= concurrency + EXTRA_SLOTS);
    t.ok(drawn(of(ended, GREEDY)).length >= (concurrency * 80_000) / 10_000 - concurrency, 'it gets the rest');
  }
});

t.test('tenants that all want more than there is share by weight, whatever one render takes', async (t) => {
  const rows: [Tenant, number][][] = [
    [
      [GREEDY, 200],
      [MODEST, 20],
    ],
    [
      [GREEDY, 200],
      [MODEST, 20],
      [THIRD, 50],
    ],
    [
      [GREEDY, 100],
      [{ id: 'paid', weight: 4 }, 100],
    ],
  ];
  for (const tenants of rows) {
    const { come, pass, season, ended } = simulate(() => 20);
    await season();
    const keep = async (tenant: Tenant, ms: number) => {
      for (;;) await come(SMALL, tenant, ms).then((isDrawn) => isDrawn || settle());
    };
    for (const [tenant, ms] of tenants) for (let i = 0; i < 8; i++) void keep(tenant, ms);
    await pass(10_000);
    ended.length = 0;
    await pass(60_000);
    const weights = tenants.reduce((sum, [{ weight }]) => sum + weight, 0);
    for (const [tenant, ms] of tenants) {
      const share = (drawn(of(ended, tenant)).length * ms) / (60_000 * 2);
      t.ok(Math.abs(share - tenant.weight / weights) < 0.06, `${tenant.id} of ${tenants.length}: ${share}`);
    }
  }
});

t.test('one tenant alone has every slot and the whole queue', async (t) => {
  const { come, pass, admission } = simulate(() => 20, { queue: 100 });
  for (let i = 0; i < 102; i++) void come(SMALL, GREEDY);
  await pass(1);
  t.match(admission, { running: 2, queued: 100 });
  t.throws(() => admission.reserve(GREEDY, SMALL), overloaded);
});

t.test('in a full queue a tenant gets a place of the one that has the most', async (t) => {
  const { come, pass, admission, ended } = simulate(() => 1000, { queue: 10, concurrency: 1 });
  for (let i = 0; i < 11; i++) void come(SMALL, GREEDY);
  await pass(1);
  t.match(admission, { running: 1, queued: 10 });
  for (let i = 0; i < 6; i++) void come(SMALL, MODEST);
  await pass(1);
  t.equal(of(ended, GREEDY).filter(({ refused }) => refused).length, 5, 'the last of its renders are rejected');
  t.equal(of(ended, MODEST).filter(({ refused }) => refused).length, 0);
  t.equal(drawn(of(ended, MODEST)).length, 1, 'the first one starts at once');
  t.match(admission, { running: 2, queued: 10 });
  await pass(60_000);
  t.equal(drawn(ended).length, 12);
  t.match(admission, { running: 0, queued: 0, memory: 0, reserved: 0 });
});

t.test('permits whose bodies never arrive do not keep others out', async (t) => {
  const admission = new Admission({ concurrency: 1, queue: 3, memoryBytes: 2 ** 30 });
  const permits = Array.from({ length: 5 }, () => admission.reserve(GREEDY, 0));
  t.throws(() => admission.reserve(GREEDY, 0), overloaded);
  const one = admission.reserve(MODEST, 0);
  const another = admission.reserve(MODEST, 0);
  t.throws(() => admission.reserve(MODEST, 0), overloaded, 'it has as many now');
  await t.rejects(permits[4].acquire(SMALL), overloaded, 'the last one has lost its place');
  await t.rejects(permits[3].acquire(SMALL), overloaded);
  (await permits[0].acquire(SMALL))();
  for (const permit of [...permits, one, another]) permit.release();
  t.equal(admission.reserved, 0);
});

t.test('the overload of one tenant shortens nobody else’s patience', async (t) => {
  const { come, pass, season, ended } = simulate(() => 20);
  await season();
  await pass(10_000, () => come(SMALL, GREEDY));
  ended.length = 0;
  for (let i = 0; i < 60; i++) void come(SMALL, MODEST);
  await pass(4000, () => come(SMALL, GREEDY));
  t.equal(drawn(of(ended, MODEST)).length, 60, 'its burst is queued');
  t.ok(of(ended, GREEDY).some(({ refused }) => refused));
});

t.test(
  'rows of a batch run beside single renders of a tenant that has used more, and after those of their own',
  async (t) => {
    const { come, pass, season, admission } = simulate(() => 20);
    await season();
    const keep = async () => {
      for (;;) await come(SMALL, GREEDY, 200).then((isDrawn) => isDrawn || settle());
    };
    for (let i = 0; i < 20; i++) void keep();
    await pass(5000);
    let rows = 0;
    const never = new AbortController().signal;
    const batch = async () => {
      for (;;) {
        const release = await admission.acquireForBatch(MODEST, SMALL, never);
        rows++;
        const until = rows;
        setImmediate(() => void until);
        release({ ms: 20 });
        await settle();
      }
    };
    void batch();
    await pass(2000);
    t.ok(rows > 10, `${rows} rows`);
  },
);

t.test('only the tenant whose answers are not read waits for them', async (t) => {
  const memoryBudget = new MemoryBudget(1000);
  const { come, pass, ended } = simulate(() => 20, { memoryBudget });
  const unread = memoryBudget.open(GREEDY.id);
  unread.forceReserve(5000);
  void come(SMALL, GREEDY);
  void come(SMALL, MODEST);
  await pass(100);
  t.same(
    ended.map(({ tenant }) => tenant),
    [MODEST],
  );
  unread.release();
  await pass(100);
  t.equal(drawn(ended).length, 2);
});
