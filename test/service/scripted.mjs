// A render process that does what its job's watermark says, in place of a render, or what the text of a file says.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { onMessage, picture, send } from '../workers/channel.mjs';

const scripts = {
  hang: () => {
    for (;;);
  },
  // announces a stage, and never ends it
  overrun: (path) => {
    const detail = { code: 'render_timeout', path, message: 'it took too long' };
    send({ kind: 'stage', begin: { stage: 'svg', detail, limitMs: 9e9 } });
    for (;;);
  },
  die: () => process.exit(7),
  kill: () => process.kill(process.pid, 'SIGKILL'),
  sleep: (milliseconds) => sleep(Number(milliseconds)),
  // says in a file that it has begun, and goes on
  tell: (path) => {
    writeFileSync(path, '');
    return sleep(600_000);
  },
  env: () => JSON.stringify({ env: process.env, proto: '__proto__' in {}, arguments: process.execArgv }),
  fail: () => Promise.reject({ broken: false }),
  trap: () => Promise.reject({ broken: true }),
  pid: () => {},
  fat: () => {},
  damage: () => {},
};

onMessage(async (job) => {
  send({ kind: 'begun' });
  const script = job.file ? new TextDecoder().decode(job.file) : job.watermark;
  const [name, argument] = script.split(' ');
  const report = { memory: name === 'fat' ? 2 ** 40 : 1, ms: 1, cpuMs: 1 };
  try {
    const text = (await scripts[name](argument)) ?? String(process.pid);
    send({ kind: 'result', result: { warnings: [], broken: name === 'damage' }, ...report }, picture(text));
  } catch ({ broken }) {
    const details = [{ code: 'asset_failed', path: 'layers[0]', message: 'no' }];
    send({ kind: 'failure', failure: { code: 'asset_failed', message: 'no', details }, broken, ...report });
  }
});
// one that is short of threads waits for them before it has begun
send({ kind: 'ready' });
