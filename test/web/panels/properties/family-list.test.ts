// The families that a text names, alone or in a CSS list.
import t from 'tap';
import { firstKnown, withFirstFamily } from '../../../../web/panels/properties/fonts/family-list.js';

t.test('finds the first known family of a list', async (t) => {
  const known = [{ family: 'Inter' }, { family: 'Lora' }, { family: 'Foo, Bar' }];
  const rows: [string, string | undefined][] = [
    ['inter', 'Inter'],
    [' Lora ', 'Lora'],
    ['foo, bar', 'Foo, Bar'],
    ['Nope, "lora", Inter', 'Lora'],
    ['Nope, Nada', undefined],
    ['', undefined],
  ];
  for (const [list, family] of rows) t.equal(firstKnown(list, known)?.family, family, JSON.stringify(list));
});

t.test('a family that is chosen takes the place of the first of a list', async (t) => {
  const rows: [string | undefined, string, string][] = [
    [undefined, 'Lora', 'Lora'],
    ['Inter', 'Lora', 'Lora'],
    ['Inter, "Noto Sans JP", serif', 'Lora', 'Lora, "Noto Sans JP", serif'],
    ['Inter, lora, serif', 'Lora', 'Lora, serif'],
    ['Inter, serif', 'Foo, "Bar"', '"Foo, \\"Bar\\"", serif'],
  ];
  for (const [list, family, expected] of rows) t.equal(withFirstFamily(list, family), expected);
});
