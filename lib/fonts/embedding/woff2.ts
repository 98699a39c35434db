// Compresses fonts to WOFF2 with Google's encoder, the WebAssembly module of the package woff2-encoder. The package's own loader
// compiles code at run time, which strict policies and edge runtimes forbid; what it does to call one function is done here.
import type { Instantiate } from '../../host.js';
import { loadModule } from '../../kernels/wasm-module.js';

/** The exports of the module, by their short names. */
interface Encoder {
  readonly memory: WebAssembly.Memory;
  readonly table: WebAssembly.Table;
  malloc(bytes: number): number;
  free(address: number): void;
  /** The function that calls `compress`, and its address. */
  readonly invoker: number;
  readonly compress: number;
  /** The bytes that the last call returned. */
  result: Uint8Array | undefined;
}

/** Returns the font as WOFF2; undefined if the encoder can't read it. */
export type CompressFont = (font: Uint8Array) => Uint8Array | undefined;

let loading: Promise<Instantiate> | undefined;

/** Loads the encoder. Rejects if its file is missing, or without WebAssembly; the next call then tries again. */
export async function loadFontCompressor(): Promise<CompressFont> {
  loading ??= loadModule('woff2-encoder');
  try {
    const instantiate = await loading;
    let encoder: Encoder | undefined;
    return (font) => {
      encoder ??= createEncoder(instantiate);
      return compress(encoder, font);
    };
  } catch (cause) {
    loading = undefined;
    throw cause;
  }
}

function compress(encoder: Encoder, font: Uint8Array): Uint8Array | undefined {
  const { memory, table, invoker, compress: target } = encoder;
  // a std::string as Emscripten passes it: its length and its bytes
  const text = encoder.malloc(4 + font.length + 1);
  if (text === 0) return undefined;
  new DataView(memory.buffer).setUint32(text, font.length, true);
  new Uint8Array(memory.buffer).set(font, text + 4);
  encoder.result = undefined;
  try {
    (table.get(invoker) as (target: number, text: number) => number)(target, text);
    return encoder.result;
  } finally {
    encoder.free(text);
  }
}

const PAGE_BYTES = 65_536;

/** The module's imports are Emscripten's and Embind's; their names are those of version 2.0.0. */
function createEncoder(instantiate: Instantiate): Encoder {
  const nothing = () => 0;
  const names = Array.from('abdfghijklmnr', (name) => [name, nothing] as const);
  const fail = () => {
    throw new Error('the WOFF2 encoder failed');
  };
  let encoder: Encoder | undefined;
  const functions = new Map<string, { readonly invoker: number; readonly compress: number }>();
  const bytes = () => new Uint8Array(memory.buffer);
  const exports = instantiate({
    a: {
      ...Object.fromEntries(names),
      // _embind_register_function
      c(name: number, _count: number, _types: number, _signature: number, invoker: number, compress: number) {
        const all = bytes();
        functions.set(String.fromCharCode(...all.subarray(name, all.indexOf(0, name))), { invoker, compress });
      },
      // _emval_take_value: of the view of the compressed bytes
      h(_type: number, view: number) {
        const [length, start] = [0, 4].map((at) => new DataView(memory.buffer).getUint32(view + at, true));
        if (encoder) encoder.result = bytes().slice(start, start + length);
        return 0;
      },
      // __cxa_throw, abort and exit
      e: fail,
      o: fail,
      k: fail,
      // emscripten_memcpy_big
      q: (to: number, from: number, length: number) => void bytes().copyWithin(to, from, from + length),
      // emscripten_resize_heap
      p(size: number) {
        try {
          memory.grow(Math.ceil((size - memory.buffer.byteLength) / PAGE_BYTES));
          return 1;
        } catch {
          return 0;
        }
      },
    },
  });
  const memory = exports.s as WebAssembly.Memory;
  (exports.t as () => void)();
  const registered = functions.get('compress');
  if (!registered) throw fail();
  encoder = {
    memory,
    table: exports.u as WebAssembly.Table,
    malloc: exports.v as Encoder['malloc'],
    free: exports.w as Encoder['free'],
    result: undefined,
    ...registered,
  };
  return encoder;
}
