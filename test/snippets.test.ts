// Runs every TypeScript snippet of the README and docs/, and renders every JSON payload in them. types.test.ts checks their
// types; api-examples.test.ts runs those of docs/api.md, which need a server.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import { readHeader } from '../lib/codecs/header.js';
import { render } from '../lib/index.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { transpile } from './loader/transpile.mjs';
import { snippets } from './tables.js';

const run = promisify(execFile);
const folder = t.testdir({});
const env = ownEnvironment(folder);
makeCheckout(folder);

const all = snippets();
const typescript = all.filter(({ language }) => language === 'ts');

t.test('runs the TypeScript snippets, which print what their comments say', async (t) => {
  for (const { name, place, code } of typescript) {
    writeFileSync(join(folder, `${name}.mjs`), transpile(code));
    const { stdout, stderr } = await run(process.execPath, [`${name}.mjs`], { cwd: folder, env });
    t.equal(stderr, '', place);
    for (const [, comment] of code.matchAll(/^ *(?:console.*; |.*console\.log\(.*; )?\/\/ (.*)$/gm)) {
      // An ellipsis in a comment stands for omitted text.
      for (const part of comment.split('…')) t.match(stdout, part.trim(), `${place}: ${part}`);
    }
  }
  t.match(readHeader(readFileSync(join(folder, 'hi.png'))), { format: 'png', width: 400, height: 200 });
});

t.test('renders the JSON payloads without a warning that their page does not quote', async (t) => {
  let rendered = 0;
  for (const { place, page, code } of all.filter(({ language }) => language === 'json')) {
    const value = JSON.parse(code);
    if (!('canvas' in value)) continue;
    rendered++;
    // paths are relative to the document
    const baseDirectory = join(ROOT, 'docs');
    const { warnings } = await render(value, { baseDirectory });
    t.same(
      warnings.filter(({ path, message }) => !page.includes(`\`${path}: ${message}\``)),
      [],
      place,
    );
  }
  t.ok(rendered >= 2, `${rendered} payloads`);
});
