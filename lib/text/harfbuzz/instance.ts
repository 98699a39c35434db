// An instance of HarfBuzz's WebAssembly module: its memory, and the functions that all of its fonts share. It replaces
// Emscripten's loader, which waits while it is imported, finds its file by itself and compiles code at run time.
import type { Instantiate } from '../../host.js';
import type { OutlineKernels } from '../../kernels/interface.js';
import { LIGATURE_FEATURES } from '../text-engine.js';
import type { HarfBuzzExports } from './exports.js';

const PAGE_BYTES = 65_536;
/** The module's own maximum. */
const MAX_MEMORY_BYTES = 2 ** 31;
/** Entries that one call returns; longer lists take several. */
export const MAX_ENTRIES = 128;
/** Bytes of the largest entry, of hb_ot_var_axis_info_t. */
const MAX_ENTRY_BYTES = 32;
/** The end of a feature's range: the whole text. */
const FEATURE_GLOBAL_END = 0xffff_ffff;

/** Features of all of a text and their values; the last of one tag counts. */
export type FeatureSettings = readonly (readonly [tag: string, value: number])[];

export interface HarfBuzz {
  readonly exports: HarfBuzzExports;
  readonly outlineKernels: OutlineKernels;
  /** The buffer for shaping; shaping is synchronous. */
  readonly buffer: number;
  /** Callbacks that record an outline in the kernels' memory. */
  readonly drawFunctions: number;
  /** The function `free` as a callback. */
  readonly freeCallback: number;
  /** hb_feature_t entries that disable ligatures. */
  readonly noLigatures: number;
  /** A count, followed by room for MAX_ENTRIES entries: parameters of one call. */
  readonly count: number;
  readonly entries: number;
  /** Views of the whole memory, which moves when it grows: ask again after each call. */
  bytes(): Uint8Array;
  words(): Uint32Array;
  integers(): Int32Array;
  floats(): Float32Array;
  /** Allocates memory. Throws a RangeError if there is not enough. */
  allocate(bytes: number): number;
  /** Writes hb_feature_t entries to `entries`, MAX_ENTRIES at most. */
  writeFeatures(features: FeatureSettings): void;
  /** Copies text to a place that is valid until the next call. */
  writeText(text: string): number;
  /** The hb_script_t of an ISO 15924 code. */
  script(code: string): number;
}

/** A tag of four characters as a number. */
export function tagOf(name: string): number {
  return [0, 1, 2, 3].reduce((tag, i) => tag * 256 + (name.charCodeAt(i) & 0xff), 0);
}

/** Sets an instance up. `makeInstance`: of harfbuzz.wasm or its translation. */
export function instantiate(makeInstance: Instantiate, outlineKernels: OutlineKernels): HarfBuzz {
  const exports = makeInstance({
    wasi_snapshot_preview1: { proc_exit: abort },
    env: {
      _abort_js: abort,
      // only C's exit and timers, which HarfBuzz doesn't use, call these two
      _emscripten_runtime_keepalive_clear: () => {},
      _setitimer_js: () => 0,
      emscripten_resize_heap: (bytes: number) => (growMemory(exports.memory, bytes >>> 0) ? 1 : 0),
    },
  }) as unknown as HarfBuzzExports;
  exports.__wasm_call_ctors();

  const { memory, __indirect_function_table: table } = exports;
  let bytes = new Uint8Array(memory.buffer);
  let words = new Uint32Array(memory.buffer);
  let integers = new Int32Array(memory.buffer);
  let floats = new Float32Array(memory.buffer);
  const refresh = () => {
    if (bytes.buffer === memory.buffer) return;
    bytes = new Uint8Array(memory.buffer);
    words = new Uint32Array(memory.buffer);
    integers = new Int32Array(memory.buffer);
    floats = new Float32Array(memory.buffer);
  };
  const allocate = (size: number) => {
    const address = exports.malloc(size);
    if (address === 0 && size > 0) throw new RangeError('HarfBuzz has no memory left');
    return address;
  };
  const addCallback = (callback: unknown) => {
    const index = table.grow(1);
    table.set(index, callback);
    return index;
  };

  const noLigatures = allocate(16 * LIGATURE_FEATURES.length);
  const count = allocate(4 + MAX_ENTRIES * MAX_ENTRY_BYTES);
  refresh();
  const writeFeatures = (features: FeatureSettings, address: number) => {
    features.forEach(([tag, value], i) => {
      words.set([tagOf(tag), value, 0, FEATURE_GLOBAL_END], address / 4 + i * 4);
    });
  };
  writeFeatures(
    LIGATURE_FEATURES.map((tag) => [tag, 0]),
    noLigatures,
  );

  let text = 0;
  let textUnits = 0;
  const scripts = new Map<string, number>();
  const hb: HarfBuzz = {
    exports,
    outlineKernels,
    buffer: exports.hb_buffer_create(),
    drawFunctions: createDrawFunctions(exports, outlineKernels, addCallback),
    freeCallback: addCallback(exports.free),
    noLigatures,
    count,
    entries: count + 4,
    writeFeatures(features) {
      refresh();
      writeFeatures(features, count + 4);
    },
    bytes() {
      refresh();
      return bytes;
    },
    words() {
      refresh();
      return words;
    },
    integers() {
      refresh();
      return integers;
    },
    floats() {
      refresh();
      return floats;
    },
    allocate,
    writeText(content) {
      if (content.length > textUnits) {
        exports.free(text);
        // in case that there is not enough memory
        text = 0;
        textUnits = 0;
        text = allocate(2 * content.length);
        textUnits = content.length;
      }
      const units = new Uint16Array(memory.buffer, text, content.length);
      for (let i = 0; i < units.length; i++) units[i] = content.charCodeAt(i);
      return text;
    },
    script(code) {
      let script = scripts.get(code);
      if (script === undefined) {
        for (let i = 0; i < 4; i++) hb.bytes()[count + i] = code.charCodeAt(i);
        script = exports.hb_script_from_string(count, 4);
        scripts.set(code, script);
      }
      return script;
    },
  };
  return hb;
}

function abort(): never {
  throw Object.assign(new Error('HarfBuzz aborted'), { name: 'RuntimeError' });
}

/** Grows by a fifth at least, else by what is needed. */
function growMemory(memory: WebAssembly.Memory, bytes: number): boolean {
  if (bytes > MAX_MEMORY_BYTES) return false;
  const { byteLength } = memory.buffer;
  for (const size of [Math.max(bytes, Math.min(byteLength * 1.2, MAX_MEMORY_BYTES)), bytes]) {
    try {
      memory.grow(Math.ceil((size - byteLength) / PAGE_BYTES));
      return true;
    } catch {
      // try less, then report that there is no memory
    }
  }
  return false;
}

function createDrawFunctions(
  exports: HarfBuzzExports,
  outlineKernels: OutlineKernels,
  addCallback: (callback: unknown) => number,
): number {
  const functions = exports.hb_draw_funcs_create();
  exports.hb_draw_funcs_set_move_to_func(functions, addCallback(outlineKernels.outlineMoveTo), 0, 0);
  exports.hb_draw_funcs_set_line_to_func(functions, addCallback(outlineKernels.outlineLineTo), 0, 0);
  exports.hb_draw_funcs_set_quadratic_to_func(functions, addCallback(outlineKernels.outlineQuadTo), 0, 0);
  exports.hb_draw_funcs_set_cubic_to_func(functions, addCallback(outlineKernels.outlineCubicTo), 0, 0);
  exports.hb_draw_funcs_set_close_path_func(functions, addCallback(outlineKernels.outlineClose), 0, 0);
  return functions;
}
