// Starter templates that take lists, filled with none, one, several and many entries: what does not fit is warned of.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { createRenderer } from '../any-payload.js';
import { ROOT } from '../checkout.js';

const folder = join(ROOT, 'data/templates');
const renderer = createRenderer();
const COUNTS = [0, 1, 7, 200];

interface Declaration {
  readonly type?: string;
  readonly of?: Readonly<Record<string, string>>;
}

const declarationsOf = (record: { readonly variables?: Readonly<Record<string, Declaration>> }) =>
  Object.entries(record.variables ?? {}).filter(([, { type }]) => type === 'array');

/** Entries with texts of one to many words, and with fields that are missing. */
function entries({ of = {} }: Declaration, count: number): object[] {
  const words = ['Harbour', 'Winter', 'Notes', 'on', 'the', 'Cartography', 'of', 'Small', 'Islands'];
  const value = (type: string, i: number) => {
    if (type === 'number') return ((i * 37) % 90) + 5;
    if (type === 'date') return new Date(Date.UTC(2026, 0, 1 + i)).toISOString();
    return words.slice(0, 1 + (i % words.length)).join(' ');
  };
  return Array.from({ length: count }, (_, i) =>
    Object.fromEntries(
      Object.entries(of).flatMap(([name, type], k) => (i % 5 === 4 && k > 1 ? [] : [[name, value(type, i)]])),
    ),
  );
}

let found = 0;
for (const name of readdirSync(folder).filter((file) => file.endsWith('.json'))) {
  const record = JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const lists = declarationsOf(record);
  if (lists.length === 0) continue;
  found++;
  for (const count of COUNTS) {
    t.test(`${name} with ${count} entries`, async (t) => {
      const variables = Object.fromEntries(lists.map(([key, declaration]) => [key, entries(declaration, count)]));
      const { width, height, layers, warnings } = await renderer.inspect(record, { variables });
      const codes = warnings.map(({ code }) => code);
      if (count < 200) t.notOk(codes.includes('list_cut'), 'there is room for them');
      t.ok(
        codes.every((code) => code === 'list_cut' || code === 'labels_omitted'),
        String(codes),
      );
      const beyond = layers.filter(({ visible, box: [x, y, w, h] }) => {
        return visible !== false && (x < -0.5 || y < -0.5 || x + w > width + 0.5 || y + h > height + 0.5);
      });
      t.same(
        beyond.map(({ path }) => path),
        [],
        `nothing is outside of ${width} × ${height}`,
      );
      t.same(
        layers.filter(({ overflow }) => overflow),
        [],
        'no text overflows',
      );
    });
  }
}
t.ok(found >= 4, `${found} templates take lists`);
