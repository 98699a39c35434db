// lib/kernels/module.ts is up to date with assembly/.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const script = fileURLToPath(new URL('../../scripts/kernels.mjs', import.meta.url));

t.test('lib/kernels/module.ts is the output of `npm run kernels`', (t) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  t.equal(status, 0, `run npm run kernels ${stderr}`);
  t.end();
});
