// The uploads of this window.
import { signal } from '@preact/signals';

export interface Upload {
  readonly id: number;
  readonly name: string;
  /** Share that has been sent, 0 to 1. */
  readonly share: number;
  /** Reason of the failure. */
  readonly error?: string;
}

/** The uploads in progress, and the failed ones until they are dismissed. */
export const uploads = signal<readonly Upload[]>([]);
