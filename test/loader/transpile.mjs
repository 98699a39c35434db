// TypeScript → JavaScript without type checks. Results are kept in node_modules/.cache by the hash of the source, so
// that only the first run after a change pays for the compiler.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const require = createRequire(import.meta.url);

/** @type {string | undefined} */
let folder;

/** The cache of this compiler version and this file: a change of either starts a new one. */
function cacheFolder() {
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
 * @param {string} [path] for an inline source map; without it there is none
 */
export function transpile(source, path) {
  const name = createHash('sha256')
    .update(`${path ?? ''}\0${source}`)
    .digest('hex')
    .slice(0, 32);
  const kept = join(cacheFolder(), `${name}.js`);
  try {
    return readFileSync(kept, 'utf8');
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
  // Test files run side by side: a reader must never see half a file.
  const unfinished = `${kept}.${process.pid}`;
  writeFileSync(unfinished, outputText);
  renameSync(unfinished, kept);
  return outputText;
}
