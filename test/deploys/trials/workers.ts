// Cloudflare Workers: wrangler bundles the Worker, whose script may have 3 MB compressed on the free plan, and runs it in workerd.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkServer } from '../pictures.js';
import { run, serve } from '../processes.js';
import { makeApp } from '../setup.js';
import { filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

const MAX_COMPRESSED = 3e6;

export const workers: Trial = {
  name: 'workers',
  about: 'a Cloudflare Worker, bundled by wrangler, in workerd',
  async run(workspace) {
    const cwd = await makeApp(workspace, 'workers');
    await run('npm', ['run', 'build'], { cwd });
    const out = join(cwd, 'out');
    const uploaded = filesIn(out).filter((name) => /\.(?:js|wasm)$/.test(name));
    const size = uploaded.reduce((sum, name) => sum + gzipSync(readFileSync(join(out, name))).length, 0);
    if (size > MAX_COMPRESSED) throw new Error(`the Worker has ${megabytes(size)} compressed`);
    await using server = await serve('npm', ['run', 'dev'], { cwd });
    await checkServer(server);
    return `${uploaded.length} files, ${megabytes(size)} compressed`;
  },
};
