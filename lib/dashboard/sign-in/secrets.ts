// The secrets of sessions and sign-in links. Storage has only their SHA-256.
import { createHash, randomBytes } from 'node:crypto';
import type { OperatorStore } from '../../store/operator-store.js';

/** How long a sign-in link works. */
export const LINK_MINUTES = 15;

/** 32 random bytes in base64url. */
export function createSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The SHA-256 of a secret, hex; undefined if the text can't be one. */
export function hashSecret(secret: string): string | undefined {
  return /^[\w-]{43}$/.test(secret) ? createHash('sha256').update(secret).digest('hex') : undefined;
}

/** A new sign-in link for an operator, which ends earlier ones. `origin`: of the server. */
export async function createSignInLink(
  store: Pick<OperatorStore, 'createSignInToken'>,
  operatorId: string,
  origin: string,
): Promise<string> {
  const token = createSecret();
  const expiresAt = new Date(Date.now() + LINK_MINUTES * 60_000).toISOString();
  await store.createSignInToken(operatorId, { hash: hashSecret(token)!, expiresAt });
  // the fragment is sent to no server, and stands in no log
  return `${origin}/dashboard/link#${token}`;
}
