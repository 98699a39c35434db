// Starts a built server on a new data folder with one paid workspace, and measures its processes.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PAGE = 4096;
export const CREDITS = 1e9;

/** Starts `dist/bin/render.js serve`. `settings`: environment variables; `descriptors`: its limit of open files. */
export async function startServer(dist, settings, { descriptors } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'soak-'));
  const program = join(dist, 'bin/render.js');
  const env = { PATH: process.env.PATH, API_KEY_RATE_LIMIT_PER_MIN: '1000000000', ...settings };
  const admin = async (...argv) =>
    JSON.parse((await run(process.execPath, [program, ...argv, '--data', folder, '--json'], { env })).stdout);
  const workspace = await admin(
    'workspaces',
    'create',
    '--name',
    'soak',
    '--plan',
    'paid',
    '--credits',
    String(CREDITS),
  );
  const { key } = await admin('keys', 'create', '--workspace', workspace.id, '--name', 'soak');
  const command = [process.execPath, program, 'serve', '--data', folder, '--port', '0'];
  const limited =
    descriptors === undefined ? command : ['sh', '-c', `ulimit -n ${descriptors}; exec "$@"`, 'sh', ...command];
  const child = spawn(limited[0], limited.slice(1), {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const errors = [];
  const served = [];
  const recordLine = (line) => {
    const [, status, ms] = /"status":(\d+).*"ms":(\d+)/.exec(line) ?? [];
    if (status !== undefined) served.push({ status: Number(status), ms: Number(ms) });
    else if (line !== '') errors.push(line.slice(0, 500));
    if (errors.length > 50) errors.shift();
  };
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop();
    for (const line of lines) recordLine(line);
  });
  const exited = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code)));
  const url = await new Promise((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text) => {
      const found = /listening on (\S+)/.exec(text);
      if (found) resolve(found[1]);
    });
    exited.then((outcome) => reject(new Error(`the server ended (${outcome}): ${errors.join('\n')}`)));
  });
  return {
    url,
    key,
    pid: child.pid,
    /** Runs an admin command. */
    admin,
    /** Log lines that are not requests; and the requests, with status and milliseconds by the server's clock. */
    errors,
    served,
    exited,
    signal: (name) => child.kill(name),
    balance: async () => (await admin('credits', 'show', '--workspace', workspace.id)).balance,
    /** Number of images in the render log, which also has failed renders. */
    async renders() {
      const entries = await admin('log', '--workspace', workspace.id, '--limit', '1000000000');
      return entries.filter(({ creditsCost }) => creditsCost > 0).length;
    },
    async stop() {
      child.kill('SIGTERM');
      const outcome = await exited;
      rmSync(folder, { recursive: true });
      return outcome;
    },
  };
}

/** Resident bytes, descriptors, child processes and CPU milliseconds of a server, now. */
export function measureServer(pid) {
  const children = childrenOf(pid);
  const own = residentBytes(pid);
  return {
    parent: own,
    children: children.map(residentBytes),
    total: own + children.reduce((sum, child) => sum + residentBytes(child), 0),
    descriptors: count(`/proc/${pid}/fd`),
    pids: children,
    cpu: cpuOf(pid, children),
  };
}

/** A clock tick is 10 ms on all Linux systems that Node supports. A parent's counters include its ended children. */
function cpuOf(pid, children) {
  const [own, ended] = ticks(pid);
  return { parent: own * 10, children: (ended + children.reduce((sum, child) => sum + ticks(child)[0], 0)) * 10 };
}

function ticks(pid) {
  try {
    // utime, stime, cutime, cstime; the process name before them, in parentheses, may contain spaces
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ').slice(11, 15).map(Number);
    return [fields[0] + fields[1], fields[2] + fields[3]];
  } catch {
    return [0, 0];
  }
}

function residentBytes(pid) {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * PAGE;
  } catch {
    return 0;
  }
}

function count(folder) {
  try {
    return readdirSync(folder).length;
  } catch {
    return 0;
  }
}

export function childrenOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
  } catch {
    return [];
  }
}
