// The world that a command runs in, given as a value so that it can be tried without a process.
import type { Writable } from 'node:stream';
import type { Detail, Warning } from '../errors.js';
import type { Environment } from '../settings.js';

export interface CliContext {
  readonly environment: Environment;
  /** The folder that relative paths on the command line start from. */
  readonly directory: string;
  /** The file that the program was started as, to start it once more. */
  readonly program?: string;
  readonly input: AsyncIterable<Uint8Array>;
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Ends `--watch`. */
  readonly signal?: AbortSignal;
  /**
   * From its call on, an ending signal (signals.ts) ends nothing by itself, but aborts the signal, its name the reason; the
   * second one ends the process.
   */
  readonly interrupt?: () => AbortSignal;
}

/** Writes `data` and waits until it is handed on; a reader that has left (EPIPE) is no failure: nobody wants the rest. */
export function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: NodeJS.ErrnoException | null) => {
      if (!error || error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') resolve();
      else reject(error);
    };
    // The stream reports a failed write twice, and an 'error' that nobody listens to ends the process.
    stream.once('error', done);
    stream.write(data, (error) => {
      done(error);
      if (!error) stream.off('error', done);
    });
  });
}

/** `error: layers[2].url (logo): …`: a finding on one line, whatever it holds. */
export function findingLine(kind: 'error' | 'warning', { path, layerId, message }: Detail | Warning): string {
  const place = layerId === undefined ? path : `${path} (${JSON.stringify(layerId)})`;
  return oneLine(`${kind}: ${path === '' ? message : `${place}: ${message}`}`);
}

/** Control characters would let a payload write over the terminal. */
export function oneLine(text: string): string {
  return `${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`;
}
