// The code in docs/deploy-recipes.md is that of the applications that `npm run deploys` tries.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ROOT } from '../checkout.js';
import { TRIALS } from './trials/index.js';

const page = readFileSync(join(ROOT, 'docs/deploy-recipes.md'), 'utf8');
const blocks = [...page.matchAll(/^<!-- (\S+) -->\n```\w+\n([\s\S]*?)^```$/gm)];

t.test('quotes the files of the applications as they are', async (t) => {
  t.ok(blocks.length >= 18, `${blocks.length} files`);
  for (const [, path, code] of blocks) t.equal(code, readFileSync(join(ROOT, path), 'utf8'), path);
});

t.test('every trial has an application, except the one in an empty folder', async (t) => {
  t.ok(TRIALS.length >= 17);
  for (const { name } of TRIALS.filter(({ name }) => name !== 'empty'))
    t.ok(existsSync(join(ROOT, 'test/deploys/apps', name, 'package.json')), name);
});
