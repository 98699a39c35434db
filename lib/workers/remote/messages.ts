// The messages between a server and a separate pool. Each connection is one render process: the server opens it with one line
// of JSON and then sends what the process reads. The pool answers with frames: they hold the process's output, and facts that
// the server can't see from where it runs. A pool may have been taken over like a process, so its frames are checked.
import { count, matching, object, oneOf } from '../channel/checks.js';
import type { FrameLimits } from '../channel/frames.js';
import type { LaunchOptions, ProcessUsage } from '../sandbox/launch.js';

export type PoolMessage =
  /** The frame's body is what the process wrote. */
  | { readonly kind: 'output' }
  | ({ readonly kind: 'usage' } & ProcessUsage)
  /** The process has ended or could not be started. */
  | { readonly kind: 'ended'; readonly reason: string };

/** Bytes of the line that opens a connection. */
export const MAX_OPENING_BYTES = 1024;
/** Node reads a process's output in chunks of at most 64 KiB. */
export const POOL_LIMITS: FrameLimits = { head: 256, body: 2 ** 17 };
/** Programs with different versions of the protocol refuse each other. */
const VERSION = 1;

export const NO_ROOM = 'the pool has no room for another process';
export const NOT_STARTED = 'the pool could not start it';
export const OTHER_VERSION = 'the pool runs another version of the program';
/** The reason reaches log and clients, so it has none of the sender's words. */
const REASON = new RegExp(`^(SIG[A-Z\\d]{2,8}|exit code \\d{1,10}|${NO_ROOM}|${NOT_STARTED}|${OTHER_VERSION})$`);

const KINDS = {
  output: object<PoolMessage & { kind: 'output' }>({ kind: oneOf('output') }),
  usage: object<PoolMessage & { kind: 'usage' }>({
    kind: oneOf('usage'),
    pid: count,
    cpuMs: count,
    residentBytes: count,
  }),
  ended: object<PoolMessage & { kind: 'ended' }>({ kind: oneOf('ended'), reason: matching(REASON) }),
};

export const encodeMessage = (message: PoolMessage): Buffer => Buffer.from(JSON.stringify(message));

/** Throws for anything that a pool does not send. */
export function decodeMessage(head: Buffer): PoolMessage {
  const value = JSON.parse(head.toString('utf8')) as { readonly kind?: unknown } | null;
  const kind = value?.kind;
  if (typeof kind !== 'string' || !Object.hasOwn(KINDS, kind)) throw new Error('expected output, usage or ended');
  return KINDS[kind as keyof typeof KINDS](value, kind);
}

export function encodeOpening({ imageCacheBytes, isNice }: LaunchOptions): string {
  return `${JSON.stringify({ version: VERSION, imageCacheBytes, isNice })}\n`;
}

/** Throws for a line that no server of this version sends. */
export function decodeOpening(line: string): LaunchOptions {
  const { version, imageCacheBytes, isNice } = JSON.parse(line) ?? {};
  const hasBytes = imageCacheBytes === undefined || (Number.isSafeInteger(imageCacheBytes) && imageCacheBytes >= 0);
  if (version !== VERSION || !hasBytes || typeof isNice !== 'boolean') throw new Error(OTHER_VERSION);
  return { imageCacheBytes, isNice };
}
