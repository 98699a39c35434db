// A plugin for esbuild that replaces lib/package-urls.ts by a module with a `new URL('…', import.meta.url)` for each file of the
// package, as bundlers and tracers of deployments look for it. The output lies in a folder of dist.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TRANSLATED } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Paths of the files in a folder of the checkout that a test passes, with slashes. */
function list(folder, test) {
  const names = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return names
    .map((name) => name.split(sep).join('/'))
    .filter((name) => test.test(name))
    .sort();
}

/**
 * A function that returns the URL of a name. `files`: their paths from dist/FOLDER, by name. A tracer that evaluates what it can
 * (@vercel/nft) takes a returned URL for a file, and what is in an object or an arrow function for a value.
 */
function lookup(name, files) {
  const cases = files.map(([key, path]) => `case ${JSON.stringify(key)}: return new URL('${path}', import.meta.url);`);
  return `export function ${name}Url(name) { switch (name) { ${cases.join('\n')} } return undefined; }`;
}

/** A function that returns the URL of one file, if there is one. */
const one = (name, path) =>
  `export function ${name}Url() { return ${path ? `new URL('${path}', import.meta.url)` : 'undefined'}; }`;

/**
 * Has other bundlers leave the imports of URLs that are made at run time alone, in all scripts of a folder. esbuild drops comments.
 */
export function markLateImports(/** @type {string} */ folder) {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.js'))) {
    const text = readFileSync(join(folder, name), 'utf8');
    const marked = text.replace(/\bimport\((?=[\w$.]+\))/g, 'import(/* webpackIgnore: true */ /* @vite-ignore */');
    if (marked !== text) writeFileSync(join(folder, name), marked);
  }
}

/**
 * @param {object} options
 * @param {readonly string[]} options.wasm names of WebAssembly modules
 * @param {boolean} [options.hyphenation] whether the hyphenation patterns are named
 * @param {string} [options.worker] the main module of worker processes, beside the output
 */
export const packageUrls = ({ wasm, hyphenation, worker }) => ({
  name: 'package-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]lib[\\/]package-urls\.ts$/ }, () => {
      const fontFiles = list(
        'fonts',
        /\.(?:ttf|woff2|bin)$|^(?:(?:manifest|locales\/\w+|icons\/\w+\/\w+)\.json|(?:coverage|languages)\.txt)$/,
      );
      const contents = [
        lookup(
          'font',
          fontFiles.map((path) => [path, `../../fonts/${path}`]),
        ),
        lookup(
          'wasm',
          wasm.map((name) => [name, `../wasm/${name}.wasm`]),
        ),
        lookup(
          'translation',
          Object.keys(TRANSLATED).map((name) => [name, `../wasm/${name}.js.gz`]),
        ),
        one('hyphenation', hyphenation && '../hyphenation.bin'),
        one('worker', worker && `./${worker}`),
      ].join('\n');
      return { contents, loader: 'js' };
    });
  },
});
