// The digest under which both stores keep an idempotency key, so that keys can be copied between them.
import { createHash } from 'node:crypto';
import type { IdempotencyKey } from './types.js';

/** SHA-256 of a key: the same for the same API key and value only, because neither contains a NUL. */
export function digestOf({ keyId, value }: IdempotencyKey): Buffer {
  return createHash('sha256').update(`${keyId}\0${value}`).digest();
}
