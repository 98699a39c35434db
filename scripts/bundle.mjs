// Bundles the command into one script, dist/bin/program.cjs, and creates V8's code cache for it (codecache.mjs). Dynamic
// imports are still evaluated on demand. dist/lib remains for the library and its worker processes.
//   node scripts/bundle.mjs [dist]
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { barcodeEncoder } from './barcode-encoder.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const BIN = resolve(process.argv[2] ?? join(ROOT, 'dist'), 'bin');

// npx links a checkout's command once and never sets its mode again.
chmodSync(join(BIN, 'render.js'), 0o755);
for (const name of readdirSync(BIN)) if (/^program\.(cjs|.*\.cache)/.test(name)) rmSync(join(BIN, name));
// If esbuild's binary is missing (npm's --omit=optional, or an unsupported system), the command runs from the modules.
const { build } = await import('esbuild').catch(({ message }) => {
  console.warn(`the command is not bundled and will start slower: ${message}`);
  process.exit(0);
});

/** Packages that are not bundled: pino starts threads from its own files; the others are used only if configured. */
const EXTERNAL_PACKAGES = ['pino', 'pg', 'prom-client', '@opentelemetry/api', 'opentype.js'];

/** Loads external modules when the module that imports them is evaluated, not when the script starts. */
const externalModules = {
  name: 'external-modules',
  setup({ onResolve, onLoad }) {
    const names = [...builtinModules, ...EXTERNAL_PACKAGES].join('|');
    onResolve({ filter: new RegExp(`^(node:.*|${names})$`) }, ({ path }) => ({ path, namespace: 'external-modules' }));
    onLoad({ filter: /./, namespace: 'external-modules' }, ({ path }) => ({
      contents: `module.exports = load(${JSON.stringify(path)})`,
    }));
  },
};

/** Replaces import.meta.url: our modules find their files in dist/lib, packages find theirs beside the script. */
const moduleUrls = {
  name: 'module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /\.(ts|m?js)$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      const file = relative(ROOT, path).split(sep).join('/').replace(/ts$/, 'js');
      const url = file.startsWith('lib/') ? `new URL(${JSON.stringify(`../${file}`)}, home).href` : 'home';
      return { contents: text.replaceAll('import.meta.url', `(${url})`), loader: path.endsWith('ts') ? 'ts' : 'js' };
    });
  },
};

const bundled = await build({
  absWorkingDir: ROOT,
  platform: 'node',
  target: 'node20',
  charset: 'ascii',
  entryPoints: [join(ROOT, 'bin/program.ts')],
  outfile: join(BIN, 'program.cjs'),
  bundle: true,
  write: false,
  format: 'cjs',
  banner: { js: '(function (load, home) {' },
  footer: { js: '})' },
  legalComments: 'none',
  metafile: true,
  plugins: [barcodeEncoder, externalModules, moduleUrls],
});
// Pure ASCII, so that the script is read as Latin-1 without decoding. Only comments contain other characters by now.
const code = bundled.outputFiles[0].text.replace(/^\s*(?:\/\/|\/?\*).*$/gm, (comment) =>
  comment.replace(/[^\0-\x7f]/g, '?'),
);
const nonAscii = /^.*[^\0-\x7f].*$/m.exec(code);
if (nonAscii) throw new Error(`not ASCII: ${nonAscii[0]}`);
writeFileSync(join(BIN, 'program.cjs'), code);
// for the list of licences; not part of the package
writeFileSync(join(BIN, '../program.metafile.json'), JSON.stringify(bundled.metafile));
execFileSync(process.execPath, [join(ROOT, 'scripts/codecache.mjs'), BIN], { stdio: 'inherit' });
