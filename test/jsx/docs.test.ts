// docs/jsx.md lists the properties of the code's own table. UPDATE=1 writes it.
import { readFileSync, writeFileSync } from 'node:fs';
import t from 'tap';
import { PROPERTIES } from '../../lib/jsx/css/properties.js';
import { cssName } from '../../lib/jsx/report.js';

const PAGE = new URL('../../docs/jsx.md', import.meta.url);
const HEADING = '| property | values | inherited |\n|---|---|---|\n';

/** A row for neighbouring properties of the same values. */
function table(): string {
  const rows: { names: string[]; values: string; isInherited: boolean }[] = [];
  for (const [name, { words, values, isInherited = false }] of PROPERTIES) {
    const written = [...words.map((word) => `\`${word}\``), ...(values === '' ? [] : [values])].join(', ');
    const css = `\`${cssName(name)}\``;
    const last = rows.at(-1);
    if (last?.values === written && last.isInherited === isInherited) last.names.push(css);
    else rows.push({ names: [css], values: written, isInherited });
  }
  return rows
    .map(({ names, values, isInherited }) => `| ${names.join(', ')} | ${values} | ${isInherited ? 'yes' : 'no'} |\n`)
    .join('');
}

t.test('docs/jsx.md has the table of supported properties', (t) => {
  const page = readFileSync(PAGE, 'utf8');
  const start = page.indexOf(HEADING);
  const expected = `${start < 0 ? page : page.slice(0, start)}${HEADING}${table()}`;
  if (process.env.UPDATE === '1') writeFileSync(PAGE, expected);
  t.equal(page, expected);
  t.end();
});
