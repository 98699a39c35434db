// Cached paragraphs against newly shaped ones.
import t from 'tap';
import { shapeParagraph } from '../../lib/layout/paragraph.js';
import { settingKey, shapeCached } from '../../lib/layout/shape-cache.js';
import type { FontStack } from '../../lib/text/font-stack.js';
import { MONO, stackOf } from '../text/setting.js';

const TEXTS = [
  '',
  'office AVATAR, 12 fjords',
  'office AVATAR, 12 fjord',
  'tab\tstop soft\u00adhyphen',
  'مرحبا world שלום 123',
  '日本語の文字 👍🏽 mixed',
];

/** Shapes `text` twice through the cache; the second result is the same object. */
function kept(text: string, stack: FontStack, ligatures: boolean, direction?: number) {
  const setting = settingKey(stack, ligatures, direction);
  const first = shapeCached(text, setting, stack, ligatures, direction);
  return { first, second: shapeCached(text, setting, stack, ligatures, direction) };
}

t.test('a cached paragraph equals a newly shaped one in every setting', async (t) => {
  const all = TEXTS.join('');
  const stacks = [await stackOf(all), await stackOf('abc'), await stackOf(all, 'Inter', 700), await stackOf(all, MONO)];
  // in turns, so that one setting's paragraphs could stand in for another's
  for (const text of TEXTS) {
    for (const [which, stack] of stacks.entries()) {
      for (const ligatures of [true, false]) {
        for (const direction of [undefined, 0, 1]) {
          const { first, second } = kept(text, stack, ligatures, direction);
          const plain = shapeParagraph(text, stack, ligatures, direction);
          const name = `${JSON.stringify(text)}, stack ${which}, ligatures ${ligatures}, direction ${direction}`;
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
  const often = kept('often asked for', stack, true).first;
  const seldom = kept('seldom asked for', stack, true).first;
  for (let i = 0; i < 80; i++) {
    kept(`${i} ${'word '.repeat(200)}`, stack, true);
    t.equal(kept('often asked for', stack, true).first, often);
  }
  t.not(kept('seldom asked for', stack, true).first, seldom);
  const long = kept('word '.repeat(4000), stack, true);
  t.not(long.first, long.second);
});
