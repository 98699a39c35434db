// A temporary PostgreSQL cluster for tests, on a Unix socket only; stopped and removed at the end. It uses nothing of an
// installed PostgreSQL but the binaries.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { openPostgresStore } from '../../../lib/store/postgres/store.js';

const INSTALLATIONS = '/usr/lib/postgresql';
/** Without fsync the tests are faster. It matters only for power cuts, not when the server is killed. */
const SETTINGS = [
  'fsync=off',
  'listen_addresses=',
  'max_connections=60',
  'shared_buffers=16MB',
  'log_min_messages=fatal',
];

/** The folder of initdb and postgres; undefined when they are not installed. */
export function binaries(): string | undefined {
  const versions = existsSync(INSTALLATIONS) ? readdirSync(INSTALLATIONS) : [];
  const newest = versions.sort((a, b) => Number(b) - Number(a))[0];
  const folder = newest === undefined ? undefined : join(INSTALLATIONS, newest, 'bin');
  return folder && existsSync(join(folder, 'initdb')) ? folder : undefined;
}

/** The reason why database tests are skipped, or false. */
export const skipped = binaries() === undefined && 'PostgreSQL is not installed (Debian: postgresql)';

/** PostgreSQL does not run as root: as root, the user `postgres` (Debian creates it) or `nobody`. */
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
  /** Creates a database with the current schema, or without a schema if `empty`, and returns its name. */
  create(empty?: boolean): Promise<string>;
  /** Deletes all rows of a database with the current schema: a tenth of the work of creating one. */
  clear(database: string): Promise<void>;
  /** Runs a statement as the superuser. */
  ask<Row extends object>(database: string, text: string, values?: unknown[]): Promise<Row[]>;
  start(): Promise<void>;
  /** SIGINT is a fast shutdown, SIGQUIT an immediate one without a checkpoint, SIGKILL a crash. */
  stop(signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): Promise<void>;
  /** Suspends all processes of the server, so that it does not respond, or resumes them. */
  freeze(frozen: boolean): void;
  remove(): Promise<void>;
}

const TEMPLATE = 'ready';
/** Without triggers, and so without checks of references, the order of the tables does not matter. */
const DELETE_ROWS = `
  DO $$
  DECLARE name text;
  BEGIN
    SET LOCAL session_replication_role = replica;
    FOR name IN SELECT format('platen.%I', tablename) FROM pg_tables
      WHERE schemaname = 'platen' AND tablename <> 'migrations'
    LOOP
      EXECUTE 'DELETE FROM ' || name;
    END LOOP;
  END $$`;

/** Starts a new, empty server. `settings` (`name=value`) override those of all tests. */
export async function startCluster(settings: readonly string[] = []): Promise<Cluster> {
  const bin = binaries()!;
  const user = serverUser();
  // A socket path has at most 107 characters, so the socket can't be in the test's folder.
  const folder = mkdtempSync(join(tmpdir(), 'platen-pg-'));
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const spawnOptions = { cwd: folder, ...user, env: { PATH: process.env.PATH, LC_ALL: 'C' } };
  const initOptions = ['--no-sync', '--no-instructions', '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C'];
  execFileSync(join(bin, 'initdb'), ['-D', data, ...initOptions], { ...spawnOptions, stdio: 'pipe' });
  const guard = startGuard(folder);
  let server: ChildProcess | undefined;
  let databases = 0;
  let template: Promise<void> | undefined;
  // Without fsync, copying files takes half the time of writing all pages to the log, which older versions don't do.
  const copiesFiles = Number(bin.split('/').at(-2)) >= 15;

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
      const name = `db${++databases}`;
      if (empty) {
        await ask('postgres', `CREATE DATABASE ${name}`);
        return name;
      }
      template ??= ask('postgres', `CREATE DATABASE ${TEMPLATE}`).then(async () =>
        (await openPostgresStore(url(TEMPLATE))).close(),
      );
      await template;
      await ask('postgres', `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}${copiesFiles ? ' STRATEGY FILE_COPY' : ''}`);
      return name;
    },
    async clear(database) {
      await ask(database, DELETE_ROWS);
    },
    async start() {
      const all = [...SETTINGS, `unix_socket_directories=${folder}`, ...settings];
      const words = ['-D', data, ...all.flatMap((setting) => ['-c', setting])];
      const launch = () => spawn(join(bin, 'postgres'), words, { ...spawnOptions, stdio: 'ignore' });
      server = launch();
      for (let attempt = 0; ; attempt++) {
        const ready = await ask('postgres', 'SELECT 1').then(
          () => true,
          (error: Error) => attempt > 12_000 && Promise.reject(error),
        );
        if (ready) return;
        await sleep(25);
        // After a SIGKILL the server does not start until the last child process of the old one has ended.
        if (server.exitCode !== null) server = launch();
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
 * Replaces the clock of a database's rate limits, a function of the schema, by one that stands still. Returns a function
 * that sets it, in milliseconds.
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

/** A process that stops the server and removes its folder when its stdin closes, also when this process is killed. */
function startGuard(folder: string): ChildProcess {
  const script = `cat
    if pid=$(head -n 1 "$0/data/postmaster.pid"); then kill -CONT "$pid"; kill -QUIT "$pid"; sleep 1; fi
    rm -rf "$0"`;
  const guard = spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  guard.unref();
  (guard.stdin as Socket).unref();
  return guard;
}

function childrenOf(pid: number): number[] {
  const output = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)]).toString();
  return output.trim().split(/\s+/).map(Number);
}
