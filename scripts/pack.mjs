// Adds `render` to the bin entries of package.json before npm packs, and removes it afterwards. In a checkout that entry
// would keep npx from using the checkout's own command (scripts/npx). A pack that is interrupted leaves it, and the next
// `prepare`, which npm runs after every install, removes it; while npm packs, prepare comes after `add` and leaves it.
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
const isPacking = ['pack', 'publish'].includes(process.env.npm_command ?? '');
if (process.argv[2] === 'prepare' && (isPacking || !manifest.bin.render)) process.exit();
manifest.bin = process.argv[2] === 'add' ? { platen, render: platen } : { platen };
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
