// The example templates are valid, give no warnings, and render with every row of their data files and with every sample set in
// every size.
import { createReadStream, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import t from 'tap';
import { variablesFrom } from '../../lib/batch/cells.js';
import { readRows } from '../../lib/batch/rows.js';
import { columnsIn } from '../../lib/cli/batch/output-paths.js';
import { parseTemplate } from '../../lib/contract/template/parse.js';
import { listSamples } from '../../lib/contract/template/samples.js';
import { sizeNames } from '../../lib/contract/template/sizes.js';
import { validatePayload } from '../../lib/contract/validate.js';
import { createRenderer } from '../any-payload.js';
import { ROOT } from '../checkout.js';

// The package's types describe its default export as a namespace.
const scan = jsqr as unknown as typeof jsqr.default;
const folder = join(ROOT, 'data/templates');
const files = readdirSync(folder);
const listed = readFileSync(join(folder, 'README.md'), 'utf8');
const renderer = createRenderer({ baseDirectory: folder });
const limits = { maxLayers: 500 };

const templates = files.filter((name) => name.endsWith('.json'));
t.ok(templates.length >= 12, `${templates.length} templates`);

for (const name of templates) {
  t.test(name, async (t) => {
    const record: Record<string, unknown> = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    t.match(validatePayload(record, limits), { kind: 'template', errors: [], warnings: [] });
    const template = parseTemplate(record, limits);
    const { width, height } = template;
    const rowsName = files.find((file) => /\.(csv|jsonl)$/.test(file) && file.startsWith(name.replace('json', '')));
    t.match(listed, `| \`${name}\` | ${width} × ${height} | ${rowsName ? `\`${rowsName}\`` : ''}`, 'is listed');
    const sizes = [undefined, ...sizeNames(record)];
    const samples = listSamples(record);
    const names = samples.map((sample) => sample.name);
    t.same(names.slice(0, 3), ['Short', 'Long', 'Right to left']);
    // what continues on other pages is rendered as a document: a picture shows its first page
    const hasPages = JSON.stringify(record).includes('"paginate":true');
    const format = hasPages ? ({ format: 'pdf' } as const) : {};
    if (hasPages) t.same((await renderer.render(record)).warnings, [], 'as a picture');
    for (const size of sizes) {
      for (const { name: sample, variables } of [{ name: 'none', variables: {} }, ...samples]) {
        const { warnings } = await renderer.render(record, {
          variables,
          ...(size !== undefined && { size }),
          ...format,
        });
        t.same(warnings, [], `${size ?? 'its own size'}, sample ${sample}`);
      }
    }
    if (rowsName === undefined) return;
    const [, pattern] = new RegExp(`${rowsName} -o "([^"]+)"`).exec(listed) ?? [];
    t.match(await renderer.render(record), { width, height, warnings: [] });

    const { columns, rows } = await readRows(rowsName, createReadStream(join(folder, rowsName)));
    const fileNameColumns = columnsIn(String(pattern));
    const variablesOf = variablesFrom(template, { columns, fileNameColumns, sizeColumn: undefined });
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
