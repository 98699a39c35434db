// A worker process's end of the channel to its parent: standard input and output.
import { Console } from 'node:console';
import { deserialize } from 'node:v8';
import type { ChildMessage, ParentMessage } from '../job.js';
import { FrameReader, writeFrame } from './frames.js';

/** The parent is trusted, and its jobs were admitted by their size. */
const NO_LIMITS = { head: 2 ** 32, body: 2 ** 32 };

/** Calls `onMessage` for each message, and `onEnd` when the parent is gone. Returns what sends messages. */
export function openChannel(
  onMessage: (message: ParentMessage) => void,
  onEnd: () => void,
): (message: ChildMessage, body?: Uint8Array) => void {
  const { stdin, stdout, stderr } = process;
  const reader = new FrameReader(
    () => NO_LIMITS,
    (head) => onMessage(deserialize(head) as ParentMessage),
  );
  stdin.on('data', (chunk: Buffer) => reader.push(chunk));
  stdin.once('close', onEnd);
  stdin.on('error', onEnd);
  // the parent has gone while the process wrote
  stdout.on('error', onEnd);
  // what a library prints must not come between the frames
  globalThis.console = new Console(stderr);
  return (message, body) => writeFrame(stdout, Buffer.from(JSON.stringify(message)), body);
}
