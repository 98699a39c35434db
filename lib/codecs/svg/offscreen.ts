// Works around a resvg trap: resvg draws a group with opacity, a mask, a clip path or a filter into a layer, and traps
// if the entire layer is more than two image sizes away from the origin. This occurs in icon sheets that show one icon
// at a time, and with elements parked beside the page. Such a group is invisible and needs no layer, so its tag keeps
// only its transform. Works on resvg's simplified document: groups, paths and images, without inheritance.
import type { Bounds } from './bounds.js';
import type { SvgElement } from './scan.js';

/** Distance from the origin at which resvg traps, in image sizes, minus a margin for rounding. */
const OFFSCREEN_LIMIT = 1.9;

/** Whether anything is so far off-screen that resvg may trap. `bounds`: those of the whole SVG, in pixels. */
export const extendsOffscreen = (bounds: Bounds, width: number, height: number): boolean =>
  extendsBeyond(bounds, width, height, -OFFSCREEN_LIMIT, OFFSCREEN_LIMIT);

/** Whether anything is before `start` or after `end` on either axis, in multiples of the image size. */
export function extendsBeyond([x0, y0, x1, y1]: Bounds, width: number, height: number, start: number, end: number) {
  return !(x0 >= start * width && x1 <= end * width && y0 >= start * height && y1 <= end * height);
}

/** Whether a layer shows nothing. If a filter around it may display it elsewhere, that takes a larger distance. */
export function isHidden([x0, y0, x1, y1]: Bounds, width: number, height: number, isFiltered: boolean): boolean {
  const [start, end, margin] = isFiltered ? [-OFFSCREEN_LIMIT, OFFSCREEN_LIMIT, 0] : [0, 1, 2];
  const [left, top, right, bottom] = [start * width, start * height, end * width, end * height];
  return x1 < left - margin || y1 < top - margin || x0 > right + margin || y0 > bottom + margin;
}

/** Removes from resvg's simplified document everything that makes these groups need a layer. */
export function stripLayers(simplified: string, groups: readonly SvgElement[]): string {
  let text = '';
  let at = 0;
  for (const { start, end, attributes } of [...groups].sort((a, b) => a.start - b.start)) {
    const transform = attributes.get('transform');
    text += `${simplified.slice(at, start)}<g${transform === undefined ? '' : ` transform="${transform}"`}>`;
    at = end;
  }
  return text + simplified.slice(at);
}
