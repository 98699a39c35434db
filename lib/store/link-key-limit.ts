// The error of a workspace that has as many active link keys as it may have.
import { MAX_LINK_KEYS, StoreError } from './types.js';

export function linkKeyLimit(): StoreError {
  const message = `the workspace has ${MAX_LINK_KEYS} active link keys, and may have no more: revoke one first`;
  return new StoreError(message, { code: 'link_key_limit' });
}
