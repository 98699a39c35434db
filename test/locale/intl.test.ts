// Formatters write what Intl writes. test/locale/intl-long.test.ts compares more values, and all locales.
import t from 'tap';
import { COMPARISONS, differences, LOCALES, otherData } from './against-intl.js';

t.test('texts are those of Intl', { skip: otherData }, (t) => {
  t.equal(LOCALES.length, 50);
  const some = LOCALES.filter((_, i) => i % 5 === 0);
  for (const name of Object.keys(COMPARISONS)) {
    const { compared, found } = differences(name, 40, some);
    t.same(found, [], `${name}: ${compared} values`);
  }
  t.end();
});
