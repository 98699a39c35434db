// Runs one operation at a time, and gives buttons and errors its state.
import { useState } from 'preact/hooks';
import { ApiError } from './api.js';

export interface Action<Name> {
  /** The operation in progress. */
  readonly busy: Name | undefined;
  /** The error of the last operation that failed. */
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
