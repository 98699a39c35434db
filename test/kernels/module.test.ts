// The module that is kept as text is the one that assembly/ compiles to.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const script = fileURLToPath(new URL('../../scripts/kernels.mjs', import.meta.url));

t.test('lib/kernels/module.ts is what `npm run kernels` makes', (t) => {
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  t.equal(status, 0, `run npm run kernels ${stderr}`);
  t.end();
});
