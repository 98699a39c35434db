// Which files `npm test` leaves to `npm run test:full`: each place that selection.mjs names has files, and each file is in one.
import t from 'tap';

const { testFiles } = await import('./run.mjs' as string);
const { FULL, isFull, leftOut } = await import('./selection.mjs' as string);

t.test('names only places that have test files, each once', async (t) => {
  const paths: string[] = testFiles();
  const places = Object.values<string[]>(FULL).flat();
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
