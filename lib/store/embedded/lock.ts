// Locks a data folder with a file `lock` that names the holding process. Only the holder writes the folder's files.
// If the holder has ended, the lock is taken over at once.
import { randomBytes } from 'node:crypto';
import { promises as files } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { isObject } from '../../contract/schema/fields.js';
import { StoreError } from '../types.js';
import { isRunning, type ProcessIdentity, thisProcess } from './process-identity.js';

export interface LockRecord extends ProcessIdentity {
  /** Unique to this lock, also among locks of the same process. */
  readonly token: string;
  readonly purpose: 'server' | 'command';
  /** Path of the server's admin socket, once it listens. */
  readonly socket?: string;
}

export interface Lock {
  /** Throws when the lock file is no longer this lock: another process may own the folder. */
  assertHeld(): Promise<void>;
  /** Adds the path of the admin socket to the lock file. */
  publish(socket: string): Promise<void>;
  /** Never throws: a lock that can't be removed is taken over once this process has ended. */
  release(): Promise<void>;
}

/** Interval at which the holder updates the lock's mtime, for processes on other machines and in other containers. */
const HEARTBEAT_MS = 3_000;
/** A lock whose holder can't be checked expires this long after the last heartbeat. */
const LOCK_TTL_MS = 15_000;
/** A takeover takes a few file operations; a claim file older than this was left by a crash. */
const TAKEOVER_TIMEOUT_MS = 5_000;

/** Takes the lock of `folder`, or returns its holder (undefined while the lock changes hands). Throws StoreError. */
export async function acquireLock(
  folder: string,
  purpose: LockRecord['purpose'],
): Promise<Lock | { holder?: LockRecord }> {
  const path = join(folder, 'lock');
  const record: LockRecord = { ...thisProcess(), token: randomBytes(12).toString('hex'), purpose };
  try {
    const found = await readLock(path);
    if (found && (await isAlive(path, found))) return { ...('token' in found && { holder: found }) };
    if (!(await (found ? takeOver(path, found, record) : writeLock(path, record)))) return {};
    await removeLeftovers(folder).catch(() => undefined);
    return await createLock(path, record);
  } catch (cause) {
    throw new StoreError(`${path}: it can't be used as a lock: ${(cause as Error).message}`, { cause });
  }
}

/** Creates the lock file atomically; false when one exists already. */
async function writeLock(path: string, record: LockRecord): Promise<boolean> {
  const temporary = `${path}.${record.token}`;
  await files.writeFile(temporary, JSON.stringify(record), { mode: 0o600 });
  try {
    await files.link(temporary, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Some file systems have no hard links; there a reader may see a partly written record.
    await files.copyFile(temporary, path, files.constants.COPYFILE_EXCL).catch((second: unknown) => {
      if (codeOf(second) !== 'EEXIST') throw second;
    });
    const found = await readLock(path);
    return found !== undefined && 'token' in found && found.token === record.token;
  } finally {
    await files.rm(temporary, { force: true });
  }
}

/** A lock file without a valid record. */
interface MalformedLock {
  readonly text: string;
}

async function readLock(path: string): Promise<LockRecord | MalformedLock | undefined> {
  let text: string;
  try {
    text = await files.readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && typeof value.token === 'string' && Number.isInteger(value.pid)) {
      return value as unknown as LockRecord;
    }
  } catch {
    // Torn, or written by another program.
  }
  return { text };
}

const isSameLock = (a: LockRecord | MalformedLock, b: LockRecord | MalformedLock | undefined) =>
  b !== undefined && ('token' in a ? 'token' in b && a.token === b.token : !('token' in b) && a.text === b.text);

async function isAlive(path: string, found: LockRecord | MalformedLock): Promise<boolean> {
  if ('token' in found) {
    const running = isRunning(found);
    if (running !== undefined) return running;
    const isListening = found.socket === undefined ? undefined : await probeSocket(found.socket);
    if (isListening) return true;
    // On the same machine, a refused connection means that the server has ended. A missing socket proves nothing: it may
    // be in another container's file system.
    if (isListening === false && found.machine === thisProcess().machine) return false;
  }
  const { mtimeMs } = await files.stat(path);
  return Date.now() - mtimeMs < LOCK_TTL_MS;
}

/** Whether a process listens at a socket; undefined when the socket can't be reached. */
function probeSocket(socket: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const done = (isListening: boolean | undefined) => {
      connection.destroy();
      resolve(isListening);
    };
    connection.once('connect', () => done(true));
    connection.once('error', (error) => done(codeOf(error) === 'ECONNREFUSED' ? false : undefined));
    connection.setTimeout(1_000, () => done(undefined));
  });
}

/** Replaces the dead lock `found`; false when another process does. A claim file lets one process at a time remove it. */
async function takeOver(path: string, found: LockRecord | MalformedLock, record: LockRecord): Promise<boolean> {
  const claim = `${path}.takeover`;
  try {
    await (await files.open(claim, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const ageMs = await files.stat(claim).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (ageMs > TAKEOVER_TIMEOUT_MS) await files.rm(claim, { force: true });
    return false;
  }
  try {
    // Another process may have taken the lock since it was read.
    if (!isSameLock(found, await readLock(path))) return false;
    await files.rm(path, { force: true });
    return await writeLock(path, record);
  } finally {
    await files.rm(claim, { force: true });
  }
}

/** Removes temporary and claim files that crashes left. A recent one may be in use by another process. */
async function removeLeftovers(folder: string): Promise<void> {
  for (const name of await files.readdir(folder)) {
    if (!/^lock\.([0-9a-f]{24}|takeover)$/.test(name)) continue;
    const path = join(folder, name);
    if (Date.now() - (await files.stat(path)).mtimeMs > LOCK_TTL_MS) await files.rm(path, { force: true });
  }
}

async function createLock(path: string, record: LockRecord): Promise<Lock> {
  // While this handle is open, the system can't reuse the inode number: a file with this number is this lock. So
  // `assertHeld`, which every charge waits for, needs one system call.
  let handle = await files.open(path, 'r');
  let { dev, ino } = await handle.stat({ bigint: true });
  const heartbeat = setInterval(() => {
    const now = new Date();
    files.utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    async assertHeld() {
      const current = await files.stat(path, { bigint: true }).catch((error: Error) => error);
      if (!(current instanceof Error)) {
        if (current.ino === ino && current.dev === dev) return;
        // Some network file systems change a file's inode number.
        if (isSameLock(record, await readLock(path))) return;
      }
      const reason = current instanceof Error ? current.message : 'another process has it';
      throw new Error(
        `the lock of the folder is lost (${reason}), so nothing is written; if this continues, restart the server`,
      );
    },
    async publish(socket) {
      const temporary = `${path}.${record.token}`;
      await files.writeFile(temporary, JSON.stringify({ ...record, socket }), { mode: 0o600 });
      const next = await files.open(temporary, 'r');
      await handle.close();
      handle = next;
      ({ dev, ino } = await handle.stat({ bigint: true }));
      await files.rename(temporary, path);
    },
    async release() {
      clearInterval(heartbeat);
      await handle.close().catch(() => undefined);
      try {
        if (isSameLock(record, await readLock(path))) await files.rm(path, { force: true });
      } catch {
        // The lock is taken over once this process has ended.
      }
    },
  };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
