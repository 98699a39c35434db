// Writes the server's log to a stream that may fail or stall (full disk, closed or slow reader). Lines that the stream
// does not accept are dropped and counted, so that logging never blocks or ends the server.
import type { Writable } from 'node:stream';
import { oneLine } from './stdio.js';

export interface LossyLogStream {
  /** Never throws and never blocks. */
  write(line: string): void;
}

/** Bytes that may be buffered for a reader that does not read. */
const MAX_BUFFERED_BYTES = 8 * 2 ** 20;

/** Writes lines to `stream`. Once it accepts data again after a failure, one line reports how many were dropped. */
export function openLogStream(stream: Writable, maxBufferedBytes = MAX_BUFFERED_BYTES): LossyLogStream {
  let dropped = 0;
  let reason = 'the reader is too slow';
  // An 'error' event without a listener would end the process.
  stream.on('error', (error) => {
    reason = error.message;
  });
  /** Sends `text`. `lineCount` is the number of log lines that are lost if that fails. */
  const send = (text: string, lineCount: number) =>
    void stream.write(text, (error) => {
      if (error) dropped += lineCount;
    });
  return {
    write(line) {
      if (stream.writableLength > maxBufferedBytes) {
        dropped++;
        return;
      }
      if (dropped > 0) {
        const count = dropped;
        dropped = 0;
        // A lost report is added back to the count and reported later.
        send(oneLine(`warning: ${count} log lines were dropped: ${reason}`), count);
      }
      send(line, 1);
    },
  };
}

interface Emitter {
  on(event: 'unhandledRejection', listener: (reason: unknown) => void): unknown;
}

/**
 * Logs unhandled promise rejections, one JSON line each, and keeps the process alive: every request has its own error
 * handling, so a stray rejection has corrupted no shared state, and the renders in flight should finish. An uncaught
 * exception still ends the process; the store survives a crash at any time, and a supervisor restarts the server.
 */
export function logUnhandledRejections(process: Emitter, log: { write(line: string): void }): void {
  process.on('unhandledRejection', (reason) => {
    const { message, stack } = reason instanceof Error ? reason : new Error(String(reason));
    const line = { level: 50, time: new Date().toISOString(), err: { message, stack }, msg: 'unhandled rejection' };
    log.write(`${JSON.stringify(line)}\n`);
  });
}
