// Loads the text engine, once, before the first face is opened: HarfBuzz, or ours where the host does not run WebAssembly.
import { host } from '../host.js';
import { hasWebAssembly, outlineKernels } from '../kernels/kernels.js';
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
  if (!(await hasWebAssembly())) {
    const { plainTextEngine } = await import('../text/opentype/font.js');
    setTextEngine(plainTextEngine);
    return;
  }
  const module = await host().loadWasm('harfbuzz');
  setTextEngine(createHarfBuzzEngine(instantiate(module, outlineKernels())));
}
