// Golden images: each test/golden/<area>/<case>.json must render exactly the PNG beside it, and the plain kernels the same
// file as WebAssembly. A template's variables are in <case>.variables.json.
// A failing case writes expected, actual and diff images to out/golden. UPDATE=1 overwrites the golden images and still
// fails: look at them before committing.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PNG } from 'pngjs';
import t from 'tap';
import { createRenderer } from './any-payload.js';
import { awaitWithPlainKernels } from './kernels/plain.js';
import { diffOf } from './picture-diff.js';

const FOLDER = fileURLToPath(new URL('golden', import.meta.url));
const OUT = fileURLToPath(new URL('../out/golden', import.meta.url));
const update = process.env.UPDATE === '1';

/** The number of differing pixels per channel: r, g, b, a. Images of different sizes differ everywhere. */
function differences(expected: PNG, actual: PNG): [number, number, number, number] {
  const counts: [number, number, number, number] = [0, 0, 0, 0];
  if (expected.width !== actual.width || expected.height !== actual.height) {
    return counts.map(() => actual.width * actual.height) as typeof counts;
  }
  actual.data.forEach((value, i) => {
    if (value !== expected.data[i]) counts[i % 4]++;
  });
  return counts;
}

const cases = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.json') && !name.endsWith('.variables.json'))
  .map((name) => name.slice(0, -'.json'.length).split(sep).join('/'))
  .sort();

t.ok(cases.length >= 25, `${cases.length} cases`);

t.test('each payload renders its golden image', async (t) => {
  const [renderer, plainRenderer] = [0, 1].map(() => createRenderer({ baseDirectory: FOLDER }));
  for (const name of cases) {
    const read = (path: string) => JSON.parse(readFileSync(join(FOLDER, path), 'utf8'));
    const payload: unknown = read(`${name}.json`);
    const variables = existsSync(join(FOLDER, `${name}.variables.json`)) && read(`${name}.variables.json`);
    const options = { format: 'png', ...(variables && { variables }) } as const;
    const { bytes } = await renderer.render(payload, options);
    const plain = await awaitWithPlainKernels(() => plainRenderer.render(payload, options));
    t.ok(Buffer.from(bytes).equals(plain.bytes), `${name}, with the plain kernels`);
    const file = join(FOLDER, `${name}.png`);
    const expected = existsSync(file) ? PNG.sync.read(readFileSync(file)) : new PNG({ width: 1, height: 1 });
    const actual = PNG.sync.read(Buffer.from(bytes));
    const counts = differences(expected, actual);
    if (counts.every((count) => count === 0)) {
      t.pass(name);
      continue;
    }
    if (update) {
      writeFileSync(file, bytes);
      t.fail(`${name}: rewritten; look at it, then run again without UPDATE`);
      continue;
    }
    const stem = join(OUT, name);
    mkdirSync(dirname(stem), { recursive: true });
    writeFileSync(`${stem}.expected.png`, PNG.sync.write(expected));
    writeFileSync(`${stem}.actual.png`, bytes);
    writeFileSync(`${stem}.diff.png`, PNG.sync.write(diffOf(expected, actual)));
    t.fail(`${name}: ${counts.join(', ')} pixels differ in r, g, b, a; see out/golden/${name}.diff.png`);
  }
});
