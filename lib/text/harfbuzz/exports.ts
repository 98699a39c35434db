// The functions of harfbuzz.wasm (the package harfbuzzjs) that we call, with HarfBuzz's own names and parameters. Pointers
// are byte addresses in its memory.

type Pointer = number;
type Tag = number;
/** 0 or another number. */
type Flag = number;

export interface HarfBuzzExports {
  readonly memory: WebAssembly.Memory;
  readonly __indirect_function_table: WebAssembly.Table;
  __wasm_call_ctors(): void;
  malloc(bytes: number): Pointer;
  free(address: Pointer): void;

  hb_blob_create(data: Pointer, length: number, mode: number, userData: Pointer, destroy: number): Pointer;
  hb_blob_destroy(blob: Pointer): void;
  hb_blob_get_length(blob: Pointer): number;
  hb_blob_get_data(blob: Pointer, length: Pointer): Pointer;

  hb_face_create(blob: Pointer, index: number): Pointer;
  hb_face_destroy(face: Pointer): void;
  hb_face_get_upem(face: Pointer): number;
  hb_face_collect_unicodes(face: Pointer, set: Pointer): void;
  hb_face_reference_table(face: Pointer, tag: Tag): Pointer;

  hb_set_create(): Pointer;
  hb_set_destroy(set: Pointer): void;
  hb_set_get_population(set: Pointer): number;

  hb_font_create(face: Pointer): Pointer;
  hb_font_destroy(font: Pointer): void;
  hb_font_set_variations(font: Pointer, variations: Pointer, count: number): void;
  hb_font_get_h_extents(font: Pointer, extents: Pointer): Flag;
  hb_font_get_nominal_glyph(font: Pointer, codePoint: number, glyph: Pointer): Flag;
  hb_font_get_glyph_h_advance(font: Pointer, glyph: number): number;
  hb_font_draw_glyph(font: Pointer, glyph: number, drawFunctions: Pointer, data: Pointer): void;

  hb_draw_funcs_create(): Pointer;
  hb_draw_funcs_set_move_to_func(functions: Pointer, callback: number, userData: Pointer, destroy: number): void;
  hb_draw_funcs_set_line_to_func(functions: Pointer, callback: number, userData: Pointer, destroy: number): void;
  hb_draw_funcs_set_quadratic_to_func(functions: Pointer, callback: number, userData: Pointer, destroy: number): void;
  hb_draw_funcs_set_cubic_to_func(functions: Pointer, callback: number, userData: Pointer, destroy: number): void;
  hb_draw_funcs_set_close_path_func(functions: Pointer, callback: number, userData: Pointer, destroy: number): void;

  hb_buffer_create(): Pointer;
  hb_buffer_reset(buffer: Pointer): void;
  hb_buffer_add_utf16(buffer: Pointer, text: Pointer, length: number, start: number, count: number): void;
  hb_buffer_set_direction(buffer: Pointer, direction: number): void;
  hb_buffer_set_script(buffer: Pointer, script: Tag): void;
  hb_buffer_guess_segment_properties(buffer: Pointer): void;
  hb_buffer_get_length(buffer: Pointer): number;
  hb_buffer_get_glyph_infos(buffer: Pointer, length: Pointer): Pointer;
  hb_buffer_get_glyph_positions(buffer: Pointer, length: Pointer): Pointer;
  hb_script_from_string(text: Pointer, length: number): Tag;
  hb_shape(font: Pointer, buffer: Pointer, features: Pointer, count: number): void;

  hb_ot_var_get_axis_infos(face: Pointer, start: number, count: Pointer, axes: Pointer): number;
  hb_ot_metrics_get_position_with_fallback(font: Pointer, tag: Tag, position: Pointer): void;
  hb_ot_layout_table_get_feature_tags(
    face: Pointer,
    table: Tag,
    start: number,
    count: Pointer,
    features: Pointer,
  ): number;
}
