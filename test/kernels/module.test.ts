// lib/kernels/module.ts is up to date with assembly/. The normal form compares hashes, the exhaustive one compiles.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { FORM } from '../exhaustive.js';

const script = fileURLToPath(new URL('../../scripts/kernels.mjs', import.meta.url));
const flag = FORM === 'normal' ? '--check-hash' : '--check';

t.test('lib/kernels/module.ts is the output of `npm run kernels`', (t) => {
  const { status, stderr } = spawnSync(process.execPath, [script, flag], { encoding: 'utf8' });
  t.equal(status, 0, `run npm run kernels ${stderr}`);
  t.end();
});
