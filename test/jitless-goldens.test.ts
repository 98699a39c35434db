// Hosts without WebAssembly (node --jitless) draw the goldens and examples with the same pixels, or say that AVIF needs WebAssembly.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { sample } from './exhaustive.js';
import { groupOf, makeCases } from './parity/cases.js';
import type { Result } from './parity/compare.js';

const folder = t.testdir({});
makeCheckout(folder);

const all = (await makeCases(0, '1')).filter((one) => ['goldens', 'examples'].includes(groupOf(one)));
const cases = [...sample(all, 15)];
writeFileSync(join(folder, 'cases.jsonl'), cases.map((one) => JSON.stringify(one)).join('\n'));

/** Renders the cases with the library of the checkout. Returns the results by name. */
function renderAll(flags: readonly string[]): Promise<Map<string, Result>> {
  const driver = join(ROOT, 'test/parity/runtimes/process.mjs');
  const argv = [...flags, driver, join(folder, 'dist/lib/index.js'), join(folder, 'cases.jsonl'), '--pictures'];
  const options = { env: ownEnvironment(folder), cwd: folder, maxBuffer: 2 ** 30 };
  return new Promise((resolve, reject) => {
    execFile(process.execPath, argv, options, (error, output) => {
      if (error) return reject(error);
      const results = output
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Result);
      resolve(new Map(results.map((result) => [result.name, result])));
    });
  });
}

t.test('goldens and examples', async (t) => {
  const [usual, plain] = await Promise.all([renderAll([]), renderAll(['--jitless'])]);
  t.equal(plain.size, cases.length);
  let same = 0;
  for (const [name, expected] of usual) {
    const found = plain.get(name)!;
    if (found.error !== undefined) t.match(found.error, /^render_failed: .*coding AVIF needs WebAssembly/, name);
    else {
      same++;
      t.equal(found.pixels, expected.pixels, `${name}: the pixels`);
      t.equal(found.encoded, expected.encoded, `${name}: the file`);
      t.equal(found.warnings, expected.warnings, `${name}: the warnings`);
    }
  }
  t.ok(same > 0.8 * cases.length, `${same} of ${cases.length} are drawn`);
});
