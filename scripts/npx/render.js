#!/usr/bin/env node
// `npx render` in a checkout. If the checkout's own package.json had `render` in `bin`, npx would ignore node_modules/.bin
// and install the folder into its cache, which builds it again. So package.json has no `render` (scripts/pack.mjs adds it
// when packing), and npm links this package's command instead, whether the checkout is built or not.
// `npm ci` builds the command alone. A server needs the pages, too: the first one in a checkout waits until they are built.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => new URL(`../../${path}`, import.meta.url);
const command = at('dist/bin/render.js');
if (!existsSync(command)) {
  console.error('platen: this checkout is not built yet: run `npm run build`');
  process.exit(1);
}
const isBuilt = ['dist/dashboard/manifest.json', 'dist/docs'].every((path) => existsSync(at(path)));
if (
  process.argv[2] === 'serve' &&
  !process.argv.includes('--help') &&
  !isBuilt &&
  existsSync(at('scripts/build.mjs'))
) {
  console.error('platen: building the pages of the dashboard and the guide, once');
  const words = [fileURLToPath(at('scripts/build.mjs')), '--if-missing', 'dashboard', 'guide'];
  // standard output is the server's own
  const { status } = spawnSync(process.execPath, words, { stdio: ['ignore', 2, 2] });
  if (status !== 0) console.error('platen: the pages could not be built: run `npm run build`');
}
await import(command.href);
