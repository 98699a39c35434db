// Loads the text engine, once, before the first face is opened: HarfBuzz, or ours where WebAssembly does not exist.
import { host } from '../host.js';
import { loadKernels, outlineKernels } from '../kernels/kernels.js';
import { setTextEngine } from '../text/face.js';
import { createHarfBuzzEngine } from '../text/harfbuzz/font.js';
import { instantiate } from '../text/harfbuzz/instance.js';

let loading: Promise<void> | undefined;

/** Rejects if HarfBuzz's file is missing; the next call then tries again. */
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
  if (typeof WebAssembly === 'undefined') {
    const { plainTextEngine } = await import('../text/opentype/font.js');
    setTextEngine(plainTextEngine);
    return;
  }
  const [module] = await Promise.all([host().loadWasm('harfbuzz'), loadKernels()]);
  setTextEngine(createHarfBuzzEngine(instantiate(module, outlineKernels())));
}
