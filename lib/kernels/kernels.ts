// The WebAssembly module of assembly/, compiled and started once a process: hot loops with SIMD and 64-bit words, the same
// result on every machine. A kernel's caller lays out the module's memory from `heapStart` on for the length of one
// synchronous call chain; nothing in it outlasts that, so callers never meet.
import { MODULE } from './module.js';

export interface Kernels {
  readonly memory: WebAssembly.Memory;
  heapStart(): number;

  deflateStart(rowBytes: number): void;
  deflateBound(length: number): number;
  deflateBytes(from: number, length: number, out: number, depth: number, last: boolean): number;
  deflateSampleBits(from: number, length: number, depth: number): number;

  filterRows(
    pixels: number,
    width: number,
    rows: number,
    channels: number,
    repeats: number,
    hasAbove: boolean,
    filtered: boolean,
    lines: number,
    out: number,
  ): void;

  glyphCoverage(
    points: number,
    ends: number,
    contours: number,
    left: number,
    top: number,
    width: number,
    height: number,
    steps: number,
    areas: number,
    out: number,
  ): void;

  paletteStart(): void;
  indexRows(pixels: number, width: number, rows: number, repeats: number, out: number): number;
  indexedColor(index: number): number;

  jpegReadTable(isAc: boolean, index: number, counts: number, symbols: number): boolean;
  jpegReadBytes(components: number, unitsAcross: number, blocksAcross: number, blocksDown: number): number;
  jpegReadStart(
    from: number,
    components: number,
    blocksAcross: number,
    blocksDown: number,
    isBlackWhole: boolean,
    isYcck: boolean,
    width: number,
    height: number,
    restart: number,
    selectors: number,
    steps: number,
    planes: number,
  ): void;
  jpegReadRows(out: number, stride: number): number;
  jpegReadEnd(): boolean;

  scaleRows(
    pixels: number,
    stride: number,
    offsets: number,
    shares: number,
    width: number,
    places: number,
    next: 0 | 1,
    rows: number,
    lines: number,
    marks: number,
    out: number,
  ): void;

  jpegWriteStart(): void;
  jpegWriteUnits(
    pixels: number,
    width: number,
    rows: number,
    units: number,
    halved: boolean,
    tables: number,
    out: number,
    last: boolean,
  ): number;

  webpIndexStart(): void;
  webpIndexRows(pixels: number, width: number, rows: number, out: number): number;
  webpWrite(
    indexes: number,
    width: number,
    height: number,
    palette: number,
    colors: number,
    hasAlpha: boolean,
    sequences: number,
    most: number,
    out: number,
    room: number,
  ): number;

  blendArea(): number;
  blendRow(count: number, opaque: number, alpha: number): void;
}

const PAGE = 65536;
let started: Kernels | undefined;

/** The kernels; what each takes is said in assembly/. Compiling takes about a millisecond, once. */
export function kernels(): Kernels {
  // never called: no kernel traps but by a fault of its caller
  const abort = () => {
    throw new Error('a kernel was called out of turn');
  };
  started ??= new WebAssembly.Instance(new WebAssembly.Module(Buffer.from(MODULE, 'base64')), { env: { abort } })
    .exports as unknown as Kernels;
  return started;
}

/** What `work` gives, with kernels of its own, whose memory goes when it is done: that of a module never shrinks. */
export function apart<Result>(work: () => Result): Result {
  const kept = started;
  started = undefined;
  try {
    return work();
  } finally {
    started = kept;
  }
}

/** Addresses one after another from `heapStart` on, 16-byte aligned, for parts of so many bytes each; the memory is there. */
export function layOut(bytes: readonly number[]): number[] {
  const { memory, heapStart } = kernels();
  let end = heapStart();
  const addresses = bytes.map((length) => {
    const at = end;
    end = (at + length + 15) & ~15;
    return at;
  });
  const missing = end - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE));
  return addresses;
}
