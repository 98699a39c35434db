// AWS Lambda: the function and its packages as a zip file, which may have 50 MB, and 250 MB when it is unpacked.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { checkPicture, TITLE } from '../pictures.js';
import { run } from '../processes.js';
import { makeApp, SkipTrial } from '../setup.js';
import { bytesOf, megabytes } from '../sizes.js';
import type { Trial } from '../trial.js';

const MAX_ZIP = 50e6;
const MAX_UNPACKED = 250e6;

/** Calls the handler as Lambda does, and prints its answer. */
const CALL = `
  const { handler } = await import(process.cwd() + '/index.js');
  const started = performance.now();
  const answer = await handler({ queryStringParameters: { title: process.argv[1] } });
  console.log(JSON.stringify({ ...answer, milliseconds: Math.round(performance.now() - started) }));`;

export const lambda: Trial = {
  name: 'lambda',
  about: 'a function of AWS Lambda in a zip file under 50 MB',
  isQuick: true,
  async run(workspace) {
    const app = await makeApp(workspace, 'lambda');
    await run('zip', ['-qr', 'function.zip', '.'], { cwd: app }).catch((error) => {
      throw error.code === 'ENOENT' ? new SkipTrial('there is no command zip') : error;
    });
    const zip = join(app, 'function.zip');
    const { size } = statSync(zip);
    if (size > MAX_ZIP) throw new Error(`the zip file has ${megabytes(size)}`);
    const task = join(workspace.folder, 'lambda-task');
    mkdirSync(task);
    await run('unzip', ['-q', zip], { cwd: task });
    const unpacked = bytesOf(task);
    if (unpacked > MAX_UNPACKED) throw new Error(`the unpacked function has ${megabytes(unpacked)}`);
    const args = ['--input-type=module', '-e', CALL, TITLE];
    const answer = JSON.parse(await run(process.execPath, args, { cwd: task, isBare: true }));
    await checkPicture('the handler', Buffer.from(answer.body, 'base64'));
    return `zip ${megabytes(size)}, unpacked ${megabytes(unpacked)}, first render ${answer.milliseconds} ms`;
  },
};
