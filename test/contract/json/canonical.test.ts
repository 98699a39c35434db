// Canonical JSON: equal for equal values, different for different ones.
import fc from 'fast-check';
import t from 'tap';
import { canonicalJson } from '../../../lib/contract/json/canonical.js';

t.test('does not depend on the order of keys, blanks or the spelling of numbers', async (t) => {
  const rows: [string, string][] = [
    ['{"b":1,"a":{"d":[1,2],"c":null}}', '{"a":{"c":null,"d":[1,2]},"b":1}'],
    ['{ "x" : [ 1.0 , 10e-1, -0, 1E2 ] }', '{"x":[1,1,0,100]}'],
    ['{"\\u0061":"\\u20ac\\/"}', '{"a":"€/"}'],
    ['{"10":1,"9":2,"B":3,"a":4}', '{"10":1,"9":2,"B":3,"a":4}'],
    ['{"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1}}'],
    ['[1e999,"\\ud800",true]', '[Infinity,"\\ud800",true]'],
  ];
  for (const [given, expected] of rows) t.equal(canonicalJson(JSON.parse(given)), expected);
});

t.test('is the same for any order of keys, and reads back as the value', async (t) => {
  const turned = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(turned);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([key, member]) => [key, turned(member)]),
    );
  };
  const json = fc.jsonValue({ noUnicodeString: false }).map((value) => JSON.parse(JSON.stringify(value)));
  fc.assert(
    fc.property(json, (value) => {
      const canonical = canonicalJson(value);
      t.equal(canonicalJson(turned(value)), canonical);
      t.same(JSON.parse(canonical), JSON.parse(JSON.stringify(value)));
    }),
  );
});
