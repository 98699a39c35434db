// One writer per data folder: a file `lock` that names its holder. A lock whose holder is gone is taken over at once.
// Whoever holds the lock, and nobody else, writes the folder's files.
import { randomBytes } from 'node:crypto';
import { promises as files } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { StoreError } from '../types.js';
import { isRunning, type ProcessIdentity, thisProcess } from './process-identity.js';
import { isObject } from './snapshot.js';

export interface LockRecord extends ProcessIdentity {
  /** Tells this lock from every other, the same process's too. */
  readonly token: string;
  readonly purpose: 'server' | 'command';
  /** Where a server takes admin commands, once it does. */
  readonly socket?: string;
}

export interface Lock {
  /** Throws when the lock at its place is not this one any more: what lies in the folder may be another's. */
  check(): Promise<void>;
  /** Tells whoever finds the lock where its holder takes commands. */
  publish(socket: string): Promise<void>;
  /** Never throws: a lock that can't be removed is taken over when its process has ended. */
  release(): Promise<void>;
}

/** A holder out of sight (another machine or container) shows by this that it lives, in milliseconds. */
const HEARTBEAT_MS = 3_000;
const LOCK_TTL_MS = 15_000;
/** Longer than any takeover, which is a few file operations. */
const TAKEOVER_MS = 5_000;

/** Takes the lock of `folder`, or says who has it (undefined: it is just changing hands). Throws StoreError. */
export async function acquireLock(
  folder: string,
  purpose: LockRecord['purpose'],
): Promise<Lock | { holder?: LockRecord }> {
  const path = join(folder, 'lock');
  const record: LockRecord = { ...thisProcess(), token: randomBytes(12).toString('hex'), purpose };
  try {
    const found = await read(path);
    if (found && (await isAlive(path, found))) return { ...('token' in found && { holder: found }) };
    if (!(await (found ? takeOver(path, found, record) : writeNew(path, record)))) return {};
    await sweep(folder).catch(() => undefined);
    return await createLock(path, record);
  } catch (cause) {
    throw new StoreError(`${path}: it can't be used as a lock: ${(cause as Error).message}`, { cause });
  }
}

/** False when there is a lock already. The record is there whole or not at all. */
async function writeNew(path: string, record: LockRecord): Promise<boolean> {
  const draft = `${path}.${record.token}`;
  await files.writeFile(draft, JSON.stringify(record), { mode: 0o600 });
  try {
    await files.link(draft, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    // Some file systems have no hard links; there a reader may find the record half written.
    await files.copyFile(draft, path, files.constants.COPYFILE_EXCL).catch((second: unknown) => {
      if (codeOf(second) !== 'EEXIST') throw second;
    });
    const found = await read(path);
    return found !== undefined && 'token' in found && found.token === record.token;
  } finally {
    await files.rm(draft, { force: true });
  }
}

/** A file under the lock's name that is no record; `text` tells it from another. */
interface Unreadable {
  readonly text: string;
}

async function read(path: string): Promise<LockRecord | Unreadable | undefined> {
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
    // torn, or none of ours
  }
  return { text };
}

const sameLock = (a: LockRecord | Unreadable, b: LockRecord | Unreadable | undefined) =>
  b !== undefined && ('token' in a ? 'token' in b && a.token === b.token : !('token' in b) && a.text === b.text);

async function isAlive(path: string, found: LockRecord | Unreadable): Promise<boolean> {
  if ('token' in found) {
    const running = isRunning(found);
    if (running !== undefined) return running;
    const answers = found.socket === undefined ? undefined : await answersAt(found.socket);
    if (answers) return true;
    // On the same machine a socket that refuses has nobody behind it; a missing one may be out of sight.
    if (answers === false && found.machine === thisProcess().machine) return false;
  }
  const { mtimeMs } = await files.stat(path);
  return Date.now() - mtimeMs < LOCK_TTL_MS;
}

/** Whether somebody listens at a socket; undefined when it can't be reached. */
function answersAt(socket: string): Promise<boolean | undefined> {
  return new Promise((resolve) => {
    const connection = connect(socket);
    const done = (answers: boolean | undefined) => {
      connection.destroy();
      resolve(answers);
    };
    connection.once('connect', () => done(true));
    connection.once('error', (error) => done(codeOf(error) === 'ECONNREFUSED' ? false : undefined));
    connection.setTimeout(1_000, () => done(undefined));
  });
}

/** Replaces the dead lock `found`; false when somebody else is at it. Only one at a time may remove a lock. */
async function takeOver(path: string, found: LockRecord | Unreadable, record: LockRecord): Promise<boolean> {
  const claim = `${path}.takeover`;
  try {
    await (await files.open(claim, 'wx', 0o600)).close();
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    const age = await files.stat(claim).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (age > TAKEOVER_MS) await files.rm(claim, { force: true });
    return false;
  }
  try {
    // It may have changed hands since it was looked at.
    if (!sameLock(found, await read(path))) return false;
    await files.rm(path, { force: true });
    return await writeNew(path, record);
  } finally {
    await files.rm(claim, { force: true });
  }
}

/** Removes the drafts and claims of locks that crashes left; a young one may be somebody's who is at it. */
async function sweep(folder: string): Promise<void> {
  for (const name of await files.readdir(folder)) {
    if (!/^lock\.([0-9a-f]{24}|takeover)$/.test(name)) continue;
    const path = join(folder, name);
    if (Date.now() - (await files.stat(path)).mtimeMs > LOCK_TTL_MS) await files.rm(path, { force: true });
  }
}

async function createLock(path: string, record: LockRecord): Promise<Lock> {
  // Open, it keeps its number to itself: a file of that number under the name is this very lock. One call tells, where
  // every charge waits for it.
  let held = await files.open(path, 'r');
  let { dev, ino } = await held.stat({ bigint: true });
  const beat = setInterval(() => {
    const now = new Date();
    files.utimes(path, now, now).catch(() => undefined);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    async check() {
      const there = await files.stat(path, { bigint: true }).catch((error: Error) => error);
      if (!(there instanceof Error)) {
        if (there.ino === ino && there.dev === dev) return;
        // some network file systems give a file another number now and then
        if (sameLock(record, await read(path))) return;
      }
      const how = there instanceof Error ? there.message : 'it is another process’s';
      throw new Error(`the lock of the folder is lost (${how}), so nothing is written; if it stays lost, start anew`);
    },
    async publish(socket) {
      const draft = `${path}.${record.token}`;
      await files.writeFile(draft, JSON.stringify({ ...record, socket }), { mode: 0o600 });
      const next = await files.open(draft, 'r');
      await held.close();
      held = next;
      ({ dev, ino } = await held.stat({ bigint: true }));
      await files.rename(draft, path);
    },
    async release() {
      clearInterval(beat);
      await held.close().catch(() => undefined);
      try {
        if (sameLock(record, await read(path))) await files.rm(path, { force: true });
      } catch {
        // nobody is kept from the folder by it
      }
    },
  };
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
