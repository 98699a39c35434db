// Damaged fonts: the text engine without WebAssembly reads what it can, and neither throws nor takes long.
import t from 'tap';
import { readFace } from '../../../lib/fonts/bundled.js';
import { plainTextEngine } from '../../../lib/text/opentype/font.js';
import { dice, roll, rounds } from '../../exhaustive.js';
import { cffFont, composite, ENDCHAR, SQUARE, sfnt, trueType, variableFont } from '../../fonts/font-maker.js';
import { faceOf } from '../setting.js';

const TEXTS = [
  ['Latn', 'Wafer AVATAR fi 1⁄2 x\u0301\u0302', false],
  ['Arab', 'السلام عَلَيْكُم', true],
  ['Hebr', 'שָׁלוֹם (א)', true],
] as const;

function use(file: Uint8Array): void {
  const font = plainTextEngine.open(file);
  font.setVariations(new Map([...font.axes].map(([tag, { min, max }]) => [tag, (min + 2 * max) / 3])));
  font.hasCharacters();
  font.extents();
  font.metric('undo');
  font.featureTags('GSUB');
  for (const [script, text, rightToLeft] of TEXTS) {
    font.canShape(script);
    for (const { id } of font.shape(text, 0, text.length, { script, rightToLeft, ligatures: true })) {
      font.outline(id);
      font.colorLayers(id);
    }
  }
}

t.test('files that are no fonts have no characters', (t) => {
  for (const file of [new Uint8Array(), new Uint8Array(100), Buffer.from('OTTO'), Buffer.alloc(300, 0xff)]) {
    t.notOk(plainTextEngine.open(file).hasCharacters());
    t.doesNotThrow(() => use(file));
  }
  t.end();
});

t.test('survives changed and missing bytes', async (t) => {
  const small = [
    variableFont(),
    sfnt(trueType(SQUARE, composite(1), composite(3, 3))),
    sfnt(cffFont({ charstrings: [ENDCHAR] })),
  ];
  const large = await Promise.all(
    ['Inter', 'Noto Sans Arabic', 'Noto Sans Hebrew'].map((family) => readFace(faceOf(family))),
  );
  for (const seed of rounds(40)) {
    const random = dice(seed);
    for (const file of [...small, ...large]) {
      const damaged = file.slice(0, roll(random, 4) === 0 ? roll(random, file.length) : undefined);
      const view = new DataView(damaged.buffer, damaged.byteOffset, damaged.length);
      // the directory and the tables' headers, then anywhere
      for (let i = 0; i < 40 && damaged.length > 400; i++) {
        const at = roll(random, 3) === 0 ? 12 + roll(random, 300) : roll(random, damaged.length - 4);
        if (i > 0) damaged[at] = roll(random, 256);
      }
      for (let table = 0; table < 20 && 12 + 16 * table + 16 < damaged.length; table++) {
        const start = view.getUint32(12 + 16 * table + 8);
        if (roll(random, 3) === 0 && start + 64 < damaged.length) damaged[start + roll(random, 64)] = roll(random, 256);
      }
      t.doesNotThrow(() => use(damaged), `seed ${seed}`);
    }
  }
});
