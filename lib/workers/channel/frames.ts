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

const NO_BODY = new Uint8Array();

export function writeFrame(
  stream: Writable,
  head: Uint8Array,
  body: Uint8Array = NO_BODY,
  onWritten?: (error?: Error | null) => void,
): void {
  const start = Buffer.allocUnsafe(PREFIX_BYTES + head.length);
  start.writeUInt32LE(head.length, 0);
  start.writeUInt32LE(body.length, 4);
  start.set(head, PREFIX_BYTES);
  if (body.length === 0) {
    stream.write(start, onWritten);
    return;
  }
  stream.cork();
  stream.write(start);
  stream.write(body, onWritten);
  stream.uncork();
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

  #begin(): void {
    const head = this.#prefix.readUInt32LE(0);
    const body = this.#prefix.readUInt32LE(4);
    const limits = this.#limits();
    if (head === 0 || head > limits.head || body > limits.body) {
      throw new Error(
        `received a frame of ${head} + ${body} bytes, expected at most ${limits.head} + ${limits.body} bytes`,
      );
    }
    // not from the pool of small buffers: a picture that is cached must not hold a slab
    this.#frame = Buffer.allocUnsafeSlow(head + body);
    this.#headLength = head;
    this.#received = 0;
  }
}
