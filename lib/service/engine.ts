// A checked request → a finished picture: its assets fetched here, its pixels made in a render process.
import type { RenderRequest } from '../contract/request.js';
import type { JobResult } from './job.js';

export interface EngineOptions {
  /** Drawn over the picture; none when absent. */
  readonly watermark: string | undefined;
  /** Milliseconds for the whole render, waiting and fetching included. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

export interface Engine {
  /** `record` is the template's, for a request that names one. Throws RenderError. */
  render(request: RenderRequest, record: unknown, options: EngineOptions): Promise<JobResult>;
  /** Whether a render process answers. */
  isReady(): Promise<boolean>;
}
