// A Docker image from scratch, without Docker: the folder that the image would contain is the root of the server, which finds
// nothing else. The image may have 150 MB.
import { join } from 'node:path';
import { checkServer } from '../pictures.js';
import { run, serve } from '../processes.js';
import { makeApp, SkipTrial } from '../setup.js';
import { bytesOf, filesIn, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

const MAX_BYTES = 150e6;

export const scratch: Trial = {
  name: 'scratch',
  about: 'the contents of a Docker image from scratch, in a root of their own',
  async run(workspace) {
    if (process.platform !== 'linux' || process.getuid?.() !== 0) throw new SkipTrial('chroot needs root on Linux');
    const app = await makeApp(workspace, 'scratch');
    const image = join(workspace.folder, 'scratch-image');
    await run(process.execPath, ['image.js', image], { cwd: app });
    const size = bytesOf(image);
    if (size > MAX_BYTES)
      throw new Error(`the image has ${megabytes(size)}, of which Node ${megabytes(bytesOf(image, ['node']))}`);
    const args = ['--userspec=1000:1000', image, '/node', '/app/server.js'];
    await using server = await serve('/usr/sbin/chroot', args, { cwd: image, isBare: true });
    await checkServer(server);
    return `${filesIn(image).length} files, ${megabytes(size)}, of which Node ${megabytes(bytesOf(image, ['node']))}`;
  },
};
