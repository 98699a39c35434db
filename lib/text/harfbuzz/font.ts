// A font that HarfBuzz has open. Malformed fonts are tolerated: HarfBuzz ignores tables that it finds damaged.
import { COORDINATES, Path } from '../../geometry/path.js';
import type { Glyph } from '../glyph.js';
import type { Axis, EngineFont, MetricTag, ShapeOptions, TextEngine } from '../text-engine.js';
import { LIGATURE_FEATURES } from '../text-engine.js';
import { type HarfBuzz, MAX_ENTRIES, tagOf } from './instance.js';

const MEMORY_MODE_WRITABLE = 2;
const LEFT_TO_RIGHT = 4;
const RIGHT_TO_LEFT = 5;
/** HB_GLYPH_FLAG_UNSAFE_TO_BREAK, a bit of a glyph's mask. */
const UNSAFE_TO_BREAK = 1;
/** 32-bit words of hb_glyph_info_t and of hb_glyph_position_t, and of hb_ot_var_axis_info_t. */
const GLYPH_WORDS = 5;
const AXIS_WORDS = 8;
const MAX_AXES = 64;

export function createHarfBuzzEngine(hb: HarfBuzz): TextEngine {
  let isAbandoned = false;
  // frees the file and all that HarfBuzz derived from it
  const registry = new FinalizationRegistry<number>((font) => {
    if (!isAbandoned) hb.exports.hb_font_destroy(font);
  });
  return {
    open(bytes) {
      const { exports } = hb;
      const data = hb.allocate(bytes.length);
      hb.bytes().set(bytes, data);
      const blob = exports.hb_blob_create(data, bytes.length, MEMORY_MODE_WRITABLE, data, hb.freeCallback);
      const face = exports.hb_face_create(blob, 0);
      const pointer = exports.hb_font_create(face);
      // the font keeps the face, which keeps the blob
      exports.hb_face_destroy(face);
      exports.hb_blob_destroy(blob);
      const font = new HarfBuzzFont(hb, face, pointer);
      registry.register(font, pointer);
      return font;
    },
    abandon() {
      isAbandoned = true;
    },
  };
}

class HarfBuzzFont implements EngineFont {
  readonly unitsPerEm: number;
  readonly axes: ReadonlyMap<string, Axis>;
  private readonly advances = new Map<number, number>();

  constructor(
    private readonly hb: HarfBuzz,
    private readonly face: number,
    private readonly font: number,
  ) {
    this.unitsPerEm = hb.exports.hb_face_get_upem(face);
    this.axes = this.readAxes();
  }

  setVariations(settings: ReadonlyMap<string, number>): void {
    const { exports, entries } = this.hb;
    let at = entries / 4;
    for (const [tag, value] of settings) {
      this.hb.words()[at++] = tagOf(tag);
      this.hb.floats()[at++] = value;
    }
    exports.hb_font_set_variations(this.font, entries, settings.size);
    this.advances.clear();
  }

  extents(): { ascender: number; descender: number; lineGap: number } {
    const { exports, entries } = this.hb;
    exports.hb_font_get_h_extents(this.font, entries);
    const [ascender, descender, lineGap] = this.hb.integers().subarray(entries / 4);
    return { ascender, descender, lineGap };
  }

  metric(tag: MetricTag): number {
    const { exports, entries } = this.hb;
    exports.hb_ot_metrics_get_position_with_fallback(this.font, tagOf(tag), entries);
    return this.hb.integers()[entries / 4];
  }

  hasCharacters(): boolean {
    const { exports } = this.hb;
    const set = exports.hb_set_create();
    exports.hb_face_collect_unicodes(this.face, set);
    const count = exports.hb_set_get_population(set);
    exports.hb_set_destroy(set);
    return count > 0;
  }

  glyph(codePoint: number): number {
    const { exports, entries } = this.hb;
    const isFound = exports.hb_font_get_nominal_glyph(this.font, codePoint, entries) !== 0;
    return isFound ? this.hb.words()[entries / 4] : 0;
  }

