// Records a glyph's outline. HarfBuzz calls the functions `outline…To` directly, as the callbacks of its hb_draw_funcs_t:
// a JavaScript function could only be put into its table by a module that is compiled at run time, which edge runtimes
// forbid. Source: HarfBuzz's manual, "hb-draw".

/** Bytes of the longest command: the verb and six coordinates, as 32-bit floats. */
const MAX_COMMAND: usize = 28;

let at: usize = 0;

/** Starts a recording at the heap's start: per command its verb (lib/geometry/path.ts), then its coordinates. */
export function outlineStart(): void {
  at = (__heap_base + 15) & ~15;
}

/** The end of the recording. */
export function outlineEnd(): usize {
  return at;
}

function begin(verb: f32): void {
  if (at + MAX_COMMAND > (<usize>memory.size()) << 16) {
    // a quarter more, so that a long outline is copied a few times only
    if (memory.grow((memory.size() >> 2) + 1) < 0) unreachable();
  }
  append(verb);
}

function append(value: f32): void {
  store<f32>(at, value);
  at += 4;
}

export function outlineMoveTo(_funcs: usize, _data: usize, _state: usize, x: f32, y: f32, _user: usize): void {
  begin(0);
  append(x);
  append(y);
}

export function outlineLineTo(_funcs: usize, _data: usize, _state: usize, x: f32, y: f32, _user: usize): void {
  begin(1);
  append(x);
  append(y);
}

export function outlineQuadTo(
  _funcs: usize,
  _data: usize,
  _state: usize,
  cx: f32,
  cy: f32,
  x: f32,
  y: f32,
  _user: usize,
): void {
  begin(2);
  append(cx);
  append(cy);
  append(x);
  append(y);
}

export function outlineCubicTo(
  _funcs: usize,
  _data: usize,
  _state: usize,
  c1x: f32,
  c1y: f32,
  c2x: f32,
  c2y: f32,
  x: f32,
  y: f32,
  _user: usize,
): void {
  begin(3);
  append(c1x);
  append(c1y);
  append(c2x);
  append(c2y);
  append(x);
  append(y);
}

export function outlineClose(_funcs: usize, _data: usize, _state: usize, _user: usize): void {
  begin(4);
}
