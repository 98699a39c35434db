// Loads the WebAssembly modules of others: compiled, or translated to JavaScript (scripts/translate-wasm.mjs) where the host does not
// run WebAssembly. Both make the same instances, with memories of their own.
import { host, type Instantiate, type WasmName } from '../host.js';
import { hasWebAssembly } from './kernels.js';

/** Rejects if there is no such file, or if it is not translated and the host has no WebAssembly. */
export async function loadModule(name: WasmName): Promise<Instantiate> {
  if (!(await hasWebAssembly())) return host().loadTranslation(name);
  const module = await host().loadWasm(name);
  type Imports = ConstructorParameters<typeof WebAssembly.Instance>[1];
  return (imports) => new WebAssembly.Instance(module, imports as Imports).exports;
}

/** What a loader of a package calls in place of a compiled module. */
class StandInModule {
  constructor(readonly instantiate: Instantiate) {}
}

class StandInInstance {
  readonly exports: Readonly<Record<string, unknown>>;
  constructor(module: StandInModule, imports: Parameters<Instantiate>[0]) {
    this.exports = module.instantiate(imports);
  }
}

/** What loaders of packages use of `WebAssembly`. */
const STAND_IN = {
  Module: StandInModule,
  Instance: StandInInstance,
  instantiate: async (module: StandInModule, imports: Parameters<Instantiate>[0]) =>
    new StandInInstance(module, imports),
};

/** What loaders find in place of these globals. Node loads its `fetch` with the latter two, which then compiles WebAssembly. */
const STAND_INS = { WebAssembly: STAND_IN, Request: undefined, Response: undefined };

/**
 * Runs a package's loader, which needs `WebAssembly` for itself, with the module. Where the module is translated, the loader
 * finds a stand-in there until its promise has settled: it must wait for nothing that takes time, so that no other code sees the
 * stand-in.
 */
export async function withModule<T>(name: WasmName, load: (module: WebAssembly.Module) => T | Promise<T>): Promise<T> {
  if (await hasWebAssembly()) return load(await host().loadWasm(name));
  const module = new StandInModule(await host().loadTranslation(name));
  const before = Object.keys(STAND_INS).map((key) => [key, Object.getOwnPropertyDescriptor(globalThis, key)] as const);
  for (const [key, value] of Object.entries(STAND_INS)) {
    Object.defineProperty(globalThis, key, { value, configurable: true, writable: true });
  }
  try {
    return await load(module as unknown as WebAssembly.Module);
  } finally {
    for (const [key, descriptor] of before) {
      if (descriptor) Object.defineProperty(globalThis, key, descriptor);
      else Reflect.deleteProperty(globalThis, key);
    }
  }
}
