// Starts render processes in a separate pool: one connection for each. The server checks their messages as it checks those of
// its own processes.
import { createConnection } from 'node:net';
import { Readable } from 'node:stream';
import { FrameReader } from '../channel/frames.js';
import type { Launch, ProcessUsage } from '../sandbox/launch.js';
import { decodeMessage, encodeOpening, POOL_LIMITS } from './messages.js';

export interface RemotePoolOptions {
  /** The path of the pool's socket. */
  readonly path: string;
  /** Called with one line when the pool is out of reach, and when it is reached again. */
  readonly report: (line: string) => void;
}

/** Returns what starts processes in the pool. One that is out of reach looks like a process that could not be started. */
export function remoteLauncher({ path, report }: RemotePoolOptions): Launch {
  let isOutOfReach = false;
  return (options) => {
    const socket = createConnection(path);
    const output = new Readable({ read() {} });
    let usage: ProcessUsage | undefined;
    let reason: string | undefined;
    let isConnected = false;
    const reader = new FrameReader(
      () => POOL_LIMITS,
      (head, body) => {
        const message = decodeMessage(head);
        if (message.kind === 'output') output.push(body);
        else if (message.kind === 'ended') reason = message.reason;
        else usage = { pid: message.pid, cpuMs: message.cpuMs, residentBytes: message.residentBytes };
      },
    );
    socket.write(encodeOpening(options));
    socket.once('connect', () => {
      isConnected = true;
      if (isOutOfReach) report(`the render pool at ${path} is reached again`);
      isOutOfReach = false;
    });
    socket.on('data', (chunk) => {
      try {
        reader.push(chunk as Buffer);
      } catch (error) {
        report(`the render pool at ${path} sent what no pool sends: ${(error as Error).message}`);
        reason = 'an invalid message of the pool';
        socket.destroy();
      }
    });
    socket.on('error', (error) => {
      if (isConnected) return;
      reason = 'the pool is out of reach';
      if (!isOutOfReach) report(`the render pool at ${path} is out of reach: ${error.message}`);
      isOutOfReach = true;
    });
    return {
      input: socket,
      output,
      errors: undefined,
      pid: () => undefined,
      usage: () => usage,
      // the pool kills the process when its connection ends
      kill: () => void socket.destroy(),
      ref: () => void socket.ref(),
      unref: () => void socket.unref(),
      onEnd(listener) {
        socket.once('close', () => listener(reason ?? 'the connection to the pool ended'));
      },
    };
  };
}
