// What the batch and its render processes say to each other, as JSON.
import type { OutputFormat } from '../../codecs/codec.js';
import type { Warning } from '../../errors.js';
import type { RenderSettings } from '../../settings.js';

/** What is the same for every row. */
export interface BatchConfig {
  readonly template: unknown;
  /** Where the template's local paths start from. */
  readonly baseDirectory: string;
  readonly settings: RenderSettings;
  readonly format?: OutputFormat;
  readonly quality?: number;
  /** Whether any warning fails its row. */
  readonly strict?: boolean;
}

/** One row: what fills the template, and the absolute path that its picture goes to. */
export interface Job {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly target: string;
  /** The file that the picture is written to before it is renamed: a process that is killed may leave it behind. */
  readonly draft: string;
}

/** To a render process: first the assignment, then one job at a time; `stop` gives up the one that runs. */
export type WorkerMessage =
  | { readonly kind: 'assign'; readonly assignment: BatchConfig }
  | { readonly kind: 'draw'; readonly job: Job }
  | { readonly kind: 'stop' };

/** How a job ended; its picture is written when it was drawn, and else its file is as it was before. */
export type WorkerReply =
  | { readonly kind: 'drawn'; readonly warnings: readonly Warning[] }
  /** Its file was there already. */
  | { readonly kind: 'skipped' }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' };
