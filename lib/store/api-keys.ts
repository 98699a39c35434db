// Creates and hashes API keys. A raw key is shown once; storage has only its SHA-256 (docs/service.md#how-a-request-is-handled).
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'svc_live_';

/** A new raw key: `svc_live_` and 64 hexadecimal digits (256 random bits). */
export function createRawKey(): string {
  return PREFIX + randomBytes(32).toString('hex');
}

/** The start of a raw key by which people recognise it: `svc_live_` and its first 8 digits. 224 random bits stay secret. */
export function keyPrefix(raw: string): string {
  return raw.slice(0, PREFIX.length + 8);
}

/** The SHA-256 of a raw key as 64 hexadecimal digits, by which it is stored and looked up. */
export function hashKey(raw: string): string {
  return createHash('sha256').update(raw).digest('hex');
}
