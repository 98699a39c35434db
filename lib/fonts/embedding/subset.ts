// Subsets fonts with HarfBuzz's subsetter, a WebAssembly module of its own that is loaded when a document has text. Variable
// fonts become static ones at the settings of the face.
import type { Instantiate } from '../../host.js';
import { hasWebAssembly } from '../../kernels/kernels.js';
import { loadModule } from '../../kernels/wasm-module.js';

/** The functions of harfbuzz-subset.wasm (the package harfbuzzjs) that we call, with HarfBuzz's names. */
interface SubsetExports {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  free(address: number): void;
  hb_blob_create(data: number, length: number, mode: number, userData: number, destroy: number): number;
  hb_blob_destroy(blob: number): void;
  hb_blob_get_length(blob: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_destroy(face: number): void;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_destroy(input: number): void;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_unicode_set(input: number): number;
  hb_subset_input_set(input: number, kind: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_input_pin_axis_location(input: number, face: number, tag: number, value: number): number;
  hb_subset_input_pin_all_axes_to_default(input: number, face: number): number;
  hb_subset_or_fail(face: number, input: number): number;
}

const NO_HINTING = 1;
const RETAIN_GIDS = 2;
const DOWNGRADE_CFF2 = 0x800;
const READ_ONLY = 1;
/** The kind of the set of layout features. */
const LAYOUT_FEATURES = 6;

export interface SubsetInput {
  /** A font of the tables that a document needs. */
  readonly font: Uint8Array;
  /** The glyphs to keep. They keep their ids. */
  readonly glyphs?: Iterable<number>;
  /** The characters to keep, with all glyphs that layout makes of them, whose ids change. */
  readonly codePoints?: Iterable<number>;
  /** Layout features to keep besides those that are on by default. */
  readonly features?: Iterable<string>;
  /** Settings of a variable font's axes; the others keep their defaults. */
  readonly axes: ReadonlyMap<string, number>;
  readonly isVariable: boolean;
}

/** Returns the font with these glyphs alone; undefined if the subsetter can't read it. */
export type Subset = (input: SubsetInput) => Uint8Array | undefined;

/** Memory of an instance up to which it is used again: it begins with 65 MiB, most of them never touched, and never shrinks. */
const MAX_KEPT_BYTES = 2 ** 27;

let loading: Promise<Instantiate> | undefined;
let instance: SubsetExports | undefined;

/**
 * Loads the subsetter. Rejects if its file is missing; the next call then tries again. Without WebAssembly, static fonts stay whole.
 */
export async function loadSubsetter(): Promise<Subset> {
  if (!(await hasWebAssembly())) return ({ font, isVariable }) => (isVariable ? undefined : font);
  loading ??= loadModule('harfbuzz-subset');
  try {
    const instantiate = await loading;
    return (input) => {
      const current = instance ?? (instantiate({}) as unknown as SubsetExports);
      if (!instance) current._initialize();
      // a trap leaves no instance behind
      instance = undefined;
      const font = subset(current, input);
      if (current.memory.buffer.byteLength <= MAX_KEPT_BYTES) instance = current;
      return font;
    };
  } catch (cause) {
    loading = undefined;
    throw cause;
  }
}

function subset(
  hb: SubsetExports,
  { font, glyphs, codePoints = [], features = [], axes, isVariable }: SubsetInput,
): Uint8Array | undefined {
  const data = hb.malloc(font.length);
  if (data === 0) return undefined;
  new Uint8Array(hb.memory.buffer).set(font, data);
  const blob = hb.hb_blob_create(data, font.length, READ_ONLY, 0, 0);
  const face = hb.hb_face_create(blob, 0);
  hb.hb_blob_destroy(blob);
  const input = hb.hb_subset_input_create_or_fail();
  const glyphSet = hb.hb_subset_input_glyph_set(input);
  for (const glyph of glyphs ?? []) hb.hb_set_add(glyphSet, glyph);
  const characterSet = hb.hb_subset_input_unicode_set(input);
  for (const codePoint of codePoints) hb.hb_set_add(characterSet, codePoint);
  const featureSet = hb.hb_subset_input_set(input, LAYOUT_FEATURES);
  for (const feature of features) hb.hb_set_add(featureSet, tagOf(feature));
  hb.hb_subset_input_set_flags(input, NO_HINTING | DOWNGRADE_CFF2 | (glyphs ? RETAIN_GIDS : 0));
  if (isVariable) {
    hb.hb_subset_input_pin_all_axes_to_default(input, face);
    for (const [tag, value] of axes) hb.hb_subset_input_pin_axis_location(input, face, tagOf(tag), value);
  }
  const result = hb.hb_subset_or_fail(face, input);
  let bytes: Uint8Array | undefined;
  if (result !== 0) {
    const file = hb.hb_face_reference_blob(result);
    const start = hb.hb_blob_get_data(file, 0);
    bytes = new Uint8Array(hb.memory.buffer).slice(start, start + hb.hb_blob_get_length(file));
    hb.hb_blob_destroy(file);
    hb.hb_face_destroy(result);
  }
  hb.hb_subset_input_destroy(input);
  hb.hb_face_destroy(face);
  hb.free(data);
  return bytes;
}

function tagOf(name: string): number {
  return [0, 1, 2, 3].reduce((tag, i) => tag * 256 + (name.charCodeAt(i) & 0xff), 0);
}
