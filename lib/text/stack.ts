// The faces that a text is set in: its own, then the fallbacks, in the order in which they are asked.
import type { Face } from './face.js';

export interface FontStack {
  /** The text's own face: gives the line boxes, the decoration and the boxes for what no face has. */
  readonly primary: Face;
  readonly fallbacks: readonly Face[];
  /** Set upright glyphs aslant (x += 0.25 y), for want of an italic face. */
  readonly slanted: boolean;
}

export const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** Characters that are never drawn, so that no face needs to have them. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]$/u;

/** Whether `face` has every visible character of the cluster. */
export function hasCluster(face: Face, cluster: string): boolean {
  for (const character of cluster) {
    const codePoint = character.codePointAt(0)!;
    if (face.glyph(codePoint) === 0 && !INVISIBLE.test(character)) return false;
  }
  return true;
}

/** The first face that has the whole cluster; undefined when none has. */
export function faceFor(stack: FontStack, cluster: string): Face | undefined {
  if (hasCluster(stack.primary, cluster)) return stack.primary;
  return stack.fallbacks.find((face) => hasCluster(face, cluster));
}

/** The distinct clusters of `text` that `face` lacks, each without its invisible characters. */
export function missingClusters(face: Face, text: string): string[] {
  // most texts lack nothing, which is seen faster character by character
  let complete = true;
  for (const character of text) {
    complete &&= face.glyph(character.codePointAt(0)!) !== 0 || INVISIBLE.test(character);
  }
  if (complete) return [];
  const missing = new Set<string>();
  for (const { segment } of graphemes.segment(text)) {
    if (!hasCluster(face, segment))
      missing.add(
        Array.from(segment)
          .filter((c) => !INVISIBLE.test(c))
          .join(''),
      );
  }
  return [...missing];
}
