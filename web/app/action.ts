// Running one operation at a time, for the buttons and errors around it.
import { useState } from 'preact/hooks';
import { ApiError } from './api.js';

export interface Action<Name> {
  /** The operation that is running. */
  readonly busy: Name | undefined;
  /** Why the last one failed. */
  readonly error: ApiError | undefined;
  setError(error: ApiError | undefined): void;
  run(name: Name, operation: () => Promise<void>): Promise<void>;
}

export function useAction<Name>(): Action<Name> {
  const [busy, setBusy] = useState<Name>();
  const [error, setError] = useState<ApiError>();
  const run = async (name: Name, operation: () => Promise<void>) => {
    setBusy(() => name);
    setError(undefined);
    try {
      await operation();
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setBusy(undefined);
    }
  };
  return { busy, error, setError, run };
}
