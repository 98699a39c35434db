// The environment that a command runs in, passed as a value so that tests need no process; and how to write to it.
import type { Writable } from 'node:stream';
import { isWarningCode } from '../detail-codes.js';
import type { Detail } from '../errors.js';
import type { Environment } from '../settings.js';

export interface CliContext {
  readonly environment: Environment;
  /** The current working directory: relative paths on the command line start here. */
  readonly directory: string;
  /** The file that the program was started from. */
  readonly program?: string;
  readonly input: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly output: Writable & { readonly isTTY?: boolean };
  readonly errors: Writable & { readonly isTTY?: boolean; readonly columns?: number };
  /** Ends `--watch`. */
  readonly signal?: AbortSignal;
  /**
   * Once called, the first termination signal (signals.ts) aborts the returned AbortSignal, with the signal's name as
   * reason, instead of ending the process. A second one ends the process.
   */
  readonly interrupt?: () => AbortSignal;
}

/** Writes `data` and waits until it is flushed. A closed reader (EPIPE) is not an error: nobody wants the rest. */
export function write(stream: Writable, data: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: NodeJS.ErrnoException | null) => {
      if (!error || error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED') resolve();
      else reject(error);
    };
    // A failed write calls back and also emits 'error', which would end the process without a listener.
    stream.once('error', done);
    stream.write(data, (error) => {
      done(error);
      if (!error) stream.off('error', done);
    });
  });
}

/** Formats a finding on one line: `error: layers[2].url ("logo"): …`. */
export function findingLine(kind: 'error' | 'warning', finding: Detail): string {
  const { path, layerId, message } = withCode(finding);
  const location = layerId === undefined ? path : `${path} (${JSON.stringify(layerId)})`;
  return oneLine(`${kind}: ${path === '' ? message : `${location}: ${message}`}`);
}

/** The finding with the code in its message, if it is one that `--strict` and `--allow` take. */
export function withCode(finding: Detail): Detail {
  const { code, message } = finding;
  return isWarningCode(code) ? { ...finding, message: `${message} [${code}]` } : finding;
}

/** Replaces control characters, with which a payload could overwrite the terminal, and adds a line feed. */
export function oneLine(text: string): string {
  return `${text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')}\n`;
}
