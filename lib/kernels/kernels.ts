// Compiles and instantiates the WebAssembly module of assembly/ once per process: hot loops with SIMD and 64-bit
// integers, with the same result on every machine. Callers lay out the module's memory from `heapStart` on for the
// duration of one synchronous call chain; nothing in it is kept, so callers never conflict.
import { host } from '../host.js';

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

  jpegSetHuffmanTable(isAc: boolean, index: number, counts: number, symbols: number): boolean;
  jpegDecodeMemory(components: number, mcusPerRow: number, lumaH: number, lumaV: number): number;
  jpegDecodeStart(
    from: number,
    components: number,
    lumaH: number,
    lumaV: number,
    isBlackFull: boolean,
    isYcck: boolean,
    width: number,
    height: number,
    restartInterval: number,
    selectors: number,
    quantTables: number,
    planes: number,
  ): void;
  jpegDecodeMcuRow(out: number, stride: number): number;
  jpegDecodeEnd(): boolean;

  scaleRows(
    pixels: number,
    stride: number,
    offsets: number,
    weights: number,
    width: number,
    rowSources: number,
    next: 0 | 1,
    rows: number,
    lines: number,
    opaqueFlags: number,
    out: number,
  ): void;

  jpegEncodeStart(): void;
  jpegEncodeMcuRow(
    pixels: number,
    width: number,
    rows: number,
    mcus: number,
    isSubsampled: boolean,
    tables: number,
    out: number,
    last: boolean,
  ): number;

  webpIndexStart(): void;
  webpIndexRows(pixels: number, width: number, rows: number, out: number): number;
  webpEncode(
    indexes: number,
    width: number,
    height: number,
    palette: number,
    colors: number,
    hasAlpha: boolean,
    sequences: number,
    maxSequences: number,
    out: number,
    capacity: number,
  ): number;

  blendArea(): number;
  blendRow(count: number, opaque: number, alpha: number): void;
}

/** Records an outline that HarfBuzz draws: the functions `outline…To` are its callbacks (assembly/text/outline.ts). */
export interface OutlineKernels {
  readonly memory: WebAssembly.Memory;
  heapStart(): number;
  outlineStart(): void;
  outlineEnd(): number;
  readonly outlineMoveTo: unknown;
  readonly outlineLineTo: unknown;
  readonly outlineQuadTo: unknown;
  readonly outlineCubicTo: unknown;
  readonly outlineClose: unknown;
}

const PAGE = 65536;
let module: WebAssembly.Module | undefined;
let current: Kernels | undefined;

/** Loads the kernels' module, unless it is loaded or the host compiles it at once. */
export async function loadKernels(): Promise<void> {
  if (!module && !host().compileKernels) module = await host().loadWasm('kernels');
}

/** The kernels; assembly/ documents their parameters. Call `loadKernels` first where the host loads modules asynchronously. */
export function kernels(): Kernels {
  // never called unless a caller violates a kernel's preconditions
  const abort = () => {
    throw new Error('a kernel was called with invalid arguments');
  };
  if (!current) {
    module ??= host().compileKernels?.();
    if (!module) throw new Error('the kernels are used before they are loaded');
    current = new WebAssembly.Instance(module, { env: { abort } }).exports as unknown as Kernels;
  }
  return current;
}

/** The kernels that record outlines, of the instance that `kernels` returns. */
export function outlineKernels(): OutlineKernels {
  return kernels() as Kernels & OutlineKernels;
}

/**
 * Runs `work` with a fresh instance of the module, whose memory is freed afterwards: WebAssembly memory never shrinks.
 */
export function withFreshInstance<Result>(work: () => Result): Result {
  const previous = current;
  current = undefined;
  try {
    return work();
  } finally {
    current = previous;
  }
}

/**
 * Consecutive 16-byte aligned addresses from `heapStart` on, for parts of the given sizes in bytes. Grows the memory as
 * needed.
 */
export function allocate(bytes: readonly number[]): number[] {
  const { memory, heapStart } = kernels();
  let end = heapStart();
  const addresses = bytes.map((length) => {
    const at = end;
    end = (at + length + 15) & ~15;
    return at;
  });
  const missingBytes = end - memory.buffer.byteLength;
  if (missingBytes > 0) memory.grow(Math.ceil(missingBytes / PAGE));
  return addresses;
}
