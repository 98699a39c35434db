// The options that every runtime gets.
import { join } from 'node:path';
import { ROOT } from '../../checkout.js';
import type { Result } from '../compare.js';

/** The folder with the runtimes' own package.json. */
export const RUNTIMES_FOLDER = join(ROOT, 'test/runtimes');

export interface RunOptions {
  /** File with one case as JSON on each line. */
  readonly file: string;
  /** Whether results have their pixels. */
  readonly pictures: boolean;
  readonly onResult: (result: Result) => void;
}
