// `npm run kernels`: translates WebAssembly modules to JavaScript by binaryen's wasm2js, for hosts that don't run WebAssembly, into
// data/wasm/translated/NAME.js.gz: a script whose value is a function from imports to exports. It takes minutes and an optimizer
// that a build does not need, so its result is in git. `--check` only compares; `--check-hash` does so without translating, by the
// hash of the inputs and their output in the first line of each file. test/kernels runs both.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { transform, version } from 'esbuild';
import ts from 'typescript';
import { installTools, toolUrl } from './tools.mjs';
import { prepareWasm, TRANSLATED, translationPath, WASM_FILES } from './wasm-files.mjs';

const require = createRequire(import.meta.url);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FLAGS = [
  // what wasm2js itself can't translate
  '--llvm-nontrapping-fptoint-lowering',
  '--signext-lowering',
  '--all-features',
  // a function of the imports, in place of a module that imports them
  '--emscripten',
  '-O1',
];

/**
 * What wasm2js gets wrong, and what takes its place. Each appears once.
 * @type {readonly (readonly [found: string, replacement: string])[]}
 */
const REPAIRS = [
  // memory that can't grow, which modules look for
  ['(newPages < 65536)', '(newPages < 32768)'],
  [
    'var newBuffer = new ArrayBuffer(newPages << 16);',
    'try { var newBuffer = new ArrayBuffer(newPages << 16); } catch { return -1; }',
  ],
  [
    '   bufferView = HEAPU8;\n  }\n  return oldPages;',
    '   bufferView = HEAPU8;\n  } else if (pagesToAdd) return -1;\n  return oldPages;',
  ],
  // loaders know that memory has grown by its buffer, which is detached then
  ['newHEAP8.set(HEAP8);', 'newHEAP8.set(HEAP8);\nstructuredClone(buffer, { transfer: [buffer] });'],
  // callers from outside expect an exception
  [
    '"value": __wasm_memory_grow',
    '"value": (pages) => { const old = __wasm_memory_grow(pages); if (old < 0) throw new RangeError("no memory left"); return old; }',
  ],
  // a trap is known by its name
  [
    "function wasm2js_trap() { throw new Error('abort'); }",
    "function wasm2js_trap() { throw Object.assign(new Error('unreachable'), { name: 'RuntimeError' }); }",
  ],
  // interpreted, this takes half of the time to load a module
  [
    'var b1, b2, i = 0, j = offset,',
    "if (typeof Buffer !== 'undefined') return void uint8Array.set(Buffer.from(b64, 'base64'), offset);\nvar b1, b2, i = 0, j = offset,",
  ],
];

/** Starts and ends the script, which is strict, as wasm2js writes it for a module. */
const WRAPPER = ['(() => { "use strict"; var heapAt;\n', '\nreturn instantiate; })()'];

const TOOLS = JSON.parse(readFileSync(join(ROOT, 'test/package.json'), 'utf8')).devDependencies;

/**
 * Reads the memory after the calls in an address: `HEAP32[f()]` is the memory from before f, which may have made it grow, and so
 * have replaced HEAP32. wasm2js orders only what it writes.
 * @param {string} text
 */
