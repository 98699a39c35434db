// Frames on the two streams between a render process and its parent: the length of a head and of a body, then both. The
// process gets heads that V8 serialized; it answers with heads in JSON and pictures as bodies, because its parent must not
// deserialize what an attacker may have written.
import type { Writable } from 'node:stream';

/** Two lengths, 32 bits each, little-endian. */
const PREFIX_BYTES = 8;

/** Bytes that a frame may have. */
export interface FrameLimits {
  readonly head: number;
  readonly body: number;
}

/** Heads of up to so many bytes are copied behind their lengths: that costs less than a second piece to write. */
const MAX_COPIED_BYTES = 2 ** 16;

/** The pieces of one frame, to be written one after the other. */
export function frameOf(head: Uint8Array, body?: Uint8Array): Uint8Array[] {
  const isCopied = head.length <= MAX_COPIED_BYTES;
  const start = Buffer.allocUnsafe(PREFIX_BYTES + (isCopied ? head.length : 0));
  start.writeUInt32LE(head.length, 0);
  start.writeUInt32LE(body?.length ?? 0, 4);
  if (isCopied) start.set(head, PREFIX_BYTES);
  return [start, ...(isCopied ? [] : [head]), ...(body ? [body] : [])];
}

export function writeFrame(
  stream: Writable,
  { head, body }: { readonly head: Uint8Array; readonly body?: Uint8Array },
  onWritten: (error?: Error | null) => void = () => {},
): void {
  const pieces = frameOf(head, body);
  const last = pieces.pop() as Uint8Array;
  if (pieces.length > 0) stream.cork();
  for (const piece of pieces) stream.write(piece);
  stream.write(last, onWritten);
  if (pieces.length > 0) stream.uncork();
}

/** Puts frames together from the chunks of a stream. */
export class FrameReader {
  readonly #limits: () => FrameLimits;
  readonly #onFrame: (head: Buffer, body: Buffer) => void;
  readonly #prefix = Buffer.alloc(PREFIX_BYTES);
  #prefixLength = 0;
  /** The frame whose prefix is complete, and how many bytes of it have arrived. */
  #frame: Buffer | undefined;
  #headLength = 0;
  #received = 0;

  /** `limits` is asked when a frame begins, before memory is allocated for it. */
  constructor(limits: () => FrameLimits, onFrame: (head: Buffer, body: Buffer) => void) {
    this.#limits = limits;
    this.#onFrame = onFrame;
  }

  /** Throws when a frame exceeds the limits, or what `onFrame` throws; the stream is of no use then. */
  push(chunk: Buffer): void {
    if (this.#pushWhole(chunk)) return;
    let at = 0;
    while (at < chunk.length) {
      if (this.#frame === undefined) {
        const count = Math.min(PREFIX_BYTES - this.#prefixLength, chunk.length - at);
        chunk.copy(this.#prefix, this.#prefixLength, at, at + count);
        at += count;
        this.#prefixLength += count;
        if (this.#prefixLength < PREFIX_BYTES) return;
        this.#begin();
      }
      const frame = this.#frame as unknown as Buffer;
      const count = Math.min(frame.length - this.#received, chunk.length - at);
      chunk.copy(frame, this.#received, at, at + count);
      at += count;
      this.#received += count;
      if (this.#received < frame.length) return;
      this.#frame = undefined;
      this.#prefixLength = 0;
      this.#onFrame(frame.subarray(0, this.#headLength), frame.subarray(this.#headLength));
    }
  }

  /** Passes a chunk on without a copy when it is exactly one frame, as most are. Returns false for any other chunk. */
  #pushWhole(chunk: Buffer): boolean {
    if (this.#frame !== undefined || this.#prefixLength > 0 || chunk.length < PREFIX_BYTES) return false;
    const head = chunk.readUInt32LE(0);
    const body = chunk.readUInt32LE(4);
    if (PREFIX_BYTES + head + body !== chunk.length) return false;
    this.#check(head, body);
    this.#onFrame(chunk.subarray(PREFIX_BYTES, PREFIX_BYTES + head), chunk.subarray(PREFIX_BYTES + head));
    return true;
  }

  #begin(): void {
    const head = this.#prefix.readUInt32LE(0);
    const body = this.#prefix.readUInt32LE(4);
    this.#check(head, body);
    // not from the pool of small buffers: a picture that is cached must not hold a slab
    this.#frame = Buffer.allocUnsafeSlow(head + body);
    this.#headLength = head;
    this.#received = 0;
  }

  #check(head: number, body: number): void {
    const limits = this.#limits();
    if (head === 0 || head > limits.head || body > limits.body) {
      throw new Error(
        `received a frame of ${head} + ${body} bytes, expected at most ${limits.head} + ${limits.body} bytes`,
      );
    }
  }
}
