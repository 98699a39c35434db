// Formatters write what Intl writes for a thousand values of each function in each locale.
import t from 'tap';
import { COMPARISONS, differences, otherData } from './against-intl.js';

for (const name of Object.keys(COMPARISONS)) {
  t.test(`${name} of a thousand values is that of Intl`, { skip: otherData }, (t) => {
    const { compared, found } = differences(name, 1000);
    t.same(found, [], `${compared} values`);
    t.end();
  });
}
