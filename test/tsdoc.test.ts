// The examples in the docstrings of the library's public functions: each function has one, and they run.
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import ts from 'typescript';
import * as library from '../lib/index.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';

const run = promisify(execFile);
const SOURCES = ['lib/index.ts', 'lib/errors.ts', 'lib/fonts/bundled.ts', 'lib/links/sign.ts'];

/** The code of `@example` of each exported function and class, by its name. */
function examplesIn(path: string): Map<string, string> {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found = new Map<string, string>();
  for (const node of source.statements) {
    if (!(ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node)) || !node.name) continue;
    const tags = ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === 'example');
    if (tags.length > 1) throw new Error(`${path}: ${node.name.text} has ${tags.length} examples`);
    for (const tag of tags) found.set(node.name.text, ts.getTextOfJSDocComment(tag.comment) ?? '');
  }
  return found;
}

t.test('each public function has an example, which runs and prints what its comments say', async (t) => {
  const folder = t.testdir();
  makeCheckout(folder);
  const examples = new Map(SOURCES.flatMap((path) => [...examplesIn(path)]));
  const names = Object.keys(library);
  t.ok(names.length >= 9, names.join(', '));
  for (const name of names) {
    const code = examples.get(name);
    t.ok(code, name);
    if (!code) continue;
    writeFileSync(join(folder, `${name}.mjs`), `import { ${names} } from 'platen';\n${code}\n`);
    const { stdout, stderr } = await run(process.execPath, [`${name}.mjs`], {
      cwd: folder,
      env: ownEnvironment(folder),
    });
    t.equal(stderr, name === 'RenderError' ? stderr : '', name);
    for (const [, comment] of code.matchAll(/console\.log\(.*; \/\/ (.*)$/gm)) {
      // an ellipsis stands for what differs
      for (const part of comment.split('…')) t.ok(stdout.replace(/\s+/g, ' ').includes(part), `${name}: ${part}`);
    }
  }
});

t.test('the entries of browsers, workers and the client have examples too', async (t) => {
  for (const [path, name] of [
    ['lib/browser.ts', 'parsePayload'],
    ['lib/client/index.ts', 'createClient'],
    ['lib/web-worker/client.ts', 'createWorkerRenderer'],
  ] as const) {
    t.ok(examplesIn(path).get(name), `${path}: ${name}`);
  }
});
