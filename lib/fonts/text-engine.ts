// Loads the text engine, once, before the first face is opened: HarfBuzz, or ours where the host does not run WebAssembly.
import { host } from '../host.js';
import { hasWebAssembly, isRefusal, outlineKernels } from '../kernels/kernels.js';
import { abandonTextEngine, setTextEngine } from '../text/face.js';
import { createHarfBuzzEngine } from '../text/harfbuzz/font.js';
import { instantiate } from '../text/harfbuzz/instance.js';
import type { TextEngine } from '../text/text-engine.js';

let loading: Promise<void> | undefined;
let generation = 0;

/** Counts the engines that were replaced: a face belongs to the generation in which it was opened. */
export function textEngineGeneration(): number {
  return generation;
}

/** Replaces the engine after a trap, which may have damaged it: faces must be opened again. */
export function replaceTextEngine(): void {
  loading = undefined;
  generation++;
  abandonTextEngine();
}

/** Rejects if HarfBuzz's file is missing; the next call then tries again. */
export function loadTextEngine(): Promise<void> {
  if (!loading) {
    const started = load();
    loading = started;
    started.catch(() => {
      if (loading === started) loading = undefined;
    });
  }
  return loading;
}

async function load(): Promise<void> {
  setTextEngine((await loadHarfBuzz()) ?? (await import('../text/opentype/font.js')).plainTextEngine);
}

/**
 * Loads HarfBuzz; undefined if the host has no WebAssembly, or refuses it now: addresses for a second instance may be short.
 */
async function loadHarfBuzz(): Promise<TextEngine | undefined> {
  if (!(await hasWebAssembly())) return undefined;
  try {
    const module = await host().loadWasm('harfbuzz');
    return createHarfBuzzEngine(instantiate(module, outlineKernels()));
  } catch (cause) {
    if (isRefusal(cause)) return undefined;
    throw cause;
  }
}
