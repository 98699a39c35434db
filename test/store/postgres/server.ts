// A PostgreSQL server of the tests' own: a temporary cluster on a Unix socket, stopped and removed at the end. Nothing
// listens on the network, and nothing on this machine but the binaries is used.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresStore } from '../../../lib/store/postgres/store.js';

const PLACE = '/usr/lib/postgresql';
/** Faster, and as strict: what survives a killed server survives without fsync too. */
const SETTINGS = [
  'fsync=off',
  'listen_addresses=',
  'max_connections=60',
  'shared_buffers=16MB',
  'log_min_messages=fatal',
];

/** Where initdb and postgres are; undefined where they are not installed. */
function binaries(): string | undefined {
  const versions = existsSync(PLACE) ? readdirSync(PLACE) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const folder = newest === undefined ? undefined : join(PLACE, newest, 'bin');
  return folder && existsSync(join(folder, 'initdb')) ? folder : undefined;
}

/** Why these tests are skipped, in one line, or false. */
export const skipped = binaries() === undefined && 'PostgreSQL is not installed (Debian: postgresql)';

/** The server refuses root: the user that Debian makes for it, or nobody. */
function serverUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (name: string, flag: string) =>
    Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }));
  for (const name of ['postgres', 'nobody']) {
    try {
      return { uid: idOf(name, '-u'), gid: idOf(name, '-g') };
    } catch {
      // No such user.
    }
  }
  return undefined;
}

export interface Cluster {
  /** The folder of the server's socket. */
  readonly folder: string;
  /** The URL of a database, through the socket in `folder` (default: the server's). */
  url(database: string, folder?: string): string;
  /** Makes a database and gives its name. With the schema of this version, unless it is to be `empty`. */
  create(empty?: boolean): Promise<string>;
  /** Asks as the superuser. */
  ask<Row extends object>(database: string, text: string, values?: unknown[]): Promise<Row[]>;
  start(): Promise<void>;
  /** SIGINT ends it in order, SIGQUIT at once; SIGKILL leaves it no time at all. */
  stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Stops every process of the server, so that it answers nothing, or lets them go on. */
  freeze(frozen: boolean): void;
  remove(): Promise<void>;
}

const TEMPLATE = 'ready';

/** Starts a new, empty server; `more` are settings of it, `name=value`, that come after those of all tests. */
export async function startCluster(more: readonly string[] = []): Promise<Cluster> {
  const bin = binaries()!;
  const user = serverUser();
  // A socket's path has at most 107 characters, so it can't lie in the test's folder.
  const folder = mkdtempSync(join(tmpdir(), 'platen-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const own = { cwd: folder, ...user, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const quick = ['--no-sync', '--no-instructions', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...quick], { ...own, stdio: 'pipe' });
  const guard = guardOf(folder);
  let server: ChildProcess | undefined;
  let made = 0;

  const url = (database: string, socket = folder) =>
    `postgres://postgres@/${database}?host=${encodeURIComponent(socket)}`;
  async function ask<Row extends object>(database: string, text: string, values: unknown[] = []): Promise<Row[]> {
    const client = new pg.Client({ connectionString: url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Row>(text, values)).rows;
    } finally {
      await client.end();
    }
  }
  const cluster: Cluster = {
    folder,
    url,
    ask,
    async create(empty = false) {
      const name = `db${++made}`;
      if (empty) {
        await ask('postgres', `CREATE DATABASE ${name}`);
        return name;
      }
      const [there] = await ask('postgres', 'SELECT FROM pg_database WHERE datname = $1', [TEMPLATE]);
      if (!there) {
        await ask('postgres', `CREATE DATABASE ${TEMPLATE}`);
        await (await openPostgresStore(url(TEMPLATE))).close();
      }
      await ask('postgres', `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      return name;
    },
    async start() {
      const settings = [...SETTINGS, `unix_socket_directories=${folder}`, ...more].flatMap((setting) => [
        '-c',
        setting,
      ]);
      const begin = () => spawn(join(bin, 'postgres'), ['-D', data, ...settings], { ...own, stdio: 'ignore' });
      server = begin();
      for (let attempt = 0; ; attempt++) {
        const ready = await ask('postgres', 'SELECT 1').then(
          () => true,
          (error: Error) => attempt > 12_000 && Promise.reject(error),
        );
        if (ready) return;
        await sleep(25);
        // After a kill it refuses to start until the last of its predecessor's processes has seen that and ended.
        if (server.exitCode !== null) server = begin();
      }
    },
    async stop(signal) {
      if (!server || server.exitCode !== null || server.signalCode !== null) return;
      const exited = once(server, 'exit');
      server.kill(signal);
      await exited;
    },
    freeze(frozen) {
      for (const pid of [server!.pid!, ...childrenOf(server!.pid!)]) process.kill(pid, frozen ? 'SIGSTOP' : 'SIGCONT');
    },
    async remove() {
      await cluster.stop('SIGQUIT');
      guard.ref();
      const ended = once(guard, 'exit');
      guard.stdin!.end();
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
  await cluster.start();
  return cluster;
}

/**
 * Lets the clock of a database's rate windows stand still; gives what sets it, in milliseconds. The clock is a function
 * of the schema's own, so that it can be another one here.
 */
export async function stopClock({ ask }: Cluster, database: string): Promise<(milliseconds: number) => Promise<void>> {
  await ask(database, 'CREATE TABLE stopped AS SELECT 0::bigint AS at');
  await ask(
    database,
    `CREATE OR REPLACE FUNCTION platen.microseconds() RETURNS bigint LANGUAGE sql VOLATILE AS
      'SELECT at FROM public.stopped'`,
  );
  return async (milliseconds) => {
    await ask(database, 'UPDATE stopped SET at = $1', [Math.round(milliseconds * 1000)]);
  };
}

/** Ends the server and removes its folder when its input ends: with this process, however that is killed. */
function guardOf(folder: string): ChildProcess {
  const script = `cat
    if pid=$(head -n 1 "$0/data/postmaster.pid"); then kill -CONT "$pid"; kill -QUIT "$pid"; sleep 1; fi
    rm -rf "$0"`;
  const guard = spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

function childrenOf(pid: number): number[] {
  const said = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).toString();
  return said.trim().split(/\s+/).map(Number);
}
