// A worker process's end of the channel to its parent: standard input and output.
import { Console } from 'node:console';
import { writevSync } from 'node:fs';
import { deserialize } from 'node:v8';
import type { ChildMessage, ParentMessage } from '../job.js';
import { FrameReader, frameOf } from './frames.js';

/** The parent is trusted, and its jobs were admitted by their size. */
const NO_LIMITS = { head: 2 ** 32, body: 2 ** 32 };
const OUTPUT = 1;
/** Milliseconds between attempts to write to a pipe that is full and does not block. */
const RETRY_MS = 1;

/** Calls `onMessage` for each message, and `onEnd` when the parent is gone. Returns what sends messages. */
export function openChannel(
  onMessage: (message: ParentMessage) => void,
  onEnd: () => void,
): (message: ChildMessage, body?: Uint8Array) => void {
  const { stdin, stderr } = process;
  const reader = new FrameReader(
    () => NO_LIMITS,
    (head) => onMessage(deserialize(head) as ParentMessage),
  );
  stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  stdin.once('close', onEnd);
  stdin.on('error', onEnd);
  // what a library prints must not come between the frames
  globalThis.console = new Console(stderr);
  return (message, body) => {
    try {
      writeAll(frameOf(Buffer.from(JSON.stringify(message)), body));
    } catch {
      // the parent has gone while the process wrote
      onEnd();
    }
  };
}

/** Writes at once, without a stream: a process has nothing else to do until its parent has the answer. */
function writeAll(pieces: Uint8Array[]): void {
  while (pieces.length > 0) {
    let written = writeSome(pieces);
    while (pieces.length > 0 && written >= pieces[0].length) written -= (pieces.shift() as Uint8Array).length;
    if (pieces.length > 0) pieces[0] = pieces[0].subarray(written);
  }
}

/** Returns how many bytes were written. */
function writeSome(pieces: readonly Uint8Array[]): number {
  try {
    return writevSync(OUTPUT, pieces);
  } catch (error) {
    // somebody else made the pipe non-blocking
    if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    return 0;
  }
}
