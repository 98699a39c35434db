// Finds where spans lie on the lines of a text.
import { extentsOf } from '../../layout/line-box.js';
import type { PositionedLine } from '../../layout/text-box.js';
import { type LinePlace, snapBaseline } from './line-paint.js';

/** The part of spans on one line, in pixels of the layer. */
export interface SpanPart {
  readonly line: PositionedLine;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/**
 * The parts of the spans that `keyOf` gives the same key, from the first line to the last. Blanks that hang at the end of a line
 * are in none, and neither are spans without a key.
 */
export function spanParts<Key extends object>(
  lines: readonly PositionedLine[],
  keyOf: (span: number) => Key | undefined,
  place: LinePlace,
): Map<Key, SpanPart[]> {
  const found = new Map<Key, SpanPart[]>();
  for (const line of lines) {
    for (const { span, font, x, width, raise, isHanging } of line.fragments) {
      const key = keyOf(span);
      if (!key || isHanging) continue;
      const { ascent, descent } = extentsOf(font);
      const baseline = snapBaseline(place, line.baseline - raise);
      const left = place.origin.left + line.x + x;
      const own = { line, left, right: left + width, top: baseline - ascent, bottom: baseline + descent };
      const parts = found.get(key) ?? [];
      found.set(key, parts);
      const last = parts.at(-1);
      if (last?.line !== line) parts.push(own);
      else {
        last.left = Math.min(last.left, own.left);
        last.right = Math.max(last.right, own.right);
        last.top = Math.min(last.top, own.top);
        last.bottom = Math.max(last.bottom, own.bottom);
      }
    }
  }
  return found;
}
