// The findings of `platen doctor`: a feature of the host, and its consequence.

/** `limited` means that something does not work, or not well; `failed` means that renders don't. */
export type Status = 'ok' | 'limited' | 'failed';

export interface HostFinding {
  readonly subject: string;
  readonly status: Status;
  readonly found: string;
  /** Consequence of the finding; absent if nothing is amiss. */
  readonly effect?: string;
}

/** The finding is limited if there is an effect to tell. */
export function finding(subject: string, found: string, effect?: string | undefined): HostFinding {
  return effect === undefined ? { subject, status: 'ok', found } : { subject, status: 'limited', found, effect };
}

export function failure(subject: string, found: string, effect: string): HostFinding {
  return { subject, status: 'failed', found, effect };
}

/** The first line of an error's message, without the paths and stacks that may follow. */
export function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0];
}
