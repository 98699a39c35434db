// Shows why an operation failed.
import type { ApiError } from '../app/api.js';
import { Alert } from './feedback.js';

/** Shows why an operation failed, with the faults of fields. */
export function ErrorAlert({ error }: { readonly error: ApiError }) {
  const [first, ...others] = error.details;
  return (
    <Alert>
      {others.length === 0 ? error.message : first && `${first.path}: ${first.message}`}
      {others.map(({ path, message }) => (
        <div key={path}>
          {path}: {message}
        </div>
      ))}
    </Alert>
  );
}
