// CFF outlines against HarfBuzz's: every operator of Type 2 charstrings that draws, in random order.
import t from 'tap';
import { outlineKernels } from '../../../lib/kernels/kernels.js';
import { nodeHost } from '../../../lib/node-host.js';
import { createHarfBuzzEngine } from '../../../lib/text/harfbuzz/font.js';
import { instantiate } from '../../../lib/text/harfbuzz/instance.js';
import { plainTextEngine } from '../../../lib/text/opentype/font.js';
import { dice, pick, roll, rounds } from '../../exhaustive.js';
import { bytes, callGlobal, callLocal, cffFont, ENDCHAR, RETURN, sfnt, short, u32 } from '../../fonts/font-maker.js';

const harfbuzz = createHarfBuzzEngine(instantiate(await nodeHost.loadWasm('harfbuzz'), outlineKernels()));

/** Operators with the numbers of operands that each may have. */
const OPERATORS: readonly (readonly [operator: number[], counts: readonly number[]])[] = [
  [[21], [2]],
  [[22], [1]],
  [[4], [1]],
  [[5], [2, 4, 8]],
  [[6], [1, 2, 5]],
  [[7], [1, 2, 5]],
  [[8], [6, 12]],
  [[24], [8, 14]],
  [[25], [8, 10]],
  [[26], [4, 5, 8, 9]],
  [[27], [4, 5, 8, 9]],
  [[30], [4, 5, 8, 9, 12, 13]],
  [[31], [4, 5, 8, 9, 12, 13]],
  [[12, 34], [7]],
  [[12, 35], [13]],
  [[12, 36], [9]],
  [[12, 37], [11]],
];

function charstring(random: () => number): Uint8Array {
  const number = () => {
    const value = roll(random, 900) - 450;
    return roll(random, 4) === 0 ? bytes(255, u32(value * 65_536 + roll(random, 65_536))) : short(value);
  };
  const numbers = (count: number) => bytes(...Array.from({ length: count }, number));
  // the glyph starts with a width, stems and a mask of their bits
  const start = bytes(numbers(5), 18, numbers(2), 19, 0b1110_0000);
  const parts = Array.from({ length: 12 }, () => {
    const [operator, counts] = pick(random, OPERATORS);
    return bytes(numbers(pick(random, counts)), ...operator);
  });
  return bytes(start, numbers(2), 21, ...parts, callLocal(0), callGlobal(0), ENDCHAR);
}

function outlinesOf(file: Uint8Array, glyphs: number): string[][] {
  return [harfbuzz, plainTextEngine].map((engine) => {
    const font = engine.open(file);
    return Array.from({ length: glyphs }, (_, glyph) => {
      const { verbs, coords } = font.outline(glyph);
      return `${verbs} ${coords}`;
    });
  });
}

t.test('draws random charstrings as HarfBuzz does', (t) => {
  for (const seed of rounds(20)) {
    const random = dice(seed);
    const charstrings = Array.from({ length: 20 }, () => charstring(random));
    const subroutines = {
      localSubrs: [bytes(short(10), short(20), 5, RETURN)],
      globalSubrs: [bytes(short(-30), 6, RETURN)],
    };
    const file = sfnt(cffFont({ charstrings, ...subroutines }));
    const [expected, found] = outlinesOf(file, charstrings.length + 1);
    t.ok(expected.filter((outline) => outline.length > 50).length > 15, 'they draw something');
    t.strictSame(found, expected, `seed ${seed}`);
  }
  t.end();
});
