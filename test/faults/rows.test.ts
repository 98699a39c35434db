// README.md of this folder against the tests: each row of the list of faults is there once, and each test that it names exists.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';

const ROWS = 104;
const folder = join(ROOT, 'test/faults');
const page = readFileSync(join(folder, 'README.md'), 'utf8');

interface Row {
  readonly number: number;
  readonly what: string;
  readonly heldBy: string;
}

const rows = page.split('\n').flatMap((line): Row[] => {
  const [, number, what, heldBy] = /^\| (\d+) \| (.+?) \| (.+) \|$/.exec(line) ?? [];
  return heldBy === undefined ? [] : [{ number: Number(number), what, heldBy }];
});

const isHeld = ({ heldBy }: Row) => heldBy.startsWith('[');

t.test('every row is there once, in order', async (t) => {
  t.same(
    rows.map(({ number }) => number),
    Array.from({ length: ROWS }, (_, i) => i + 1),
  );
  t.equal(new Set(rows.map(({ what }) => what)).size, ROWS);
});

t.test('a row names its tests, or says why there is none', async (t) => {
  for (const row of rows) {
    if (isHeld(row)) t.match(row.heldBy, /“/, `row ${row.number}`);
    else t.match(row.heldBy, /^(Does not apply|By command|Open): .{20}/, `row ${row.number}`);
  }
  const held = rows.filter(isHeld).length;
  t.match(page, new RegExp(`\\b${held} rows are held by tests`));
});

t.test('the tests that are named exist', async (t) => {
  let named = 0;
  for (const { number, heldBy } of rows.filter(isHeld)) {
    for (const part of heldBy.split('<br>')) {
      const [, file, titles] = /^\[[^\]]+\]\(([^)]+)\)((?: “[^”]+”)+)$/.exec(part) ?? [];
      // what follows the tests is a remark
      if (titles === undefined) {
        t.notMatch(part, /“|\[/, `row ${number}: ${part}`);
        continue;
      }
      const path = join(folder, file);
      if (!existsSync(path)) {
        t.fail(`row ${number}: there is no ${file}`);
        continue;
      }
      const text = readFileSync(path, 'utf8');
      for (const [, title] of titles.matchAll(/“([^”]+)”/g)) {
        named++;
        const isThere = ["'", '"', '`'].some((quote) => text.includes(`${quote}${title}${quote}`));
        if (!isThere) t.fail(`row ${number}: ${file} has no test “${title}”`);
      }
    }
  }
  t.ok(named > ROWS, `${named} tests are named`);
});
