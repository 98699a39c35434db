#!/usr/bin/env node
// `npx render` in a checkout. If the checkout's own package.json had `render` in `bin`, npx would ignore node_modules/.bin
// and install the folder into its cache, which builds it again. So package.json has no `render` (scripts/pack.mjs adds it
// when packing), and npm links this package's command instead, whether the checkout is built or not.
import { existsSync } from 'node:fs';

const command = new URL('../../dist/bin/render.js', import.meta.url);
if (existsSync(command)) {
  await import(command.href);
} else {
  console.error('render: this checkout is not built yet: run `npm run build`');
  process.exitCode = 1;
}
