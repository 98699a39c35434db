// A short run of the fuzzer over every target, from the repository's files and with a fixed seed in the normal form; and
// tests of the fuzzer itself: reproducible inputs, and detection of failures.
import t from 'tap';
import { FORM, rounds } from '../exhaustive.js';
import { build } from './built.js';
import { costlyInput, repeatPart } from './costly.js';
import { type Container, mutateParts } from './parts.js';
import { JPEG, PNG, RIFF } from './pictures.js';
import { createRandom } from './random.js';
import { smallPng } from './samples.js';
import { TARGETS as ALL } from './targets.js';

const TARGETS = 14;
const TARGETS_BY_NAME = new Map(ALL.map((target) => [target.name, target]));
/** Inputs of each target. */
const EACH = FORM === 'normal' ? 6 : 10;

// fault: 48, 50, 55, 58, 59
t.test('finds no failure in a short run', async (t) => {
  const built = await build();
  t.teardown(() => built.remove());
  const lines: string[] = [];
  for (const round of rounds(1)) {
    const statistics = await built.run.fuzz({
      root: built.root,
      seed: FORM === 'normal' ? 'short' : String(round),
      seconds: Number.POSITIVE_INFINITY,
      most: EACH,
      packages: false,
      deadlineMs: 300_000,
      keep: false,
      print: (line) => lines.push(line),
    });
    if (FORM === 'normal') for (const line of statistics.lines()) t.comment(line);
    t.equal(statistics.failures, 0, lines.join('\n'));
    t.equal(statistics.inputs, TARGETS * EACH);
  }
});

t.test('makes the same input from the same seed', (t) => {
  const make = (seed: string) => {
    const random = createRandom(seed);
    return Array.from({ length: 20 }, () => Buffer.from(mutateParts(random, PNG, smallPng(), [])).toString('hex'));
  };
  t.same(make('a'), make('a'));
  t.not(make('a').join(), make('b').join());
  const random = createRandom('spread');
  const counts = [0, 0, 0, 0];
  for (let i = 0; i < 4000; i++) counts[random.below(4)]++;
  for (const count of counts) t.ok(count > 850 && count < 1150, `${count} of 4000`);
  t.end();
});

t.test('makes the same expensive input from its lineage', async (t) => {
  const target = TARGETS_BY_NAME.get('json');
  if (!target) throw new Error('no such target');
  const seeds = [{ name: 'a text', bytes: Buffer.from('{"text":"some words","size":12}') }];
  const make = (...lineage: number[]) => Buffer.from(costlyInput(target, seeds, 'a', lineage)).toString();
  t.equal(make(1, 2, 3), make(1, 2, 3));
  t.not(make(1, 2, 3), make(1, 2, 4));
  const sizes = Array.from({ length: 40 }, (_, i) => repeatPart(createRandom(String(i)), seeds[0].bytes).length);
  t.ok(Math.max(...sizes) > 50_000 && Math.max(...sizes) <= 3_000_000, 'parts are repeated many times, within a bound');
});

t.test('rejoins split files to the same bytes', (t) => {
  const whole = (container: Container, bytes: Uint8Array) =>
    t.same(Buffer.from(container.join(container.split(bytes))), Buffer.from(bytes));
  whole(PNG, smallPng());
  whole(RIFF, Buffer.from('RIFF\x10\0\0\0WEBPVP8L\x03\0\0\0abc\0', 'latin1'));
  whole(JPEG, Buffer.from('ffd8ffe000044a46ffda000c03010002110311003f00123456ff0078ffd9', 'hex'));
  t.end();
});
