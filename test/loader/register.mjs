// `node --import ./test/loader/register.mjs x.ts` runs TypeScript. The loader of tap itself compiles all modules again in each
// process (3 s for those that import the renderer).
import module from 'node:module';
import { resolve } from 'node:path';
import { findBundle } from './bundle.mjs';
import './children.mjs';
import * as hooks from './hooks.mjs';

// Like the runner's own hooks, ours are synchronous only if Node has no module.register, or warns of it.
if (module.register && Number.parseInt(process.versions.node, 10) < 26) module.register('./hooks.mjs', import.meta.url);
else module.registerHooks(hooks);

// They do not get what the runner adds to every process that a test starts, to observe it: that takes 0.13 s each.
const { NODE_OPTIONS = '' } = process.env;
const ADDED = /"?--import=[^\s"]*@tapjs\/processinfo[^\s"]*"?/g;
if (ADDED.test(NODE_OPTIONS)) {
  const left = NODE_OPTIONS.replace(ADDED, '').trim();
  if (left === '') delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = left;
  const require = module.createRequire(module.createRequire(import.meta.url).resolve('@tapjs/processinfo'));
  require('process-on-spawn').removeAllListeners();
}

// Tests may import any module, most of which expect that the host is set. Bundles set their own.
const [, main] = process.argv;
if (main !== undefined && findBundle(resolve(main)) === undefined) await import('../../lib/node-host.ts');
