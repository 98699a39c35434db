// Records a glyph's outline, as callbacks of HarfBuzz: per command its verb (lib/geometry/path.ts), then its coordinates, as
// 32-bit floats. Twin of assembly/text/outline.ts.
import type { OutlineKernels } from '../../interface.js';
import type { PlainMemory } from '../memory.js';

/** Floats of the longest command: the verb and six coordinates. */
const MAX_COMMAND = 7;

/** `heapStart`: where a recording begins. */
export function outlineKernels(memory: PlainMemory, heapStart: number): Omit<OutlineKernels, 'memory' | 'heapStart'> {
  /** Counts floats. */
  let at = heapStart / 4;

  function record(verb: number, ...coordinates: readonly number[]): void {
    const { length } = memory.floats;
    if (at + MAX_COMMAND > length) memory.grow(Math.ceil(memory.bytes.length / 2 ** 18));
    memory.floats[at++] = verb;
    for (const coordinate of coordinates) memory.floats[at++] = coordinate;
  }

  return {
    outlineStart() {
      at = heapStart / 4;
    },
    outlineEnd: () => at * 4,
    outlineMoveTo: (_funcs: number, _data: number, _state: number, x: number, y: number) => record(0, x, y),
    outlineLineTo: (_funcs: number, _data: number, _state: number, x: number, y: number) => record(1, x, y),
    outlineQuadTo: (_funcs: number, _data: number, _state: number, cx: number, cy: number, x: number, y: number) =>
      record(2, cx, cy, x, y),
    outlineCubicTo: (
      _funcs: number,
      _data: number,
      _state: number,
      c1x: number,
      c1y: number,
      c2x: number,
      c2y: number,
      x: number,
      y: number,
    ) => record(3, c1x, c1y, c2x, c2y, x, y),
    outlineClose: () => record(4),
  };
}
