// The long form of tests when no time is left: as on a slow machine.
import t from 'tap';

t.test('makes the least number of rounds when the time is over from the start', async (t) => {
  Object.assign(process.env, { PLATEN_TEST_FORM: 'sample', PLATEN_TEST_END: '1', PLATEN_TEST_SEED: '7' });
  const { rounds, sample } = await import('./exhaustive.js');
  t.equal([...rounds(10)].length, 1);
  t.strictSame([...rounds(10, 3)], [7_000_021, 7_000_022, 7_000_023]);
  t.equal([...sample(['a', 'b', 'c'], 2)].length, 1);
});
