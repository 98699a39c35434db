// Transpiles TypeScript without type checks. Results are cached in node_modules/.cache by the hash of the source.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** @type {string | undefined} */
let folder;

/** The cache folder, named after a hash of the compiler version and this file: a change of either invalidates it. */
export function cacheFolder() {
  if (folder === undefined) {
    const { version } = require('typescript/package.json');
    const key = createHash('sha256')
      .update(version)
      .update(readFileSync(fileURLToPath(import.meta.url)));
    folder = join(ROOT, 'node_modules/.cache/platen-test', key.digest('hex').slice(0, 16));
    mkdirSync(folder, { recursive: true });
  }
  return folder;
}

/**
 * @param {string} source
 * @param {string} [path] if given, an inline source map is added
 */
export function transpile(source, path) {
  const name = createHash('sha256')
    .update(`${path ?? ''}\0${source}`)
    .digest('hex')
    .slice(0, 32);
  const cached = join(cacheFolder(), `${name}.js`);
  try {
    return readFileSync(cached, 'utf8');
  } catch {}
  const ts = require('typescript');
  const { outputText } = ts.transpileModule(source, {
    ...(path !== undefined && { fileName: path }),
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      verbatimModuleSyntax: true,
      ...(path !== undefined && { inlineSourceMap: true, inlineSources: true }),
    },
  });
  // Test files run in parallel, so write atomically.
  const temporary = `${cached}.${process.pid}`;
  writeFileSync(temporary, outputText);
  renameSync(temporary, cached);
  return outputText;
}
