// Type-checks and runs every TypeScript snippet of the README and docs/, and renders every JSON payload in them.
// api-page.test.ts runs those of docs/api.md, which need a server.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import t from 'tap';
import ts from 'typescript';
import { readHeader } from '../lib/codecs/header.js';
import { render } from '../lib/index.js';
import { makeCheckout, ownEnvironment, ROOT } from './checkout.js';
import { transpile } from './loader/transpile.mjs';

const run = promisify(execFile);
const folder = t.testdir({});
const env = ownEnvironment(folder);
makeCheckout(folder);

const pages = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)].filter(
  (path) => path.endsWith('.md') && path !== 'docs/api.md',
);
const snippets = pages.flatMap((page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm), ([, language, code], i) => ({
    place: `${page}, snippet ${i + 1}`,
    name: `${page.replace(/\W/g, '-')}-${i + 1}`,
    language,
    code,
  }));
});
const typescript = snippets.filter(({ language }) => language === 'ts');

t.test('type-checks the TypeScript snippets', async (t) => {
  t.ok(typescript.length >= 6, `${typescript.length} snippets`);
  const paths = typescript.map(({ name, code }) => {
    const path = join(folder, `${name}.ts`);
    writeFileSync(path, code);
    return path;
  });
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, ROOT);
  const platen = [join(ROOT, 'lib/index.ts')];
  const typeRoots = [join(ROOT, 'node_modules/@types')];
  const program = ts.createProgram(paths, { ...options, typeRoots, paths: { platen } });
  for (const [i, { place }] of typescript.entries()) {
    const file = program.getSourceFile(paths[i]);
    t.ok(file, place);
    const errors = [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)];
    t.same(
      errors.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n')),
      [],
      place,
    );
  }
});

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

t.test('renders the JSON payloads without a warning', async (t) => {
  let rendered = 0;
  for (const { place, code } of snippets.filter(({ language }) => language === 'json')) {
    const value = JSON.parse(code);
    if (!('canvas' in value)) continue;
    rendered++;
    t.same((await render(value)).warnings, [], place);
  }
  t.ok(rendered >= 2, `${rendered} payloads`);
});
