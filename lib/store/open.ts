// Who opens a store, and how. A data folder: a server takes it for itself and lends it to admin commands; an admin
// command asks the server that has it, or takes the folder for the moment that it needs. A database is everybody's.
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

/** How long a command waits for another one, and a server for a command, in milliseconds. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;

/** Where a store is: in the database of `url` if that is given, else in `folder`. */
export interface StorePlace {
  readonly folder: string;
  readonly url: string | undefined;
  /** Most connections to the database. */
  readonly connections?: number;
  /** The longest that a render takes, in milliseconds. */
  readonly renderMs?: number;
}

/** Opens the store for a server. Throws StoreError, in one line. */
export async function openStore({ folder, url, ...more }: StorePlace, { warn }: Pick<EmbeddedOptions, 'warn'>) {
  const options = warn ? { warn } : {};
  if (url === undefined) return await serveStore(folder, options);
  const { openPostgresStore } = await import('./postgres/store.js');
  return await openPostgresStore(url, { ...more, ...options });
}

/** Opens the store for admin commands; `close` it soon. `create`: a folder that is not there is made. */
export async function openAdmin(
  { folder, url }: StorePlace,
  { create = false, warn }: Pick<EmbeddedOptions, 'warn'> & { readonly create?: boolean },
): Promise<AdminConnection> {
  const options = warn ? { warn } : {};
  if (url === undefined) return await openAdminStore(folder, { ...options, create });
  const { openPostgresStore } = await import('./postgres/store.js');
  return await openPostgresStore(url, { connections: 1, ...options });
}

/**
 * Opens the store in `folder` for a server: alone, and open to the admin commands until it is closed.
 * Throws StoreError, in one line: the folder is another server's, or can't be read.
 */
export async function serveStore(folder: string, options: EmbeddedOptions = {}): Promise<Store> {
  await makeFolder(options.files ?? promises, folder);
  const place = await realpath(folder);
  const lock = await waitForLock<never>(place, 'server', (holder) => {
    if (holder.purpose !== 'server') return undefined;
    throw new StoreError(
      `${folder} is in use by another server (process ${holder.pid}): a data folder has one server; ` +
        'for several, keep the data in PostgreSQL: STORE_URL=postgres://…',
    );
  });
  return await underLock(place, lock, async () => {
    const store = await openEmbeddedStore(place, { ...options, check: lock.check });
    const control = await serveAdminSocket(place, store);
    await lock.publish(control.socket);
    return {
      ...store,
      async close() {
        await control.close();
        await store.close();
        await lock.release();
      },
    };
  });
}

/**
 * Opens the store in `folder` for admin commands, whether a server runs on it or not; `close` it soon.
 * `create`: a folder that is not there is made, else it is a StoreError.
 */
export async function openAdminStore(
  folder: string,
  options: EmbeddedOptions & { readonly create?: boolean } = {},
): Promise<AdminConnection> {
  if (options.create) await makeFolder(options.files ?? promises, folder);
  else await checkFolder(folder);
  const place = await realpath(folder);
  // A server that has just gone down leaves its lock to be taken; one that has just come up tells its socket soon.
  const lock = await waitForLock(place, 'command', ({ socket }) =>
    socket === undefined ? undefined : connectAdmin(socket).catch(() => undefined),
  );
  if (!('release' in lock)) return lock;
  return await underLock(place, lock, async () => {
    const store = await openEmbeddedStore(place, { ...options, check: lock.check });
    return {
      ...store,
      async close() {
        await store.close();
        await lock.release();
      },
    };
  });
}

/** Puts previous generations in the place of tables that can't be read (restore.ts), under the folder's lock. */
export async function restoreStore(folder: string): Promise<Restored[]> {
  return await withExclusiveFolder(folder, 'which can read all of it', (place) =>
    restoreTables(promises, place, new Date()),
  );
}

/** Does `work` on a folder that no server uses; `reason`: why it must not, in the words of the StoreError otherwise. */
export async function withExclusiveFolder<Result>(
  folder: string,
  reason: string,
  work: (place: string) => Promise<Result>,
): Promise<Result> {
  await checkFolder(folder);
  const place = await realpath(folder);
  const lock = await waitForLock<never>(place, 'command', (holder) => {
    if (holder.purpose !== 'server') return undefined;
    throw new StoreError(`${folder} is in use by a server (process ${holder.pid}), ${reason}`);
  });
  try {
    return await work(place);
  } finally {
    await lock.release();
  }
}

/** Waits until the lock is taken, or until `instead` has something better to do with its holder. */
async function waitForLock<Instead = never>(
  folder: string,
  purpose: LockRecord['purpose'],
  instead: (holder: LockRecord) => Promise<Instead | undefined> | undefined,
): Promise<Lock | Instead> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const lock = await acquireLock(folder, purpose);
    if ('release' in lock) return lock;
    const found = lock.holder && (await instead(lock.holder));
    if (found !== undefined) return found;
    if (performance.now() > deadline) {
      const holder = lock.holder ? `process ${lock.holder.pid}` : 'another process';
      throw new StoreError(`${folder} is in use by ${holder}: try again when it has ended`);
    }
    // Not all at the same moment.
    await sleep(PAUSE_MS * (0.5 + Math.random()));
  }
}

/** Opens `place`, whose lock is held; a failure gives it back, and is one line, the system's reasons included. */
async function underLock<Result>(place: string, lock: Lock, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    await lock.release();
    if (error instanceof StoreError || (error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new StoreError(`${place}: it can't be opened: ${(error as Error).message}`, { cause: error });
  }
}

async function checkFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch(() => undefined);
  if (found && !found.isDirectory()) throw new StoreError(`${folder}: it is a file, not a folder`);
  if (!found) {
    throw new StoreError(
      `${folder}: there is no such folder; "render init --data ${folder}" makes a first workspace and key in it`,
    );
  }
}
