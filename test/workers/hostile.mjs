// A render process that was taken over: it does what its job's watermark says, and answers with what came of it.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { onMessage, picture, prefix, send, sendRaw } from './channel.mjs';

const reach = (address) =>
  new Promise((resolve, reject) => {
    const socket = connect(address, () => resolve('connected'));
    socket.once('error', reject);
  });

/** Attempts on the machine. */
const attempts = {
  read: (path) => readFileSync(path, 'latin1').slice(0, 100),
  list: (path) => readdirSync(path).join(),
  write: (path) => writeFileSync(path, 'mine') ?? 'wrote',
  socket: (path) => reach(path),
  tcp: (port) => reach(Number(port)),
  start: (program) => {
    const { error, stdout } = spawnSync(program, ['-c', 'id']);
    if (error) throw error;
    return `started ${stdout}`;
  },
  signal: (pid) => process.kill(Number(pid), 0) && 'signalled',
  status: () => readFileSync('/proc/self/status', 'latin1'),
  draw: () => 'drawn',
  pid: () => process.pid,
  /** Until it has used so many milliseconds of processor time. */
  burn: (ms) => {
    while (process.cpuUsage().user < Number(ms) * 1000);
    return 'burnt';
  },
};

const report = { memory: 1, ms: 1, cpuMs: 1 };
const result = { warnings: [], broken: false };
const answer = (value) => send({ kind: 'result', result, ...report }, value);
const sized = (size) => send({ kind: 'result', result: { ...result, size }, ...report }, picture('sized'));

/** Messages that it sends in place of an answer. */
const messages = {
  null: () => send('null'),
  text: () => send('"result"'),
  list: () => send('[]'),
  number: () => send('1'),
  'not-json': () => send('{'),
  kind: () => send({ kind: 'constructor' }),
  'no-result': () => send({ kind: 'result', ...report }, picture('x')),
  'null-result': () => send({ kind: 'result', result: null, ...report }, picture('x')),
  'no-failure': () => send({ kind: 'failure', broken: false, ...report }),
  code: () => send({ kind: 'failure', failure: { code: 'invalid_api_key', message: '', details: [] }, broken: false, ...report }),
  details: () => send({ kind: 'failure', failure: { code: 'render_failed', message: '', details: null }, broken: false, ...report }),
  'extra-field': () => send({ kind: 'result', result: { ...result, format: 'svg' }, ...report }, picture('x')),
  infinite: () => send('{"kind":"result","result":{"warnings":[]},"memory":1e999,"ms":1,"cpuMs":1}', picture('x')),
  warnings: () => send({ kind: 'result', result: { warnings: Array(101).fill({ code: 'no_effect', path: '', message: '' }) }, ...report }, picture('x')),
  proto: () => send('{"kind":"result","result":{"warnings":[],"__proto__":{"broken":true}},"memory":1,"ms":1,"cpuMs":1}', picture('x')),
  stage: () => send({ kind: 'stage', begin: null }),
  'stage-name': () => send({ kind: 'stage', begin: { stage: 'constructor', detail: { code: 'render_timeout', path: '', message: '' }, limitMs: 1 } }),
  'stage-long': () => send({ kind: 'stage', begin: { stage: 'svg', detail: { code: 'render_timeout', path: '', message: 'x'.repeat(501) }, limitMs: 1 } }),
  'stage-limit': () => send('{"kind":"stage","begin":{"stage":"svg","detail":{"code":"render_timeout","path":"","message":""},"limitMs":-1}}'),
  'no-time': () => send({ kind: 'result', result, memory: 1, ms: 1 }, picture('x')),
  'time-back': () => send({ kind: 'result', result, memory: 1, ms: 1, cpuMs: -1 }, picture('x')),
  'size-of-own': () => sized([2, 1]),
  'size-low': () => sized([2, 1]),
  'size-none': () => answer(picture('x')),
  'size-zero': () => sized([2, 0]),
  'size-part': () => sized([2, 1.5]),
  'size-tall': () => sized([2, 3]),
  'size-narrow': () => sized([1, 2]),
  svg: () => answer(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')),
  html: () => answer(Buffer.from('<!doctype html><script>alert(1)</script>')),
  jpeg: () => answer(Buffer.from('\xff\xd8\xff', 'latin1')),
  empty: () => answer(Buffer.alloc(0)),
  'long-head': () => sendRaw(prefix(2 ** 31, 0)),
  'long-body': () => sendRaw(prefix(2, 2 ** 31)),
  'no-head': () => sendRaw(prefix(0, 8)),
  'ready-again': () => send({ kind: 'ready' }),
  noise: () => sendRaw(Buffer.alloc(2 ** 20, 0xa5)),
  twice: () => {
    answer(picture('one'));
    answer(picture('two'));
  },
};

onMessage(async ({ watermark }) => {
  send({ kind: 'begun' });
  const [name, argument] = watermark.split(' ');
  if (name === 'send') return messages[argument]();
  try {
    answer(picture(String(await attempts[name](argument))));
  } catch (error) {
    answer(picture(`refused: ${error.code ?? error.message}`));
  }
});
send({ kind: 'ready' });
