// Creates and hashes API keys. A raw key is shown once; storage has only its SHA-256 (CONTRACT "API key").
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'svc_live_';

/** A new raw key: `svc_live_` and 64 hexadecimal digits (256 random bits). */
export function createRawKey(): string {
  return PREFIX + randomBytes(32).toString('hex');
}

/** The SHA-256 of a raw key as 64 hexadecimal digits, by which it is stored and looked up. */
export function hashKey(raw: string): string {
  return createHash('sha256').update(raw).digest('hex');
}
