// Large bodies are handed over one at a time, by owner.
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { BodyTurns } from '../../../lib/service/http/body-turns.js';
import { eventually } from '../../eventually.js';

const LARGE = 100_000;

t.test('hands a small body over at once, also while large ones wait', async (t) => {
  const turns = new BodyTurns();
  const order: string[] = [];
  for (let i = 0; i < 20; i++) void turns.next('greedy', LARGE).then(() => order.push('greedy'));
  await turns.next('modest', 1000);
  order.push('modest');
  t.ok(order.length <= 2, `${order}`);
  await eventually(() => order.length === 21);
});

t.test('owners take turns by bytes', async (t) => {
  const turns = new BodyTurns();
  const order: string[] = [];
  for (let i = 0; i < 20; i++) void turns.next('greedy', 4 * LARGE).then(() => order.push('greedy'));
  for (let i = 0; i < 8; i++) void turns.next('modest', LARGE).then(() => order.push('modest'));
  await eventually(() => order.length === 28);
  t.equal(order[0], 'greedy');
  t.ok(order.lastIndexOf('modest') <= 11, `${order}`);
});

t.test('while others are active, rests for longer than a large body took; alone, not at all', async (t) => {
  let now = 0;
  const turns = new BodyTurns(() => now);
  const begun: string[] = [];
  const work = async (owner: string) => {
    await turns.next(owner, LARGE);
    begun.push(owner);
    // as long as parsing takes
    now += 40;
  };
  await Promise.all([work('one'), work('one'), work('one')]);
  t.equal(begun.length, 3);
  await turns.next('other', 10);
  const startedAt = performance.now();
  await Promise.all([work('one'), work('one'), work('one')]);
  t.ok(performance.now() - startedAt >= 2 * 115, 'three times 40 ms after each but the last');
  now += 3000;
  await sleep(130);
  const aloneAt = performance.now();
  await Promise.all([work('one'), work('one'), work('one')]);
  t.ok(performance.now() - aloneAt < 1000, 'the other one has left');
  t.equal(begun.length, 9);
});
