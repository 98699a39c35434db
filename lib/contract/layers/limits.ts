// Bounds the paths of all layers together: they take up to 30 times the memory of their text, and the service parses those of
// many requests in one process. Measured on a body of 10 MB, which held 279 MiB as arcs and 319 MiB as polygons: now at most
// 47 MiB while it is refused, and nothing after.
import type { BasicShape } from '../../geometry/basic-shape.js';
import type { PathData } from '../../geometry/path.js';
import type { FieldIssue } from '../messages/issues.js';

/** Maximum spans of a text layer, given or made by its markup. */
export const MAX_SPANS = 1000;

/** Maximum length of an alternative text, in characters. */
export const MAX_ALT_LENGTH = 2000;

/** Maximum layers that lists, components, charts and icons of a payload make, by default. */
export const MAX_EXPANDED_LAYERS = 5000;

/** Maximum segments of the paths and corners of the polygons of all layers, of `d`, `textPath` and `clipPath`. */
export const MAX_OUTLINE_SEGMENTS = 200_000;

/** The fields that hold outlines. */
export interface OutlinedLayer {
  readonly d?: PathData | undefined;
  readonly textPath?: PathData | undefined;
  readonly clipPath?: BasicShape | undefined;
}

/** Segments of a layer's path. */
export function pathSegments({ d }: OutlinedLayer): number {
  return d?.verbs.length ?? 0;
}

/** Segments of the path that a layer's text goes along. */
export function textPathSegments({ textPath }: OutlinedLayer): number {
  return textPath?.verbs.length ?? 0;
}

/** Segments of a layer's clip path. */
export function clipSegments({ clipPath }: OutlinedLayer): number {
  if (clipPath?.kind === 'path') return clipPath.data.verbs.length;
  return clipPath?.kind === 'polygon' ? clipPath.points.length : 0;
}

/** Counts the outlines of one layer after the other; returns the issue of the field with which they become too many. */
export function createOutlineLimit(): (layer: OutlinedLayer) => readonly FieldIssue[] {
  let total = 0;
  const issuesOf = (field: string, count: number) => {
    total += count;
    if (count === 0 || total <= MAX_OUTLINE_SEGMENTS) return undefined;
    const expected = `at most ${MAX_OUTLINE_SEGMENTS} in all layers`;
    const message = `received ${count} segments, ${total} with those of the layers before, expected ${expected}`;
    return [{ code: 'limit_exceeded' as const, field, message, value: total, expected }];
  };
  return (layer) => {
    return (
      issuesOf('d', pathSegments(layer)) ??
      issuesOf('textPath', textPathSegments(layer)) ??
      issuesOf('clipPath', clipSegments(layer)) ??
      []
    );
  };
}
