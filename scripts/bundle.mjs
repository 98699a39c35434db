// dist/ as tsc leaves it → dist/bin/program.cjs, the whole command in one script, and V8's code for it (codecache.mjs).
// Modules that are imported on demand still begin on demand. dist/lib stays for the library and the render processes.
//   node scripts/bundle.mjs [dist]
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = resolve(process.argv[2] ?? join(ROOT, 'dist'), 'bin');

// npx links a checkout's command once, and never looks again.
chmodSync(join(BIN, 'render.js'), 0o755);
for (const name of readdirSync(BIN)) if (/^program\.(cjs|.*\.cache)/.test(name)) rmSync(join(BIN, name));
// Without its binary (npm's --omit=optional, or a system that it is not made for) the modules serve as they are.
const { build, transform } = await import('esbuild').catch(({ message }) => {
  console.warn(`no bundle is made, the command starts slower: ${message}`);
  process.exit(0);
});

/** Packages that stay outside: the logger starts threads from files of its own; the others are for servers that want them. */
const OUTSIDE = ['pino', 'pg', 'prom-client'];

/** What comes from outside is loaded when the module that imports it begins, not when the script does. */
const outside = {
  name: 'outside',
  setup({ onResolve, onLoad }) {
    const names = [...builtinModules, ...OUTSIDE].join('|');
    onResolve({ filter: new RegExp(`^(node:.*|${names})$`) }, ({ path }) => ({ path, namespace: 'outside' }));
    onLoad({ filter: /./, namespace: 'outside' }, ({ path }) => ({
      contents: `module.exports = load(${JSON.stringify(path)})`,
    }));
  },
};

/** A module of ours finds what lies beside it in dist/lib; a package, what was copied beside the script. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const own = relative(ROOT, path).split(sep).join('/').replace(/ts$/, 'js');
      const url = own.startsWith('lib/') ? `new URL(${JSON.stringify(`../${own}`)}, home).href` : 'home';
      return { contents: text.replaceAll('import.meta.url', `(${url})`), loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

const common = { platform: 'node', target: 'node20', charset: 'ascii' };
// As an ECMAScript module first, which may wait for its imports as HarfBuzz has it; nothing waits at the top itself.
const bundled = await build({
  ...common,
  entryPoints: [join(ROOT, 'bin/program.ts')],
  outfile: join(BIN, 'program.cjs'),
  bundle: true,
  write: false,
  format: 'esm',
  legalComments: 'none',
  metafile: true,
  plugins: [outside, places],
});
const script = await transform(bundled.outputFiles[0].text, {
  ...common,
  format: 'cjs',
  sourcefile: 'program.cjs',
  banner: '(function (load, home) {',
  footer: '})',
});
// One byte a character, so that it is read without being decoded: what is left of other characters stands in comments.
const code = script.code.replace(/^\s*(?:\/\/|\/?\*).*$/gm, (comment) => comment.replace(/[^\0-\x7f]/g, '?'));
const odd = /^.*[^\0-\x7f].*$/m.exec(code);
if (odd) throw new Error(`not ASCII: ${odd[0]}`);
writeFileSync(join(BIN, 'program.cjs'), code);
writeFileSync(join(BIN, 'program.licences.txt'), licencesOf(Object.keys(bundled.metafile.inputs)));
copyFileSync(createRequire(import.meta.url).resolve('harfbuzzjs/dist/harfbuzz.wasm'), join(BIN, 'harfbuzz.wasm'));
execFileSync(process.execPath, [join(ROOT, 'scripts/codecache.mjs'), BIN], { stdio: 'inherit' });

/** The licences of the packages that the script holds parts of. */
function licencesOf(inputs) {
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const texts = [...new Set(folders)].filter(Boolean).map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    return `${name} ${version}, ${license}\n\n${file ? readFileSync(join(folder, file), 'utf8').trim() : ''}\n`;
  });
  return texts.sort().join(`\n${'-'.repeat(80)}\n\n`);
}
