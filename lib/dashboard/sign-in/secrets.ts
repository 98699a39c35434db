// Creates the secrets of sessions and sign-in links. The store holds only their SHA-256.
import { createHash, randomBytes } from 'node:crypto';
import type { OperatorStore } from '../../store/operator-store.js';

/** Minutes for which a sign-in link works. */
export const LINK_MINUTES = 15;

/** Returns 32 random bytes in base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Hashes a secret to hexadecimal SHA-256; undefined if the text can't be a secret. */
export function hashSecret(secret: string): string | undefined {
  return /^[\w-]{43}$/.test(secret) ? createHash('sha256').update(secret).digest('hex') : undefined;
}

/** Creates a sign-in link for an operator, which invalidates earlier ones. `origin` is the server's origin. */
export async function createSignInLink(
  store: Pick<OperatorStore, 'createSignInToken'>,
  operatorId: string,
  origin: string,
): Promise<string> {
  const token = createSecret();
  const expiresAt = new Date(Date.now() + LINK_MINUTES * 60_000).toISOString();
  await store.createSignInToken(operatorId, { hash: hashSecret(token)!, expiresAt });
  // browsers don't send the fragment, so no log contains it
  return `${origin}/dashboard/link#${token}`;
}
