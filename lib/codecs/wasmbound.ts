// A bound on the memory that WebAssembly may take: written into the code, which is what decides it when the code brings its
// memory along. Source: WebAssembly core specification, sections 5.5.2 (sections) and 5.3.7 (limits).

const HEADER_BYTES = 8;
const PAGE_BYTES = 65_536;
const MEMORY_SECTION = 5;
/** Of a memory's limits: that there is a maximum. */
const HAS_MOST = 1;

/** `code` with the one memory that it defines bounded to `most` bytes. Throws when it defines none, or begins with more. */
export function withMemoryBound(code: Uint8Array, most: number): Uint8Array<ArrayBuffer> {
  for (let at = HEADER_BYTES; at < code.length; ) {
    const length = readNumber(code, at + 1);
    const end = length.end + length.value;
    if (code[at] === MEMORY_SECTION) {
      const least = readNumber(code, length.end + 2);
      const pages = Math.floor(most / PAGE_BYTES);
      if (code[length.end] !== 1 || least.value > pages) break;
      const limits = [1, HAS_MOST, ...numberBytes(least.value), ...numberBytes(pages)];
      const section = [MEMORY_SECTION, ...numberBytes(limits.length), ...limits];
      return Uint8Array.from(Buffer.concat([code.subarray(0, at), Uint8Array.from(section), code.subarray(end)]));
    }
    at = end;
  }
  throw new Error('this code has no memory that can be bounded so');
}

/** An unsigned LEB128 number of up to 32 bits, and where it ends. */
function readNumber(code: Uint8Array, start: number): { value: number; end: number } {
  let value = 0;
  for (let i = 0; i < 5; i++) {
    const byte = code[start + i];
    value += (byte & 0x7f) * 2 ** (7 * i);
    if (byte < 0x80) return { value, end: start + i + 1 };
  }
  throw new Error('this code is malformed');
}

function numberBytes(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...numberBytes(Math.floor(value / 0x80))];
}
