// The long runs by name: what they count, how far they go, and how they are opened.
import type { Cases } from './long-run.js';

export interface LongRun {
  readonly name: string;
  readonly unit: string;
  /** Units of one case. */
  readonly each: number;
  /** Number of units of a whole run. */
  readonly count: number;
  /** Describes a case, for the table of docs/reliability.md. */
  readonly does: string;
  open(seed: number): Promise<Cases>;
}

/** The decoders' formats, as targets of the fuzzer. */
export const FORMATS = ['png', 'jpeg', 'webp', 'avif', 'gif', 'svg', 'sfnt', 'woff', 'woff2'];
export const KILLS_EACH = 20;
export const INTERRUPTIONS_EACH = 10;
export const RENDERS_EACH = 100;

export const RUNS: readonly LongRun[] = [
  {
    name: 'decoders',
    unit: 'files',
    each: FORMATS.length,
    count: 1_000_000,
    does: 'a mutated file of each format (PNG, JPEG, WebP, AVIF, GIF, SVG, TTF, WOFF, WOFF2) is rendered, then a control image in the same process',
    open: async (seed) => (await import('./decoders.js')).openDecoders(seed),
  },
  {
    name: 'kills',
    unit: 'kills',
    each: KILLS_EACH,
    count: 10_000,
    does: 'a process that charges with idempotency keys is killed 20 times in the life of one data folder; after each, balance, ledger and keys agree',
    open: async (seed) => (await import('./kills.js')).openKills(seed),
  },
  {
    name: 'nodes',
    unit: 'interruptions',
    each: INTERRUPTIONS_EACH,
    count: 10_000,
    does: 'of three nodes under load on one PostgreSQL database one is killed, or all database sessions are ended, ten times; then charges and answers agree',
    open: async (seed) => (await import('./nodes.js')).openNodes(seed),
  },
  {
    name: 'renders',
    unit: 'renders',
    each: RENDERS_EACH,
    count: 1_000_000,
    does: 'mixed payloads, some invalid, go to one server; control images keep their bytes, each 200 is charged once, and memory is flat',
    open: async (seed) => (await import('./renders.js')).openRenders(seed),
  },
];
