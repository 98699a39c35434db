// Turns what an operation throws into the error that its answer reports.
import { CodedError, type Detail, RenderError, ServiceError } from '../errors.js';
import { StoreError } from '../store/types.js';

/** An error of a request's body. `POST /v1/render` answers it without a code (docs/service.md#errors). */
export class BodyError extends CodedError {
  override readonly name = 'BodyError';

  constructor({ code, message, details, cause }: CodedError) {
    super(code, message, { details, cause });
  }
}

/** Anything but a CodedError is unexpected, except that the key's workspace was deleted during the request. */
export function toRenderError(error: unknown): CodedError {
  if (error instanceof CodedError) return error;
  if (error instanceof StoreError && error.code === 'not_found') {
    return new ServiceError('invalid_api_key', 'the workspace of the API key was deleted', { cause: error });
  }
  return new ServiceError('internal_error', 'an unexpected error; the request id helps us find it', { cause: error });
}

export const templateNotFound = () => new RenderError('template_not_found', 'there is no template with this id');
export const versionNotFound = () =>
  new RenderError('template_not_found', 'there is no template with this id, or it has no such version');
export const assetNotFound = () => new ServiceError('asset_not_found', 'there is no asset with this id');
export const versionConflict = () =>
  new ServiceError('version_conflict', 'the template is not at the version that If-Match names');

export const brandConflict = () =>
  new ServiceError('version_conflict', 'the brand is not at the version that If-Match names');

/** Awaits a call of the store. The failures that callers of the API cause become errors of the API. */
export async function fromStore<Result>(
  call: Promise<Result>,
  notFound: () => Error = templateNotFound,
  conflict: () => Error = versionConflict,
): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    switch (error.code) {
      case 'not_found':
        throw notFound();
      case 'version_conflict':
        throw conflict();
      case 'invalid_cursor': {
        const details: Detail[] = [
          { code: 'invalid_value', path: 'cursor', message: 'expected the nextCursor of an earlier answer' },
        ];
        throw new RenderError('invalid_request', `cursor: ${details[0].message}`, { details });
      }
      case 'asset_quota':
      case 'asset_in_use':
        throw new ServiceError(error.code, error.message, { cause: error });
      default:
        throw error;
    }
  }
}
