// The hot loops of drawing and of the codecs, with the same result on every machine: the WebAssembly module of assembly/,
// with SIMD and 64-bit integers, or plain/ where WebAssembly does not exist. Callers lay out the memory from `heapStart`
// on for the duration of one synchronous call chain; nothing in it is kept, so callers never conflict.
import { host } from '../host.js';
import type { Kernels, OutlineKernels } from './interface.js';

const PAGE = 65536;
let module: WebAssembly.Module | undefined;
let create: () => Kernels = instantiate;
let current: Kernels | undefined;
let isRefused = false;

/** The kernels; assembly/ documents their parameters. Call `loadKernels` first, except in tests. */
export function kernels(): Kernels {
  current ??= create();
  return current;
}

function instantiate(): Kernels {
  // never called unless a caller violates a kernel's preconditions
  const abort = () => {
    throw new Error('a kernel was called with invalid arguments');
  };
  module ??= host().compileKernels?.();
  if (!module) throw new Error('the kernels are used before they are loaded');
  return new WebAssembly.Instance(module, { env: { abort } }).exports as unknown as Kernels;
}

/** Loads the kernels: the plain ones, which are not loaded otherwise, if the host has no WebAssembly or refuses it. */
export async function loadKernels(): Promise<void> {
  if (current) return;
  if (typeof WebAssembly !== 'undefined') {
    try {
      if (!host().compileKernels) module ??= await host().loadWasm('kernels');
      kernels();
      return;
    } catch (cause) {
      if (!isRefusal(cause)) throw cause;
    }
  }
  isRefused = true;
  const { createPlainKernels } = await import('./plain/index.js');
  useKernels(createPlainKernels);
}

/** Whether the host runs WebAssembly. Decided once, by what happens to the kernels. */
export async function hasWebAssembly(): Promise<boolean> {
  await loadKernels();
  return !isRefused;
}

/**
 * Whether an error from loading a WebAssembly module means that the host forbids to compile, lacks SIMD or has no address
 * space left; not that the module is missing.
 */
export function isRefusal(cause: unknown): boolean {
  return cause instanceof Error && ['CompileError', 'EvalError', 'RangeError'].includes(cause.name);
}

/** Replaces the kernels from now on by those that `implementation` creates; by WebAssembly without an argument. */
export function useKernels(implementation: () => Kernels = instantiate): void {
  create = implementation;
  current = undefined;
}

/**
 * The kernels that record outlines: WebAssembly where the host runs it, as HarfBuzz calls nothing else then; of the instance that
 * `kernels` returns if it can be.
 */
export function outlineKernels(): OutlineKernels {
  return (create === instantiate || isRefused ? kernels() : instantiate()) as Kernels & OutlineKernels;
}

/**
 * Runs `work` with fresh kernels, whose memory is freed afterwards: WebAssembly memory never shrinks.
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
