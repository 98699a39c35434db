// The ids that both stores make, and the errors by which both refuse an operation.
import { randomBytes } from 'node:crypto';
import { formatReceived } from '../contract/json/describe.js';
import { MAX_CREDITS } from './credits.js';
import { type ExpectedVersion, MAX_LINK_KEYS, StoreError } from './types.js';

/** A new id, such as `tpl_…`. */
export const newId = (kind: string): string => `${kind}_${randomBytes(12).toString('hex')}`;

export function notFound(id: string, noun: string): StoreError {
  return new StoreError(`there is no ${noun} ${formatReceived(id)}`, { code: 'not_found' });
}

export function unknownVersion(id: string, version: number): StoreError {
  return new StoreError(`template ${formatReceived(id)} has no version ${version}`, { code: 'not_found' });
}

/** A write expects another version of its template than `latest`. */
export function versionConflict(
  id: string,
  { version, publishedVersion }: ExpectedVersion,
  latest: number,
): StoreError {
  const template = `template ${formatReceived(id)}`;
  const message =
    version === latest
      ? `${template}: the published version is not ${publishedVersion === 0 ? 'none' : publishedVersion}`
      : `${template} is at version ${latest}, not ${version}`;
  return new StoreError(message, { code: 'version_conflict' });
}

/** A write expects another version of the brand than `latest`; 0 stands for none. */
export function brandConflict(expected: number, latest: number): StoreError {
  const message =
    latest === 0
      ? `the workspace has no brand yet, not version ${expected}`
      : `the brand is at version ${latest}, not ${expected}`;
  return new StoreError(message, { code: 'version_conflict' });
}

/** The workspace has as many active link keys as it may. */
export function linkKeyLimit(): StoreError {
  const message = `the workspace has ${MAX_LINK_KEYS} active link keys, and may have no more: revoke one first`;
  return new StoreError(message, { code: 'link_key_limit' });
}

export const duplicateKey = (): StoreError => new StoreError('this key exists already');

export const balanceTooLarge = (): StoreError => new StoreError(`a balance can't be above ${MAX_CREDITS} credits`);

export function tooFewCredits(workspaceId: string, available: number): StoreError {
  return new StoreError(`workspace ${formatReceived(workspaceId)} has only ${available} credits available`);
}

export function endedHold(id: string): StoreError {
  return new StoreError(`hold ${id} has been settled or released already`);
}

export function assetQuotaExceeded(usedBytes: number | string, quotaBytes: number, bytes: number): StoreError {
  const message = `the workspace's assets take ${usedBytes} of ${quotaBytes} bytes: there is no room for ${bytes} more`;
  return new StoreError(message, { code: 'asset_quota' });
}

/** `templates`: the ids of those that use the asset. */
export function assetInUse(id: string, templates: readonly string[]): StoreError {
  const message = `asset ${id} is used by ${templates.length} templates: ${templates.join(', ')}`;
  return new StoreError(message, { code: 'asset_in_use', templates });
}

export function duplicateOperator(name: string): StoreError {
  return new StoreError(`there is an operator ${formatReceived(name)} already`, { code: 'duplicate_name' });
}

export function lastOwner(name: string): StoreError {
  const message = `${formatReceived(name)} is the last owner: create another one first`;
  return new StoreError(message, { code: 'last_owner' });
}
