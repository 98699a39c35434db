// Some thousand random expressions; fuzz-long.test.ts has a million.
import t from 'tap';
import { fuzzExpressions } from './random-expressions.js';

t.test('random expressions give plain data or an error', async (t) => {
  const { values, failures } = fuzzExpressions(5000, 1);
  t.same(failures, []);
  t.ok(values > 1000, `${values} have a value`);
});