function withOrderedReads(text) {
  /** @type {[start: number, end: number, replacement: string][]} */
  const edits = [];
  // wasm2js's functions of numbers
  const isPure = /^(?:Math_|wasm2js_|__wasm_(?!memory_grow))/;
  const hasCall = (/** @type {ts.Node} */ node) =>
    (ts.isCallExpression(node) && !isPure.test(node.expression.getText(file))) || !!ts.forEachChild(node, hasCall);
  const isTarget = ({ parent, pos }) =>
    ts.isBinaryExpression(parent) && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken && parent.left.pos === pos;
  const visit = (/** @type {ts.Node} */ node) => {
    if (ts.isElementAccessExpression(node) && /^HEAPU?F?\d+$/.test(node.expression.getText(file))) {
      const { argumentExpression: address, parent } = node;
      if (isTarget(node)) {
        if (hasCall(parent))
          throw new Error(`wasm2js wrote ${parent.getText(file)}, which writes to the memory before a call`);
      } else if (hasCall(address)) {
        edits.push([node.getStart(file), address.getStart(file), '(heapAt = ']);
        edits.push([address.end, node.end, `, ${node.expression.getText(file)}[heapAt])`]);
      }
    }
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile('module.js', text, ts.ScriptTarget.ES2022, true);
  visit(file);
  let ordered = '';
  let end = 0;
  for (const [from, to, replacement] of edits.sort(([a], [b]) => a - b)) {
    ordered += text.slice(end, from) + replacement;
    end = to;
  }
  return ordered + text.slice(end);
}

/** The WebAssembly that is translated. */
function inputOf(/** @type {string} */ name) {
  if (name === 'harfbuzz') return readFileSync(join(ROOT, 'data/wasm/harfbuzz.wasm'));
  const file = { ...WASM_FILES[name], ...TRANSLATED[name] };
  return prepareWasm(readFileSync(require.resolve(file.specifier)), file);
}

/**
 * The hash of all that the output depends on, and of the output.
 * @param {Uint8Array} wasm
 * @param {string} code
 */
const hashOf = (wasm, code) =>
  createHash('sha256')
    .update(JSON.stringify([TOOLS.binaryen, version, FLAGS, REPAIRS, WRAPPER, withOrderedReads.toString()]))
    .update(wasm)
    .update(code)
    .digest('hex');

/** The translation of a module, as a script. The tools must be installed. */
export async function translate(/** @type {Uint8Array} */ wasm) {
  const folder = mkdtempSync(join(tmpdir(), 'translate-'));
  try {
    const [input, output] = ['module.wasm', 'module.js'].map((name) => join(folder, name));
    writeFileSync(input, wasm);
    const wasm2js = fileURLToPath(toolUrl('binaryen/bin/wasm2js'));
    await promisify(execFile)(process.execPath, [wasm2js, input, ...FLAGS, '-o', output], { maxBuffer: 2 ** 26 });
    let text = readFileSync(output, 'utf8');
    for (const [found, replacement] of REPAIRS) {
      if (text.split(found).length !== 2) throw new Error(`wasm2js wrote something else than one ${found}`);
      text = text.replace(found, () => replacement);
    }
    const [start, end] = WRAPPER;
    return (await transform(`${start}${withOrderedReads(text)}${end}`, { minify: true, charset: 'ascii' })).code;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The text of a translation in git; empty if there is none. */
function present(/** @type {string} */ name) {
  const path = translationPath(name);
  return existsSync(path) ? gunzipSync(readFileSync(path)).toString('latin1') : '';
}

/** Whether the translation of a module in git is that of its input. Otherwise writes it, unless this only compares. */
async function isCurrent(/** @type {string} */ name) {
  const wasm = inputOf(name);
  const before = present(name);
  const code = argv.includes('--check-hash') ? before.slice(before.indexOf('\n') + 1) : await translate(wasm);
  const text = `// Made by scripts/translate-wasm.mjs from WebAssembly, hash ${hashOf(wasm, code)}\n${code}`;
  if (text === before) return true;
  if (argv.some((argument) => argument.startsWith('--check'))) return false;
  // zlib of another version may pack the same text otherwise, so that only another text is written
  writeFileSync(translationPath(name), gzipSync(text, { level: 9 }));
  return true;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const names = Object.keys(TRANSLATED);
  if (!argv.includes('--check-hash')) installTools();
  const folder = join(ROOT, 'data/wasm/translated');
  mkdirSync(folder, { recursive: true });
  const unknown = readdirSync(folder).filter(
    (file) => !names.some((name) => translationPath(name) === join(folder, file)),
  );
  const stale = [...unknown];
  const work = async () => {
    for (let name = names.shift(); name; name = names.shift()) if (!(await isCurrent(name))) stale.push(name);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  if (stale.length > 0) {
    console.error(`not up to date in data/wasm/translated: ${stale.join(', ')}`);
    process.exitCode = 1;
  }
}
