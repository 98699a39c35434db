// Names of copies and files of templates.
import t from 'tap';
import { copyName, exportedText, fileName } from '../../web/pages/templates/names.js';

t.test('a copy has the first name that is free', (t) => {
  t.equal(copyName('Card', []), 'Card copy');
  t.equal(copyName('Card', ['Card', 'Card copy']), 'Card copy 2');
  t.equal(copyName('Card copy', ['Card', 'Card copy', 'Card copy 2']), 'Card copy 3', 'of a copy too');
  t.equal(copyName('a'.repeat(200), []).length, 200);
  t.match(copyName('a'.repeat(200), ['x']), / copy$/);
  t.end();
});

t.test('a file name is one that every file system takes', (t) => {
  t.equal(fileName('Event card – 2027'), 'event-card-2027');
  t.equal(fileName('../../etc/passwd'), 'etc-passwd');
  t.equal(fileName('Żółć / ação'), 'żółć-ação');
  t.equal(fileName('नमस्ते दुनिया'), 'नमस्ते-दुनिया');
  for (const name of ['', '???', '🎉']) t.equal(fileName(name), 'template');
  t.ok(fileName('long '.repeat(50)).length <= 80);
  t.notMatch(fileName('long '.repeat(50)), /-$/);
  t.end();
});

t.test('a file that was exported and imported is exported as the same bytes', (t) => {
  const record = { name: 'Zoë', width: 1, layers: [], background: { color: '#fff' }, unknown: [1.5, null, 'é\u2028'] };
  const text = exportedText(record);
  t.equal(exportedText(JSON.parse(text)), text);
  t.match(text, /^\{\n {2}"name": "Zoë",\n.*\}\n$/s, 'as `platen templates export` prints it');
  t.end();
});
