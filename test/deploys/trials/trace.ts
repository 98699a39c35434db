// The files that @vercel/nft traces, as hosts do that copy only these: they are copied elsewhere and render by themselves.
import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkPicture, TITLE } from '../pictures.js';
import { run } from '../processes.js';
import { makeApp } from '../setup.js';
import { bytesOf, filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

/** Runs the program in a folder; returns the files that it writes. */
async function render(cwd: string, out: string): Promise<Map<string, Buffer>> {
  mkdirSync(out);
  await run(process.execPath, ['program.js', out, TITLE], { cwd, isBare: true });
  return new Map(readdirSync(out).map((name) => [name, readFileSync(join(out, name))]));
}

export const trace: Trial = {
  name: 'trace',
  about: 'the files that @vercel/nft traces, alone in another folder',
  isQuick: true,
  async run(workspace) {
    const app = await makeApp(workspace, 'trace');
    const traced = join(workspace.folder, 'traced');
    await run(process.execPath, ['trace.js', traced], { cwd: app });
    const expected = await render(app, join(workspace.folder, 'trace-installed'));
    // nothing of the application may be found by an absolute path
    rmSync(app, { recursive: true });
    const pictures = await render(traced, join(workspace.folder, 'trace-copied'));
    for (const [name, bytes] of expected) {
      const copied = pictures.get(name);
      if (!copied?.equals(bytes))
        throw new Error(`${name} of the traced files differs from that of the installed ones`);
    }
    await checkPicture('card.png', pictures.get('card.png') ?? Buffer.alloc(0));
    const files = filesIn(traced);
    return `${files.length} files, ${megabytes(bytesOf(traced, files))}, ${expected.size} pictures`;
  },
};
