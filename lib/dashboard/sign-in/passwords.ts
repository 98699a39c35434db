// Hashes passwords with scrypt. A hash takes 32 MiB and a third of a second of a core, so one is made at a time.
import { randomBytes, type ScryptOptions, timingSafeEqual } from 'node:crypto';
import { DashboardError } from '../errors.js';
import { deriveInThread } from './hash-thread.js';

const PARAMETERS: ScryptOptions = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 2 ** 20 };
const SCHEME = 'scrypt-15-8-3';
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Hashes that may wait for their turn. */
const MAX_WAITING = 8;

export interface Passwords {
  /** Hashes a password for storage. Rejects with DashboardError `busy`. */
  hash(password: string): Promise<string>;
  /** Checks `password` against the stored hash; takes as long when there is none. Rejects with DashboardError `busy`. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}

type Derive = (password: string, salt: Buffer) => Promise<Buffer>;

const deriveKey: Derive = (password, salt) => deriveInThread(password, salt, HASH_BYTES, PARAMETERS);

export function createPasswords(derive: Derive = deriveKey): Passwords {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = async (password: string, salt: Buffer): Promise<Buffer> => {
    if (waiting >= MAX_WAITING) throw new DashboardError('busy', 'too many sign-ins at once; try again in a second', 1);
    waiting++;
    // two keyboards may type one character as different sequences
    const hash = last.then(() => derive(password.normalize('NFKC'), salt)).finally(() => waiting--);
    last = hash.catch(() => undefined);
    return await hash;
  };
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      const hash = await inTurn(password, salt);
      return [SCHEME, salt.toString('base64url'), hash.toString('base64url')].join('$');
    },
    async verify(password, stored = '') {
      const [scheme, salt, expected] = stored.split('$');
      if (scheme !== SCHEME || salt === undefined || expected === undefined) {
        await inTurn(password, randomBytes(SALT_BYTES));
        return false;
      }
      const hash = await inTurn(password, Buffer.from(salt, 'base64url'));
      const known = Buffer.from(expected, 'base64url');
      return known.length === hash.length && timingSafeEqual(hash, known);
    },
  };
}
