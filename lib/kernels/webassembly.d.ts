// The parts of the WebAssembly global that kernels and codecs use. The ES2023 library lacks them; the DOM library
// (which a typed dependency may pull in) merges with this declaration.
declare namespace WebAssembly {
  /** Compiled code without state; can be instantiated any number of times. */
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
  interface Table {
    grow(entries: number): number;
    set(index: number, value: unknown): void;
  }
  /** A trap. */
  var RuntimeError: { new (message: string): Error };
  function compile(bytes: Uint8Array): Promise<Module>;
}
