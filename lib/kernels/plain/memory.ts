// The memory of the plain kernels: like `WebAssembly.Memory`, with addresses that callers lay out themselves, in an
// ordinary ArrayBuffer. Kernels read the views at the start of each call, because growing replaces them.

const PAGE = 65536;

export class PlainMemory {
  bytes = new Uint8Array(PAGE);
  shorts = new Int16Array(this.bytes.buffer);
  words = new Uint32Array(this.bytes.buffer);
  floats = new Float32Array(this.bytes.buffer);
  doubles = new Float64Array(this.bytes.buffer);

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
