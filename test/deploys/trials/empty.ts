// The packed file in an empty folder, installed without scripts: both commands are there and draw what the checkout's draws.
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../checkout.js';
import { run } from '../processes.js';
import { install } from '../setup.js';
import { bytesOf, filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

const CARD = 'examples/social-card.json';

export const empty: Trial = {
  name: 'empty',
  about: 'the packed file alone, installed with --ignore-scripts in an empty folder',
  isQuick: true,
  async run({ folder, packedFile }) {
    const app = join(folder, 'empty');
    mkdirSync(app);
    await install(app, '--ignore-scripts', packedFile);
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const expected = join(folder, 'card-of-the-checkout.png');
    await run(process.execPath, ['dist/bin/render.js', CARD, '-o', expected], { cwd: ROOT });
    for (const name of ['platen', 'render']) {
      // --no: npx must not look for the command elsewhere
      const printed = (await run('npx', ['--no', '--', name, '--version'], { cwd: app })).trim();
      if (printed !== version) throw new Error(`npx ${name} --version: expected ${version}, received ${printed}`);
      await run('npx', ['--no', '--', name, join('node_modules/platen', CARD), '-o', `${name}.png`], { cwd: app });
      const bytes = readFileSync(join(app, `${name}.png`));
      if (!bytes.equals(readFileSync(expected)))
        throw new Error(`npx ${name} ${CARD}: the picture of ${bytes.length} bytes differs from the checkout's`);
    }
    const packages = readdirSync(join(app, 'node_modules')).filter((name) => !name.startsWith('.'));
    const installed = join(app, 'node_modules');
    return `${packages.length} packages, ${megabytes(bytesOf(installed, filesIn(installed)))}`;
  },
};
