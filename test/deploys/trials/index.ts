// The trials, in the order in which they run.
import type { Trial } from '../trial.js';
import { frameworks } from './frameworks.js';
import { lambda } from './lambda.js';
import { nodeServers } from './node-servers.js';
import { pageBundlers } from './page-bundlers.js';
import { trace } from './trace.js';

export const TRIALS: readonly Trial[] = [trace, lambda, ...nodeServers, ...pageBundlers, ...frameworks];
