// The trials, in the order in which they run.
import type { Trial } from '../trial.js';
import { empty } from './empty.js';
import { frameworks } from './frameworks.js';
import { lambda } from './lambda.js';
import { pageBundlers } from './page-bundlers.js';
import { scratch } from './scratch.js';
import { servers } from './servers.js';
import { trace } from './trace.js';
import { workers } from './workers.js';

export const TRIALS: readonly Trial[] = [
  empty,
  trace,
  lambda,
  ...servers,
  ...pageBundlers,
  ...frameworks,
  workers,
  scratch,
];
