// A million random expressions.
import t from 'tap';
import { fuzzExpressions } from './random-expressions.js';

t.test('a million random expressions give plain data or an error', async (t) => {
  const { values, failures } = fuzzExpressions(1_000_000, 2);
  t.same(failures, []);
  t.ok(values > 200_000, `${values} have a value`);
});
