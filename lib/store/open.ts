// Opens the store for servers and admin commands. A server locks its data folder and serves admin commands through a
// socket; an admin command connects to that socket, or locks a free folder briefly. A database needs no lock.
import { promises } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AdminConnection, connectAdmin } from './admin-socket/client.js';
import { serveAdminSocket } from './admin-socket/server.js';
import { makeFolder } from './embedded/folder.js';
import { acquireLock, type Lock, type LockRecord } from './embedded/lock.js';
import { type Restored, restoreTables } from './embedded/restore.js';
import { type EmbeddedOptions, openEmbeddedStore } from './embedded/store.js';
import { type Store, StoreError } from './types.js';

/** Milliseconds for which a process waits for a command to release the lock. */
const LOCK_TIMEOUT_MS = 10_000;
const LOCK_RETRY_MS = 20;

/** The place of a store: the database at `url`, or else `folder`. */
export interface StoreLocation {
  readonly folder: string;
  readonly url: string | undefined;
  /** Most connections to the database. */
  readonly connections?: number;
  /** The longest time that a render takes, in milliseconds. */
  readonly renderMs?: number;
}

/** Opens the store for a server. Throws StoreError. */
export async function openStore({ folder, url, ...rest }: StoreLocation, { warn }: Pick<EmbeddedOptions, 'warn'>) {
  const options = warn ? { warn } : {};
  if (url === undefined) {
    const { renderMs } = rest;
    return await serveStore(folder, { ...options, ...(renderMs !== undefined && { renderMs }) });
  }
  const { openPostgresStore } = await import('./postgres/store.js');
  return await openPostgresStore(url, { ...rest, ...options });
}

/** Opens the store for admin commands; `close` it soon. `create`: creates a folder that does not exist. */
export async function openAdmin(
  { folder, url }: StoreLocation,
  { create = false, warn }: Pick<EmbeddedOptions, 'warn'> & { readonly create?: boolean },
): Promise<AdminConnection> {
  const options = warn ? { warn } : {};
  if (url === undefined) return await openAdminStore(folder, { ...options, create });
  const { openPostgresStore } = await import('./postgres/store.js');
  return await openPostgresStore(url, { connections: 1, ...options });
}

/**
 * Opens the store in `folder` for a server: locks the folder and serves admin commands until the store is closed.
 * Throws StoreError when another server has the folder or it can't be read.
 */
export async function serveStore(folder: string, options: EmbeddedOptions = {}): Promise<Store> {
  await makeFolder(options.files ?? promises, folder);
  const path = await realpath(folder);
  const lock = await waitForLock<never>(path, 'server', (holder) => {
    if (holder.purpose !== 'server') return undefined;
    throw new StoreError(
      `${folder} is in use by another server (process ${holder.pid}): a data folder has one server; ` +
        'for several, keep the data in PostgreSQL: STORE_URL=postgres://…',
    );
  });
  return await openUnderLock(path, lock, async () => {
    const store = await openEmbeddedStore(path, { ...options, assertLocked: lock.assertHeld });
    const adminSocket = await serveAdminSocket(path, store);
    await lock.publish(adminSocket.path);
    return {
      ...store,
      async close() {
        await adminSocket.close();
        await store.close();
        await lock.release();
      },
    };
  });
}

/**
 * Opens the store in `folder` for admin commands, whether or not a server uses the folder; `close` it soon.
 * `create`: creates a folder that does not exist; without it, that is a StoreError.
 */
export async function openAdminStore(
  folder: string,
  options: EmbeddedOptions & { readonly create?: boolean } = {},
): Promise<AdminConnection> {
  if (options.create) await makeFolder(options.files ?? promises, folder);
  else await assertFolder(folder);
  const path = await realpath(folder);
  // Retries while a server stops (its lock becomes free) or starts (its lock does not name the socket yet).
  const lock = await waitForLock(path, 'command', ({ socket }) =>
    socket === undefined ? undefined : connectAdmin(socket).catch(() => undefined),
  );
  if (!('release' in lock)) return lock;
  return await openUnderLock(path, lock, async () => {
    const store = await openEmbeddedStore(path, { ...options, assertLocked: lock.assertHeld });
    return {
      ...store,
      async close() {
        await store.close();
        await lock.release();
      },
    };
  });
}

/** Replaces unreadable tables by their previous snapshots (restore.ts), under the folder's lock. */
export async function restoreStore(folder: string): Promise<Restored[]> {
  return await withExclusiveFolder(folder, 'which can read all of it', (path) =>
    restoreTables(promises, path, new Date()),
  );
}

/** Does `work` on a folder that no server uses. Otherwise throws a StoreError that ends with `reason`. */
export async function withExclusiveFolder<Result>(
  folder: string,
  reason: string,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  await assertFolder(folder);
  const path = await realpath(folder);
  const lock = await waitForLock<never>(path, 'command', (holder) => {
    if (holder.purpose !== 'server') return undefined;
    throw new StoreError(`${folder} is in use by a server (process ${holder.pid}), ${reason}`);
  });
  try {
    return await work(path);
  } finally {
    await lock.release();
  }
}

/** Waits for the lock. While another process holds it, calls `onHeld`, whose result (if any) ends the wait. */
async function waitForLock<Alternative = never>(
  folder: string,
  purpose: LockRecord['purpose'],
  onHeld: (holder: LockRecord) => Promise<Alternative | undefined> | undefined,
): Promise<Lock | Alternative> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const lock = await acquireLock(folder, purpose);
    if ('release' in lock) return lock;
    const alternative = lock.holder && (await onHeld(lock.holder));
    if (alternative !== undefined) return alternative;
    if (performance.now() > deadline) {
      const holder = lock.holder ? `process ${lock.holder.pid}` : 'another process';
      throw new StoreError(`${folder} is in use by ${holder}: try again when it has ended`);
    }
    // Random jitter, so that waiting processes do not retry in step.
    await sleep(LOCK_RETRY_MS * (0.5 + Math.random()));
  }
}

/** Runs `open`. If it fails, releases the lock and turns system errors into a StoreError. */
async function openUnderLock<Result>(path: string, lock: Lock, open: () => Promise<Result>): Promise<Result> {
  try {
    return await open();
  } catch (error) {
    await lock.release();
    if (error instanceof StoreError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StoreError(`${path}: it can't be opened: ${(error as Error).message}`, { cause: error });
  }
}

async function assertFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found && !found.isDirectory()) throw new StoreError(`${folder}: it is a file, not a folder`);
  if (!found) {
    throw new StoreError(
      `${folder}: there is no such folder; "platen init --data ${folder}" creates it with a workspace and a key`,
    );
  }
}
