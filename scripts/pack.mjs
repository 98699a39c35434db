// Makes package.json that of the package before npm packs, and undoes it afterwards. The package has the command `render`,
// which would keep npx in a checkout from using the checkout's own (scripts/npx), and no `prepare`, about which npm warns
// whoever installs the packed file. A pack that is interrupted leaves that; the next build undoes it.
//   node scripts/pack.mjs add | remove | prepare | publish
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(path, 'utf8'));
const { platen } = manifest.bin;
if (process.argv[2] === 'publish') {
  // npm publish without a tarball sends the registry the package.json as it is after packing, without `render`.
  console.error(`publish the packed file: npm pack && npm publish platen-${manifest.version}.tgz`);
  process.exit(1);
}
if (process.argv[2] === 'add' && !existsSync(new URL('../dist/browser/index.js', import.meta.url))) {
  // the build leaves it out where esbuild's binary is missing; what is published has it
  console.error('dist/browser is missing: install esbuild with its optional packages, and run npm run build');
  process.exit(1);
}
const PREPARE = 'node scripts/pack.mjs prepare && node scripts/build.mjs --prepare';
/** Modules of the sources that have effects: bundles of a checkout read them. The package has none of them. */
const SOURCES_WITH_EFFECTS = [
  './bin/*.ts',
  './lib/node-host.ts',
  './lib/package-files.ts',
  './lib/contract/schema/jitless.ts',
  './lib/workers/child.ts',
];
const isPacking = ['pack', 'publish'].includes(process.env.npm_command ?? '');
if (process.argv[2] === 'prepare' && (isPacking || !manifest.bin.render)) process.exit();
const isPackage = process.argv[2] === 'add';
const published = manifest.sideEffects.filter((path) => !SOURCES_WITH_EFFECTS.includes(path));
manifest.sideEffects = isPackage ? published : [...SOURCES_WITH_EFFECTS, ...published];
manifest.bin = isPackage ? { platen, render: platen } : { platen };
const { prepare: _, build, ...others } = manifest.scripts;
manifest.scripts = isPackage ? { build, ...others } : { build, prepare: PREPARE, ...others };
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
