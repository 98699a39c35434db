// Which files `npm test` leaves to `npm run test:full`: each place that selection.mjs names has files, and each file is in one.
import t from 'tap';

import { FULL, groupFiles, isFull, leftOut, testFiles } from './selection.mjs';

t.test('names only places that have test files, each once', async (t) => {
  const paths = testFiles();
  const places = Object.values(FULL).flat();
  for (const place of places) {
    t.ok(
      paths.some((path) => path === place || (place.endsWith('/') && path.startsWith(place))),
      place,
    );
  }
  t.equal(new Set(places).size, places.length);
  t.ok(isFull('test/crash/power.test.ts'));
  t.notOk(isFull('test/golden.test.ts'));
  t.notOk(isFull('test/library.test.ts.test.ts'));
});

t.test('one line says how many files were left out', async (t) => {
  t.equal(
    leftOut(['test/golden.test.ts', 'test/crash/power.test.ts', 'test/library.test.ts']),
    '# left out: 2 files (journeys in browsers 0, several nodes, crashes and attacks 1, programs and servers that start 0, the package and its documents 1, many cases 0);' +
      ' npm run test:full runs them',
  );
});

t.test('files of one folder share processes, but for those that need one of their own', async (t) => {
  const many = Array.from({ length: 13 }, (_, i) => `test/text/${String.fromCharCode(97 + i)}.test.ts`);
  const groups = groupFiles([
    ...many,
    'test/text/bidi/run.test.ts',
    'test/golden.test.ts',
    'test/text/naughty.test.ts',
  ]);
  t.same(
    [...groups].map(([name, paths]) => [name, paths.length]),
    [
      ['test/text/group-0', 12],
      ['test/text/group-1', 2],
      ['test/golden.test.ts', 1],
      ['test/text/naughty.test.ts', 1],
    ],
  );
});
