// The server's log → a stream that may fail: its disk is full, its reader has left, or never reads. Lines that it does not
// take are lost and counted; the renders that run are worth more than what is said of them.
import type { Writable } from 'node:stream';
import { oneLine } from './stdio.js';

export interface LossyLogStream {
  /** Never throws, never waits. */
  write(line: string): void;
}

/** Bytes that may wait for a reader that does not read. */
const MAX_WAITING = 8 * 2 ** 20;

/** Writes lines to `stream` as long as it takes them; what it did not take is told, in one line, when it does again. */
export function openLogStream(stream: Writable, mostWaiting = MAX_WAITING): LossyLogStream {
  let lost = 0;
  let reason = 'nobody reads them';
  // an 'error' that nobody listens to ends the process
  stream.on('error', (error) => {
    reason = error.message;
  });
  const hand = (text: string, lines: number) =>
    void stream.write(text, (error) => {
      if (error) lost += lines;
    });
  return {
    write(line) {
      if (stream.writableLength > mostWaiting) {
        lost++;
        return;
      }
      if (lost > 0) {
        const missing = lost;
        lost = 0;
        // when this one is lost too, none of them has been told
        hand(oneLine(`warning: ${missing} lines of the log are lost: ${reason}`), missing);
      }
      hand(line, 1);
    },
  };
}

interface Emitter {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

/** Logs the rejections that `process` reports, a JSON line each, and lets it live. */
export function logUnhandledRejections(process: Emitter, log: { write(line: string): void }): void {
  process.on('unhandledRejection', (reason) => {
    const { message, stack } = reason instanceof Error ? reason : new Error(String(reason));
    const line = { level: 50, time: new Date().toISOString(), err: { message, stack }, msg: 'nobody waited for this' };
    log.write(`${JSON.stringify(line)}\n`);
  });
}
