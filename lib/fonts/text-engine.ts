// Loads the text engine, HarfBuzz, once, before the first face is opened.
import { host, type Instantiate } from '../host.js';
import { isRefusal, outlineKernels } from '../kernels/kernels.js';
import { loadModule } from '../kernels/wasm-module.js';
import { abandonTextEngine, setTextEngine } from '../text/face.js';
import { createHarfBuzzEngine } from '../text/harfbuzz/font.js';
import { instantiate } from '../text/harfbuzz/instance.js';

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
  const use = (makeInstance: Instantiate) =>
    setTextEngine(createHarfBuzzEngine(instantiate(makeInstance, outlineKernels())));
  try {
    use(await loadModule('harfbuzz'));
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    // the host runs the kernels, but for a second instance, addresses may be short
    use(await host().loadTranslation('harfbuzz'));
  }
}