  shape(text: string, start: number, end: number, { rightToLeft, script, ligatures, features }: ShapeOptions): Glyph[] {
    const { hb, font, unitsPerEm } = this;
    const { exports, buffer } = hb;
    exports.hb_buffer_reset(buffer);
    exports.hb_buffer_add_utf16(buffer, hb.writeText(text), text.length, start, end - start);
    exports.hb_buffer_set_direction(buffer, rightToLeft ? RIGHT_TO_LEFT : LEFT_TO_RIGHT);
    if (script) exports.hb_buffer_set_script(buffer, hb.script(script));
    exports.hb_buffer_guess_segment_properties(buffer);
    if (features) {
      const disabled = ligatures ? [] : LIGATURE_FEATURES.map((tag) => [tag, 0] as const);
      const settings = [...disabled, ...Object.entries(features)];
      hb.writeFeatures(settings);
      exports.hb_shape(font, buffer, hb.entries, settings.length);
    } else exports.hb_shape(font, buffer, ligatures ? 0 : hb.noLigatures, ligatures ? 0 : LIGATURE_FEATURES.length);
    const infos = exports.hb_buffer_get_glyph_infos(buffer, 0) / 4;
    const positions = exports.hb_buffer_get_glyph_positions(buffer, 0) / 4;
    const glyphs: Glyph[] = new Array(exports.hb_buffer_get_length(buffer));
    // from here on nothing allocates in HarfBuzz's memory
    const words = hb.words();
    const integers = hb.integers();
    for (let i = 0; i < glyphs.length; i++) {
      const info = infos + i * GLYPH_WORDS;
      const position = positions + i * GLYPH_WORDS;
      const id = words[info];
      const advance = this.advance(id);
      glyphs[i] = {
        id,
        cluster: words[info + 2],
        advance: advance / unitsPerEm,
        kerning: (integers[position] - advance) / unitsPerEm,
        offsetX: integers[position + 2] / unitsPerEm,
        offsetY: integers[position + 3] / unitsPerEm,
        unsafeToBreak: (words[info + 1] & UNSAFE_TO_BREAK) !== 0,
      };
    }
    return glyphs;
  }

  outline(glyph: number): Path {
    const { exports, outlineKernels, drawFunctions } = this.hb;
    outlineKernels.outlineStart();
    exports.hb_font_draw_glyph(this.font, glyph, drawFunctions, 0);
    const start = outlineKernels.heapStart();
    const commands = new Float32Array(outlineKernels.memory.buffer, start, (outlineKernels.outlineEnd() - start) / 4);
    const path = new Path();
    const { verbs, coords } = path;
    for (let i = 0; i < commands.length; ) {
      // an integer: arrays of floats are slower to read
      const verb = commands[i++] | 0;
      verbs.push(verb);
      for (const end = i + COORDINATES[verb]; i < end; i++) coords.push(commands[i]);
    }
    return path;
  }

  table(tag: string): Uint8Array | undefined {
    const { exports } = this.hb;
    const blob = exports.hb_face_reference_table(this.face, tagOf(tag));
    const length = exports.hb_blob_get_length(blob);
    const start = exports.hb_blob_get_data(blob, 0);
    const bytes = this.hb.bytes().slice(start, start + length);
    exports.hb_blob_destroy(blob);
    return length > 0 ? bytes : undefined;
  }

  featureTags(table: 'GSUB' | 'GPOS'): string[] {
    const { exports, count, entries } = this.hb;
    const tag = tagOf(table);
    const tags: string[] = [];
    for (let start = 0, length = MAX_ENTRIES; length === MAX_ENTRIES; start += length) {
      this.hb.words()[count / 4] = MAX_ENTRIES;
      exports.hb_ot_layout_table_get_feature_tags(this.face, tag, start, count, entries);
      const words = this.hb.words();
      length = words[count / 4];
      for (let i = 0; i < length; i++) tags.push(nameOf(words[entries / 4 + i]));
    }
    return tags;
  }

  advance(glyph: number): number {
    let advance = this.advances.get(glyph);
    if (advance === undefined) {
      advance = this.hb.exports.hb_font_get_glyph_h_advance(this.font, glyph);
      this.advances.set(glyph, advance);
    }
    return advance;
  }

  private readAxes(): Map<string, Axis> {
    const { exports, count, entries } = this.hb;
    this.hb.words()[count / 4] = MAX_AXES;
    exports.hb_ot_var_get_axis_infos(this.face, 0, count, entries);
    const [words, floats] = [this.hb.words(), this.hb.floats()];
    const axes = new Map<string, Axis>();
    for (let i = 0; i < words[count / 4]; i++) {
      const at = entries / 4 + i * AXIS_WORDS;
      axes.set(nameOf(words[at + 1]), { min: floats[at + 4], max: floats[at + 6] });
    }
    return axes;
  }
}

function nameOf(tag: number): string {
  return String.fromCharCode(tag >>> 24, (tag >> 16) & 255, (tag >> 8) & 255, tag & 255);
}
