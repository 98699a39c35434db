// `node --import ./test/loader/register.mjs x.ts` runs TypeScript. The test runner starts every test file with it in
// place of its own loader, which compiles all modules anew in each process (3 s for those that import the renderer).
import module from 'node:module';
import * as hooks from './hooks.mjs';

// The runner's own hooks, too, are synchronous only where Node has no others.
if (module.register) module.register('./hooks.mjs', import.meta.url);
else module.registerHooks(hooks);

// What tests start with `process.execArgv` gets this loader, from whatever folder it starts in, and none of the runner's.
const others = process.execArgv.filter((word) => !word.startsWith('--import'));
process.execArgv.splice(0, Infinity, ...others, `--import=${import.meta.url}`);
