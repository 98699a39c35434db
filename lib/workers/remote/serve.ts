// A separate pool: it starts one render process for each connection to its socket, and passes on the bytes between the two. It
// does not read them, so nothing in it can be attacked through them.
import { lstatSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { writeFrame } from '../channel/frames.js';
import { readUsage } from '../processor-time.js';
import type { Launch, Launched, ProcessUsage } from '../sandbox/launch.js';
import {
  decodeOpening,
  encodeMessage,
  MAX_OPENING_BYTES,
  NO_ROOM,
  NOT_STARTED,
  OTHER_VERSION,
  POOL_LIMITS,
} from './messages.js';

export interface PoolServerOptions {
  /** The path of the socket. One that a program has left there is replaced. */
  readonly path: string;
  readonly launch: Launch;
  /** Processes that may live at once. */
  readonly maxProcesses: number;
  /** Called with what a process writes to its standard error, and with why one could not be started. */
  readonly report: (line: string) => void;
}

export interface PoolServer {
  /** Render processes that are alive. */
  readonly processes: number;
  /** Ends all processes and removes the socket. */
  close(): Promise<void>;
}

/** Its owner and its group may connect. */
const SOCKET_MODE = 0o660;
/** Longest socket path that every system accepts (macOS: 104 bytes with the final zero, Linux: 108). */
const MAX_PATH_BYTES = 103;
/** Milliseconds in which a connection must say what it wants. */
const OPENING_MS = 10_000;
/** Milliseconds between two reports of a working process's usage to the server. */
const USAGE_MS = 250;
/** Connections beyond the processes that hear that there is no room; further ones are closed at once. */
const REFUSED_CONNECTIONS = 16;
const OUTPUT = encodeMessage({ kind: 'output' });

/** Listens at the path. Rejects with an error whose message is one line when that is not possible. */
export async function servePool({ path, launch, maxProcesses, report }: PoolServerOptions): Promise<PoolServer> {
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw new Error(`the path of a socket has at most ${MAX_PATH_BYTES} bytes`);
  }
  await removeLeftover(path);
  /** The processes that are alive, each with a promise that resolves when it has ended. */
  const processes = new Map<Launched, Promise<void>>();
  const sockets = new Set<Socket>();

  function start(socket: Socket, line: string, rest: Buffer): void {
    const end = (reason: string) => {
      if (!socket.destroyed) writeFrame(socket, { head: encodeMessage({ kind: 'ended', reason }) });
      socket.end();
    };
    let options: ReturnType<typeof decodeOpening>;
    try {
      options = decodeOpening(line);
    } catch {
      end(OTHER_VERSION);
      return;
    }
    if (processes.size >= maxProcesses) {
      end(NO_ROOM);
      return;
    }
    let launched: Launched;
    try {
      launched = launch(options);
    } catch (error) {
      report(`a render process could not be started: ${(error as Error).message}`);
      end(NOT_STARTED);
      return;
    }
    let onEnded = () => {};
    processes.set(
      launched,
      new Promise((resolve) => {
        onEnded = resolve;
      }),
    );
    const usage = reportUsage(socket, launched);
    launched.onEnd((reason) => {
      processes.delete(launched);
      onEnded();
      usage.stop();
      const isKnown = /^(SIG|exit code)/.test(reason);
      if (!isKnown) report(`a render process could not be started: ${reason}`);
      end(isKnown ? reason : NOT_STARTED);
    });
    launched.errors?.setEncoding('utf8').on('data', (text: string) => report(text.trimEnd()));
    launched.output.on('data', (chunk: Buffer) => {
      if (socket.destroyed) return;
      usage.send();
      for (let at = 0; at < chunk.length; at += POOL_LIMITS.body) {
        writeFrame(socket, { head: OUTPUT, body: chunk.subarray(at, at + POOL_LIMITS.body) });
      }
      if (!socket.writableNeedDrain) return;
      launched.output.pause();
      socket.once('drain', () => launched.output.resume());
    });
    // both streams break when the process ends
    launched.output.on('error', () => {});
    launched.input.on('error', () => {});
    // The socket is read even while the process is too busy to read: its end must be seen. The server sends one job at a time.
    socket.on('data', (chunk: Buffer) => {
      launched.input.write(chunk);
      usage.poll();
    });
    socket.once('close', () => launched.kill());
    if (rest.length > 0) launched.input.write(rest);
  }

  const server = createServer((socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const late = setTimeout(() => socket.destroy(), OPENING_MS);
    let opening = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      opening = Buffer.concat([opening, chunk]);
      const end = opening.indexOf('\n');
      if (end < 0 && opening.length <= MAX_OPENING_BYTES) return;
      clearTimeout(late);
      socket.off('data', read);
      if (end < 0 || end > MAX_OPENING_BYTES) socket.destroy();
      else start(socket, opening.toString('utf8', 0, end), opening.subarray(end + 1));
    };
    socket.on('data', read);
    socket.once('close', () => clearTimeout(late));
  });
  server.maxConnections = maxProcesses + REFUSED_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    // `listen` creates the socket synchronously: with this umask nobody else can ever open it
    const mask = process.umask(0o777 & ~SOCKET_MODE);
    try {
      server.listen(path, () => {
        server.off('error', reject);
        resolve();
      });
    } finally {
      process.umask(mask);
    }
  });
  server.on('error', (error) => report(`a connection could not be accepted: ${error.message}`));
  return {
    get processes() {
      return processes.size;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      const ended = [...processes.values()];
      for (const socket of sockets) socket.destroy();
      await Promise.all([closed, ...ended]);
    },
  };
}

/** Sends what the process has used: before its output, and from time to time while it works. */
function reportUsage(socket: Socket, launched: Launched) {
  let last: ProcessUsage | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Whether there was news. */
  function send(): boolean {
    const usage = readUsage(launched.pid());
    if (!usage || socket.destroyed) return false;
    if (usage.cpuMs === last?.cpuMs && usage.residentBytes === last.residentBytes) return false;
    last = usage;
    writeFrame(socket, { head: encodeMessage({ kind: 'usage', ...usage }) });
    return true;
  }
  function poll(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      // an idle process is not looked at
      if (send()) poll();
    }, USAGE_MS);
  }
  return { send, poll, stop: () => clearTimeout(timer) };
}

/** Removes the socket of a program that has ended. Throws if one answers there, or if there is another kind of file. */
async function removeLeftover(path: string): Promise<void> {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return;
  if (!stats.isSocket()) throw new Error('there is a file that is no socket');
  const answers = await new Promise<boolean>((resolve) => {
    const socket = createConnection(path, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
  if (answers) throw new Error('another pool listens there');
  rmSync(path, { force: true });
}
