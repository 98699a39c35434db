// The esbuild settings that bundle the engine for browsers, shared by the library's bundle (browser.mjs) and the dashboard's
// (web.mjs).
import { readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { barcodeEncoder } from './barcode-encoder.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/**
 * Replaces code of packages that is of no use here: it looks for WebAssembly files, which bundlers then look for too, compiles
 * functions from text, which content security policies forbid, starts threads, and draws what Platen draws itself.
 */
const REPLACEMENTS = [
  {
    // each codec has a separate name
    path: /@jsquash\/\w+\/codec\/\w+\/(\w+)\.js$/,
    edits: ([, name]) => [
      [`new URL("${name}.wasm",import.meta.url).href`, '""'],
      ['if(import.meta.url===undefined){import.meta.url="https://localhost"}', ''],
      ['var _scriptDir = import.meta.url;', 'var _scriptDir = "";'],
    ],
  },
  {
    path: /@resvg\/resvg-wasm\/index\.mjs$/,
    edits: () => [],
  },
  {
    path: /zxing-wasm\/dist\/es\/share\.js$/,
    // the server that it would fetch its file from
    edits: () => [['`https://fastly.jsdelivr.net/npm/zxing-wasm@3.1.4/dist/', '`']],
  },
  {
    path: /brotli-dec-wasm\/pkg\/brotli_dec_wasm\.js$/,
    edits: () => [['new URL("brotli_dec_wasm_bg.wasm",import.meta.url)', '""']],
  },
  {
    // lib/contract/schema/jitless.ts turns it off; without it, no policy checker finds it either
    path: /zod\/v4\/core\/(?:doc|compile|util)\.js$/,
    edits: () => [['const F = Function;', 'const F = undefined;']],
  },
  {
    // the code as HTML, SVG, GIF and text
    path: /qrcode-generator\/dist\/qrcode\.mjs$/,
    edits: () => [[/ {2}_this\.createTableTag = [\s\S]*?\n(?= {2}return _this;\n)/, '']],
  },
];

/**
 * Empties functions that nobody calls: JSON Schemas are made when the package is built. Their functions stay, without bodies.
 */
const EMPTY = /zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;

/** Every supported engine with WebAssembly has SIMD, and threads are never used. */
const FEATURES = 'export const simd = async () => true;\nexport const threads = async () => false;\n';

const packages = {
  name: 'packages',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^wasm-feature-detect$/ }, () => ({ path: 'wasm-feature-detect', namespace: 'features' }));
    onLoad({ filter: /./, namespace: 'features' }, () => ({ contents: FEATURES }));
    // the encoder that detection would choose elsewhere
    onResolve({ filter: /\/avif_enc_mt\.js$/ }, () => ({ path: 'none', namespace: 'none' }));
    onLoad({ filter: /./, namespace: 'none' }, () => ({ contents: 'export default undefined;' }));
    onLoad({ filter: /node_modules.*\.m?js$/ }, ({ path }) => {
      const name = relative(ROOT, path).split(sep).join('/');
      if (EMPTY.test(name)) {
        const names = [...readFileSync(path, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm)];
        return {
          contents: names.map(([, each]) => `export const ${each} = () => undefined;`).join('\n'),
          loader: 'js',
        };
      }
      const found = REPLACEMENTS.find((replacement) => replacement.path.test(name));
      if (!found) return undefined;
      let contents = readFileSync(path, 'utf8');
      for (const [from, to] of found.edits(found.path.exec(name))) {
        if (contents.split(from).length !== 2) throw new Error(`${name}: expected exactly one ${from}`);
        contents = contents.replace(from, () => to);
      }
      return { contents, loader: 'js' };
    });
  },
};

/**
 * Empties the descriptions of schemas and codes, which only schema.json and the dashboard's forms have, made when the package
 * is built: 3.7 KB of the engine, compressed. The calls stay, because each makes a separate schema.
 */
const descriptions = {
  name: 'descriptions',
  setup({ onLoad }) {
    // the meanings of codes, which the documents have
    onLoad({ filter: /[\\/]lib[\\/]detail-codes\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      return { contents: text.replace(/^( {2}\w+: )'(?:[^'\\]|\\.)*',$/gm, "$1'',"), loader: 'ts' };
    });
    onLoad({ filter: /[\\/]lib[\\/].*\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (relative(ROOT, path).split(sep)[0] !== 'lib' || !text.includes('.describe(')) return undefined;
      return { contents: withoutDescriptions(path, text), loader: 'ts' };
    });
  },
};

function withoutDescriptions(/** @type {string} */ path, /** @type {string} */ text) {
  let contents = '';
  let end = 0;
  const visit = (/** @type {ts.Node} */ node) => {
    if (isDescription(node)) {
      const [argument] = node.arguments;
      visit(node.expression);
      contents += `${text.slice(end, argument.getStart())}''`;
      end = argument.end;
    } else ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ES2022, true));
  return contents + text.slice(end);
}

/** Whether a node is a call of `describe` with one text. */
const isDescription = (/** @type {ts.Node} */ node) =>
  ts.isCallExpression(node) &&
  ts.isPropertyAccessExpression(node.expression) &&
  node.expression.name.text === 'describe' &&
  node.arguments.length === 1;

/** fonts/manifest.json as a literal of the script, without these fields of its faces. */
export function fontManifest(/** @type {readonly string[]} */ ...unused) {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'fonts/manifest.json'), 'utf8'));
  for (const face of manifest.faces) for (const field of unused) delete face[field];
  return JSON.stringify(JSON.stringify(manifest));
}

/** Nothing that runs in a browser reads these: three quarters of its bytes, compressed. */
export const UNREAD_FIELDS = ['bytes', 'sha256', 'source', 'category'];

/** Options of esbuild for every script for browsers that has the engine in it. */
export const ENGINE_BUNDLE = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'browser',
  target: 'es2022',
  charset: 'utf8',
  minify: true,
  legalComments: 'none',
  define: {
    FONT_MANIFEST: fontManifest(...UNREAD_FIELDS),
    // packages ask whether they run in Node, and would use it
    process: 'undefined',
    Buffer: 'undefined',
  },
  plugins: [barcodeEncoder, packages, descriptions],
};
