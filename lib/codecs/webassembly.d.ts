// The little of the WebAssembly global that the codecs touch; the ES2023 library lacks it, the DOM's (which a typed
// dependency may pull in) merges with it.
declare namespace WebAssembly {
  /** Compiled code, no state: instantiated as often as wanted. */
  interface Module {
    readonly [Symbol.toStringTag]?: string;
  }
  function compile(bytes: Uint8Array): Promise<Module>;
}
