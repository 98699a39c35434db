// Cached paragraphs against newly shaped ones.
import t from 'tap';
import { shapeCached } from '../../lib/layout/shape-cache.js';
import type { FontStack } from '../../lib/text/font-stack.js';
import { MONO, shape, stackOf } from '../text/setting.js';

const TEXTS = [
  '',
  'office AVATAR, 12 fjords',
  'office AVATAR, 12 fjord',
  'tab\tstop soft\u00adhyphen',
  'مرحبا world שלום 123',
  '日本語の文字 👍🏽 mixed',
];

/** Shapes `text` twice through the cache; the second result is the same object. */
function kept(text: string, stack: FontStack, letterSpacing = 0, direction?: number) {
  const ranges = [{ end: text.length, font: { stack, letterSpacing } }];
  const first = shapeCached(text, ranges, undefined, direction);
  return { first, second: shapeCached(text, ranges, undefined, direction) };
}

t.test('a cached paragraph equals a newly shaped one in every setting', async (t) => {
  const all = TEXTS.join('');
  const stacks = [await stackOf(all), await stackOf('abc'), await stackOf(all, 'Inter', 700), await stackOf(all, MONO)];
  // in turns, so that one setting's paragraphs could stand in for another's
  for (const text of TEXTS) {
    for (const [which, stack] of stacks.entries()) {
      for (const spacing of [0, 2]) {
        for (const direction of [undefined, 0, 1]) {
          const { first, second } = kept(text, stack, spacing, direction);
          const plain = shape(text, stack, spacing, direction);
          const name = `${JSON.stringify(text)}, stack ${which}, spacing ${spacing}, direction ${direction}`;
          t.equal(first, second, `${name}: kept`);
          t.same({ ...first, runs: [] }, { ...plain, runs: [] }, name);
          t.same(
            first.runs.map(({ face, ...run }) => run),
            plain.runs.map(({ face, ...run }) => run),
            `${name}: runs`,
          );
          t.ok(
            first.runs.every(({ face }, i) => face === plain.runs[i].face),
            `${name}: faces`,
          );
        }
      }
    }
  }
});

t.test('evicts the least recently used paragraph, and never caches very long ones', async (t) => {
  const stack = await stackOf('abc');
  const often = kept('often asked for', stack).first;
  const seldom = kept('seldom asked for', stack).first;
  for (let i = 0; i < 80; i++) {
    kept(`${i} ${'word '.repeat(200)}`, stack);
    t.equal(kept('often asked for', stack).first, often);
  }
  t.not(kept('seldom asked for', stack).first, seldom);
  const long = kept('word '.repeat(4000), stack);
  t.not(long.first, long.second);
});

t.test('counts the fonts of spans in the key, which may be longer than the text', async (t) => {
  const stack = await stackOf('abc');
  const often = kept('often asked for', stack).first;
  const shapedTwice = (text: string, tags: number) => {
    const features = Object.fromEntries(Array.from({ length: tags }, (_, i) => [`f${100 + i}`, 1]));
    const font = { stack: { ...stack, features }, letterSpacing: 0 };
    const ranges = Array.from(text, (_, i) => ({ end: i + 1, font }));
    return [shapeCached(text, ranges), shapeCached(text, ranges)];
  };
  const [first, second] = shapedTwice('abc', 2);
  t.equal(first, second);
  const [long, again] = shapedTwice('abc'.repeat(40), 20);
  t.not(long, again, 'not cached when it would take too much room');
  t.equal(kept('often asked for', stack).first, often);
  for (let i = 0; i < 40; i++) shapedTwice(`abc${i}`.repeat(10), 10);
  t.not(kept('often asked for', stack).first, often, 'evicted by keys of 8000 units');
});
