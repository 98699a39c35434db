// API keys: made once, shown once. Storage knows a key by its SHA-256 alone (CONTRACT "API key").
import { createHash, randomBytes } from 'node:crypto';

const PREFIX = 'svc_live_';

/** A new raw key: `svc_live_` and 64 hexadecimal digits, 256 bits from the system's random source. */
export function createRawKey(): string {
  return PREFIX + randomBytes(32).toString('hex');
}

/** What is stored and looked up: the SHA-256 of the raw key's bytes, 64 hexadecimal digits. */
export function hashKey(raw: string): string {
  return createHash('sha256').update(raw).digest('hex');
}
