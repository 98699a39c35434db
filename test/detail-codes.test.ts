// The codes of warnings and details: docs/warnings.md lists them, and the OpenAPI document has the same.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { openapi } from '../lib/contract/openapi.js';
import { FAULT_CODES, isWarningCode, WARNING_CODES } from '../lib/detail-codes.js';
import { ROOT } from './checkout.js';
import { rowsUnder } from './tables.js';

const page = readFileSync(join(ROOT, 'docs/warnings.md'), 'utf8');
const tableOf = (codes: Readonly<Record<string, string>>) =>
  Object.entries(codes).map(([code, meaning]) => [`\`${code}\``, meaning]);

t.test('docs/warnings.md lists every code with its meaning', async (t) => {
  t.same(rowsUnder(page, 'Warnings'), tableOf(WARNING_CODES));
  t.same(rowsUnder(page, 'Details'), tableOf(FAULT_CODES));
});

t.test('a code is written like those of errors, and belongs to one table', async (t) => {
  for (const code of Object.keys(WARNING_CODES)) t.ok(isWarningCode(code) && /^[a-z]+(?:_[a-z]+)*$/.test(code), code);
  for (const code of Object.keys(FAULT_CODES)) t.ok(!isWarningCode(code) && /^[a-z]+(?:_[a-z]+)*$/.test(code), code);
  t.notOk(isWarningCode('toString'));
});

t.test('the OpenAPI document requires a code of every detail, and lists them', async (t) => {
  const { components } = openapi() as unknown as {
    components: { schemas: Record<string, { required?: string[]; properties: { code: { enum: string[] } } }> };
  };
  const { Detail: detail } = components.schemas;
  t.ok(detail.required?.includes('code'));
  t.same([...detail.properties.code.enum].sort(), Object.keys({ ...FAULT_CODES, ...WARNING_CODES }).sort());
});
