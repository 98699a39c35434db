// The error of a write that expects another version of its template.
import { formatReceived } from '../contract/json/describe.js';
import { type ExpectedVersion, StoreError } from './types.js';

/** `latest` is the template's latest version. */
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
