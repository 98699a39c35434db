// The memory of the plain kernels: like `WebAssembly.Memory`, with addresses that callers lay out themselves, in an
// ordinary ArrayBuffer. Kernels read the views at the start of each call, because growing replaces them.

const PAGE = 65536;

export class PlainMemory {
  bytes: Uint8Array<ArrayBuffer>;
  shorts: Int16Array;
  words: Uint32Array;
  floats: Float32Array;
  doubles: Float64Array;

  /** Memory of at least `length` bytes. */
  constructor(length: number) {
    this.bytes = new Uint8Array(Math.ceil(length / PAGE) * PAGE);
    this.shorts = new Int16Array(this.buffer);
    this.words = new Uint32Array(this.buffer);
    this.floats = new Float32Array(this.buffer);
    this.doubles = new Float64Array(this.buffer);
  }

  get buffer(): ArrayBuffer {
    return this.bytes.buffer;
  }

  /** Adds zeroed `pages` of 64 KiB and returns the number of pages before. */
  grow(pages: number): number {
    const previous = this.bytes;
    this.bytes = new Uint8Array(previous.length + pages * PAGE);
    this.bytes.set(previous);
    this.shorts = new Int16Array(this.buffer);
    this.words = new Uint32Array(this.buffer);
    this.floats = new Float32Array(this.buffer);
    this.doubles = new Float64Array(this.buffer);
    return previous.length / PAGE;
  }
}
