// A trial: one way to deploy an application that uses Platen, tried from the packed file alone.
import type { Workspace } from './setup.js';

export interface Trial {
  readonly name: string;
  /** What it tries, for the list of `npm run deploys -- --list`. */
  readonly about: string;
  /** Whether it is one of the quick ones, which `.ci/run` runs. */
  readonly isQuick?: boolean;
  /** Returns what it measured, or throws what failed; SkipTrial if it can't run here. */
  run(workspace: Workspace): Promise<string | undefined>;
}
