#!/usr/bin/env node
// `npx render` in a checkout. Where a package's own `bin` has the command, npx does not use node_modules/.bin: it installs
// the folder into its cache, which builds it once more. So the checkout's package.json leaves `render` out
// (scripts/pack.mjs adds it to the packed one), and npm links the command of this package, built or not.
import { existsSync } from 'node:fs';

const command = new URL('../../dist/bin/render.js', import.meta.url);
if (existsSync(command)) {
  await import(command.href);
} else {
  console.error('render: this checkout is not built yet: run `npm run build`');
  process.exitCode = 1;
}
