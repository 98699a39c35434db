// Checks the list of faults in this folder's README.md: each row is there once, and the tests of a row carry its number in a comment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { testFiles } from '../loader/selection.mjs';

const ROWS = 108;
const page = readFileSync(join(ROOT, 'test/faults/README.md'), 'utf8');

interface Row {
  readonly number: number;
  readonly fault: string;
  readonly coverage: string;
}

const rows = page.split('\n').flatMap((line): Row[] => {
  const [, number, fault, coverage] = /^\| (\d+) \| (.+?) \| (.+) \|$/.exec(line) ?? [];
  return coverage === undefined ? [] : [{ number: Number(number), fault, coverage }];
});

const isTested = ({ coverage }: Row) => /^Tests\.(?= |$)/.test(coverage);

/** The place of a comment such as `// fault: 36, 37`, and the line below it. */
interface Marker {
  readonly place: string;
  readonly numbers: readonly number[];
  readonly next: string;
}

const markers = testFiles().flatMap((path): Marker[] => {
  const lines = readFileSync(join(ROOT, path), 'utf8').split('\n');
  return lines.flatMap((line, i) => {
    const [, list] = /^\s*\/\/ fault: (.*)$/.exec(line) ?? [];
    if (list === undefined) return [];
    return [{ place: `${path}:${i + 1}`, numbers: list.split(', ').map(Number), next: lines[i + 1] }];
  });
});

t.test('has every row once, in order', async (t) => {
  t.same(
    rows.map(({ number }) => number),
    Array.from({ length: ROWS }, (_, i) => i + 1),
  );
  t.equal(new Set(rows.map(({ fault }) => fault)).size, ROWS);
});

t.test('says for each row that tests hold it, or why none does', async (t) => {
  for (const row of rows.filter((row) => !isTested(row))) {
    t.match(row.coverage, /^(Does not apply|By command): .{20}/, `row ${row.number}`);
  }
  t.match(page, new RegExp(`\\b${rows.filter(isTested).length} rows are held by tests`));
});

t.test('has a test for each row that is held by tests', async (t) => {
  const covered = new Set(markers.flatMap(({ numbers }) => numbers));
  for (const { number, fault } of rows.filter(isTested)) t.ok(covered.has(number), `row ${number}: ${fault}`);
});

t.test('has a row for each marker, and a test below it', async (t) => {
  const tested = new Set(rows.filter(isTested).map(({ number }) => number));
  for (const { place, numbers, next } of markers) {
    t.same(
      numbers.filter((number) => !tested.has(number)),
      [],
      place,
    );
    t.match(next, /^\s*(await |void )?t\.test\(/, place);
  }
});
