// The example templates are valid, give no warnings, and render with every row of their data files.
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import t from 'tap';
import { variablesFrom } from '../../lib/cli/batch/cells.js';
import { columnsIn } from '../../lib/cli/batch/output-paths.js';
import { readRows } from '../../lib/cli/batch/rows.js';
import { parseTemplate } from '../../lib/contract/template.js';
import { validatePayload } from '../../lib/contract/validate.js';
import { createRenderer } from '../../lib/index.js';
import { ROOT } from '../checkout.js';

// The package's types describe its default export as a namespace.
const scan = jsqr as unknown as typeof jsqr.default;
const folder = join(ROOT, 'data/templates');
const files = readdirSync(folder);
const listed = readFileSync(join(folder, 'README.md'), 'utf8');
const renderer = createRenderer({ baseDirectory: folder });
const limits = { maxLayers: 500 };

const templates = files.filter((name) => name.endsWith('.json'));
t.ok(templates.length >= 3, `${templates.length} templates`);

for (const name of templates) {
  t.test(name, async (t) => {
    const record: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    t.match(validatePayload(record, limits), { kind: 'template', errors: [], warnings: [] });
    const template = parseTemplate(record, limits);
    const { width, height } = template;
    const rowsName = files.find((file) => /\.(csv|jsonl)$/.test(file) && file.startsWith(name.replace('json', '')));
    t.match(listed, `| \`${name}\` | ${width} × ${height} | \`${rowsName}\` |`, 'is listed with its size and its rows');
    const [, pattern] = new RegExp(`${rowsName} -o "([^"]+)"`).exec(listed) ?? [];
    t.match(await renderer.render(record), { width, height, warnings: [] });

    const { columns, rows } = await readRows(String(rowsName), createReadStream(join(folder, String(rowsName))));
    const fileNameColumns = columnsIn(String(pattern));
    const variablesOf = variablesFrom(template, { columns, fileNameColumns });
    let count = 0;
    for await (const row of rows) {
      count++;
      if (!row.values) throw new Error(row.error);
      for (const column of fileNameColumns) t.type(row.values[column], 'string', column);
      const variables = variablesOf(row.values);
      const { bytes, warnings } = await renderer.render(record, { variables });
      t.same(warnings, []);
      const link = variables.link ?? variables['Verification link'];
      if (link === undefined) continue;
      const { data } = PNG.sync.read(Buffer.from(bytes));
      t.equal(scan(new Uint8ClampedArray(data), width, height)?.data, link);
    }
    t.ok(count >= 3, `${count} rows`);
  });
}
