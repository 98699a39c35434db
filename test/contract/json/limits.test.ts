// The limits on values and nesting, checked on the bytes before parsing.
import fc from 'fast-check';
import t from 'tap';
import { BODY_LEVELS, BODY_VALUES, enforceJsonLimits } from '../../../lib/contract/json/limits.js';

const check = (text: string) => () => enforceJsonLimits(Buffer.from(text));
const tooMany = { code: 'invalid_request', message: `received more than ${BODY_VALUES} values, expected fewer` };
const tooDeep = {
  code: 'invalid_request',
  message: `received more than ${BODY_LEVELS} levels of nesting, expected fewer`,
};

// fault: 4
t.test('accepts the maximum number of values and rejects one more', async (t) => {
  t.doesNotThrow(check(`[${'1,'.repeat(BODY_VALUES - 1)}1]`));
  t.throws(check(`[${'1,'.repeat(BODY_VALUES)}1]`), tooMany);
  t.doesNotThrow(check(`[${'{},'.repeat(BODY_VALUES / 2 - 1)}0]`));
  t.throws(check(`[${'{},'.repeat(BODY_VALUES / 2)}0]`), tooMany);
  t.throws(check(`{${'"a":0,'.repeat(BODY_VALUES)}"a":0}`), tooMany);
  t.throws(check(`${'[],'.repeat(BODY_VALUES)} and no JSON`), tooMany, 'before it is read as JSON');
});

// fault: 3
t.test('accepts the maximum nesting and rejects one more level', async (t) => {
  t.doesNotThrow(check('['.repeat(BODY_LEVELS) + ']'.repeat(BODY_LEVELS)));
  t.throws(check('['.repeat(BODY_LEVELS + 1)), tooDeep);
  t.throws(check('{"a":'.repeat(BODY_LEVELS + 1)), tooDeep);
  t.doesNotThrow(check('[]{}'.repeat(1000)), 'beside each other');
  t.doesNotThrow(check(']}'.repeat(1000)), 'what closes nothing is for the parser');
});

t.test('ignores brackets and commas inside strings', async (t) => {
  const text = '[{,'.repeat(BODY_VALUES);
  for (const string of [text, `\\"${text}`, `\\\\\\"${text}`, `${text}\\\\`, `\u{1f5bc}é${text}`, '\\"'.repeat(1e6)]) {
    t.doesNotThrow(check(`{"a":"${string}","b":[]}`));
  }
  t.throws(check(`{"a":"\\\\",${text}`), /more than/, 'a string that ends in a backslash has ended');
  t.doesNotThrow(check(`{"a":"${text}`), 'one that does not end');
  t.doesNotThrow(check('"\\'));
});

t.test('counts any JSON exactly', async () => {
  const count = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce((sum: number, child) => sum + count(child), 1) +
        Math.max(0, Object.keys(value).length - 1);
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 2), (value, indent) => {
      // padded up to the bound, and one beyond it
      const room = BODY_VALUES - count(value) - 2;
      const text = JSON.stringify(value, null, indent);
      const padded = (commas: number) => `[${text},[${','.repeat(commas)}`;
      check(padded(room - 1))();
      try {
        check(padded(room))();
      } catch (error) {
        return (error as Error).message === tooMany.message;
      }
      return false;
    }),
    { numRuns: 40, seed: 4 },
  );
});
