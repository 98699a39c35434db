// package.json of the checkout ↔ that of the packed package, which has `render` as a second name of its command; in the
// checkout it would keep npx from the command that is there (scripts/npx). npm runs this before and after it packs.
//   node scripts/pack.mjs add | remove | publish
import { readFileSync, writeFileSync } from 'node:fs';

const path = new URL('../package.json', import.meta.url);
const manifest = JSON.parse(readFileSync(path, 'utf8'));
const { platen } = manifest.bin;
if (process.argv[2] === 'publish') {
  // npm would tell the registry of the names that package.json has after packing
  console.error(`publish the packed file: npm pack && npm publish platen-${manifest.version}.tgz`);
  process.exit(1);
}
manifest.bin = process.argv[2] === 'add' ? { platen, render: platen } : { platen };
writeFileSync(path, `${JSON.stringify(manifest, null, 2)}\n`);
