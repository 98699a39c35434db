// The little of the WebAssembly global that is touched here and in the codecs; the ES2023 library lacks it, the DOM's
// (which a typed dependency may pull in) merges with it.
declare namespace WebAssembly {
  /** Compiled code, no state: instantiated as often as wanted. */
  interface Module {
    readonly [Symbol.toStringTag]?: string;
  }
  var Module: { new (bytes: Uint8Array): Module };
  interface Instance {
    readonly exports: Readonly<Record<string, unknown>>;
  }
  var Instance: {
    new (module: Module, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>): Instance;
  };
  interface Memory {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
