// Sets of icons in Iconify's format, and the files of the package.
import { readdirSync, readFileSync } from 'node:fs';
import t from 'tap';
import { parsePathData } from '../../lib/geometry/path-data.js';
import { IconSet } from '../../lib/icons/icon-set.js';
import type { IconPath } from '../../lib/icons/parts.js';

const path = '<path d="M0 0h2"/>';

t.test('an icon has the size of its set, or its own', async (t) => {
  const set = IconSet.read({
    prefix: 'my-set',
    width: 20,
    height: 10,
    icons: { a: { body: path }, b: { body: path, width: 30, left: -5, top: 2, hidden: true } },
  });
  t.equal(set.prefix, 'my-set');
  t.same(set.names(), ['a', 'b']);
  t.same(set.find('a')?.viewBox, [0, 0, 20, 10]);
  t.same(set.find('b')?.viewBox, [-5, 2, 30, 10]);
  t.equal(set.find('a'), set.find('a'), 'is drawn once');
  for (const name of ['c', '', '__proto__', 'constructor', 'toString']) t.equal(set.find(name), undefined, name);
  t.same(IconSet.read({ prefix: 'a', icons: { a: { body: path } } }).find('a')?.viewBox, [0, 0, 16, 16]);
});

t.test('aliases turn and mirror the icon that they name', async (t) => {
  const set = IconSet.read({
    prefix: 'a',
    width: 4,
    height: 2,
    icons: { a: { body: path } },
    aliases: {
      same: { parent: 'a' },
      quarter: { parent: 'a', rotate: 1 },
      half: { parent: 'quarter', rotate: 5 },
      left: { parent: 'a', hFlip: true },
      down: { parent: 'a', vFlip: true },
      wide: { parent: 'a', width: 8 },
    },
  });
  const drawn = (name: string) => {
    const { viewBox, parts } = set.find(name)!;
    return [viewBox, (parts[0] as IconPath).d];
  };
  t.same(drawn('same'), [[0, 0, 4, 2], 'M0 0h2']);
  t.same(drawn('quarter'), [[0, 0, 2, 4], 'M2 0L2 2']);
  t.same(drawn('half'), [[0, 0, 4, 2], 'M4 2L2 2']);
  t.same(drawn('left'), [[0, 0, 4, 2], 'M4 0L2 0']);
  t.same(drawn('down'), [[0, 0, 4, 2], 'M0 2L2 2']);
  t.same(drawn('wide'), [[0, 0, 8, 2], 'M0 0h2']);
});

t.test('refuses what is no set, and a set of which one icon can not be drawn', async (t) => {
  const icons = { a: { body: path } };
  const bad: readonly (readonly [unknown, RegExp])[] = [
    [null, /received null, expected an Iconify set/],
    ['{}', /expected an Iconify set/],
    [{ icons }, /prefix: received nothing/],
    [{ prefix: '../a', icons }, /prefix: received "\.\.\/a"/],
    [{ prefix: 'a', icons: [] }, /a: icons: received an empty array/],
    [{ prefix: 'a' }, /a: icons: received nothing/],
    [{ prefix: 'a', icons: { '../b': { body: path } } }, /a: received the name "\.\.\/b"/],
    [{ prefix: 'a', icons: { B: { body: path } } }, /a: received the name "B"/],
    [{ prefix: 'a', icons: { b: { body: 3 } } }, /a:b: received an object with body, expected an object with a body/],
    [{ prefix: 'a', icons: { ...icons, b: { body: '<image/>' } } }, /a:b: received <image>/],
    [{ prefix: 'a', width: 0, icons }, /a:a: width: received 0, expected a number above 0/],
    [{ prefix: 'a', icons: { a: { body: path, height: '3' } } }, /a:a: height: received "3"/],
    [{ prefix: 'a', icons: { a: { body: path, rotate: 0.5 } } }, /a:a: rotate: received 0.5/],
    [{ prefix: 'a', icons, aliases: { b: { parent: 'c' } } }, /a:b: is no icon, and an alias of none/],
    [{ prefix: 'a', icons, aliases: { b: { parent: '__proto__' } } }, /a:b: is no icon/],
    [
      { prefix: 'a', icons, aliases: { b: { parent: 'c' }, c: { parent: 'b' } } },
      /a:b: is an alias of more than 8 others/,
    ],
    [
      { prefix: 'a', icons: Object.fromEntries(Array.from({ length: 50_001 }, (_, i) => [`i${i}`, { body: '' }])) },
      /a: has 50001 icons, expected at most 50000/,
    ],
  ];
  for (const [json, message] of bad) {
    t.throws(() => IconSet.read(json), { message }, JSON.stringify(json).slice(0, 80));
  }
});

t.test('every icon of the package can be drawn, also by its former names', async (t) => {
  const folder = new URL('../../fonts/icons/lucide/', import.meta.url);
  let count = 0;
  let single = 0;
  for (const file of readdirSync(folder)) {
    const json = JSON.parse(readFileSync(new URL(file, folder), 'utf8'));
    const set = IconSet.ofPackage(json);
    for (const name of [...set.names(), ...Object.keys(json.formerNames)]) {
      t.equal(`${name[0]}.json`, file);
      const icon = set.find(name);
      if (!icon || icon.parts.length === 0) t.fail(name);
      for (const part of icon?.parts ?? []) {
        if (!('d' in part) || 'expected' in parsePathData(part.d)) t.fail(`${name}: ${JSON.stringify(part)}`);
      }
      count++;
      if (icon?.parts.length === 1) single++;
    }
  }
  t.ok(count > 2000, `${count} names`);
  t.ok(single > 0.95 * count, `${single} are one path`);
});
