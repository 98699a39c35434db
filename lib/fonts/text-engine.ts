// Loads the text engine, once, before the first face is opened.
import { host } from '../host.js';
import { loadKernels, outlineKernels } from '../kernels/kernels.js';
import { setTextEngine } from '../text/face.js';
import { createHarfBuzzEngine } from '../text/harfbuzz/font.js';
import { instantiate } from '../text/harfbuzz/instance.js';

let loading: Promise<void> | undefined;

/** Loads HarfBuzz. Rejects if its WebAssembly file is missing; the next call then tries again. */
export function loadTextEngine(): Promise<void> {
  if (!loading) {
    loading = load();
    loading.catch(() => {
      loading = undefined;
    });
  }
  return loading;
}

async function load(): Promise<void> {
  const [module] = await Promise.all([host().loadWasm('harfbuzz'), loadKernels()]);
  setTextEngine(createHarfBuzzEngine(instantiate(module, outlineKernels())));
}
