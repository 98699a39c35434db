// The uploads of this window.
import { signal } from '@preact/signals';

export interface Upload {
  readonly id: number;
  readonly name: string;
  /** What is sent, 0 to 1. */
  readonly share: number;
  /** Why it failed. */
  readonly error?: string;
}

/** Those that are not done; those that failed until they are dismissed. */
export const uploads = signal<readonly Upload[]>([]);
