// The glyphs of a text while it is shaped, and the rules for joining them to clusters.

// classes of a glyph (GDEF), with the bits of the lookup flags that skip them; the mark attachment class is in bits 8–15
export const BASE = 2;
export const LIGATURE = 4;
export const MARK = 8;
// what happened to it
export const SUBSTITUTED = 16;
export const LIGATED = 32;
export const MULTIPLIED = 64;

export interface Item {
  codePoint: number;
  glyph: number;
  /** UTF-16 index in the text. */
  cluster: number;
  /** The features that apply to it: bits of the plan. */
  mask: number;
  unsafeToBreak: boolean;
  /** Canonical combining class, as HarfBuzz modifies it. */
  combiningClass: number;
  /** Mn, Mc or Me. */
  isMark: boolean;
  /** Mn. */
  isNonspacing: boolean;
  isIgnorable: boolean;
  /** Whether it belongs to the same grapheme cluster as the previous item. */
  continues: boolean;
  /** Class and history. */
  props: number;
  /** The ligature that it is, or that the mark belongs to; 0 for none. */
  ligature: number;
  /** Its component; 0 for the ligature itself. */
  component: number;
  /** Number of components of a ligature. */
  components: number;
  /** Character of a space that the font lacks. */
  space: number;
  advance: number;
  offsetX: number;
  offsetY: number;
  /** The distance to the item that it is attached to, and how. */
  chain: number;
  attachment: 'mark' | 'cursive' | undefined;
}

/** Gives [start, end) one cluster, and all items that have the clusters at its ends. */
export function mergeClusters(items: readonly Item[], start: number, end: number): void {
  if (end - start < 2) return;
  let cluster = Infinity;
  for (let i = start; i < end; i++) cluster = Math.min(cluster, items[i].cluster);
  let last = end;
  if (items[end - 1].cluster !== cluster)
    while (last < items.length && items[last - 1].cluster === items[last].cluster) last++;
  let first = start;
  if (items[start].cluster !== cluster) while (first > 0 && items[first - 1].cluster === items[first].cluster) first--;
  for (let i = first; i < last; i++) items[i].cluster = cluster;
}

/** Marks the clusters of [start, end) as dependent on each other: text broken between them must be shaped again. */
export function markUnsafe(items: readonly Item[], start: number, end: number): void {
  if (end - start < 2) return;
  let cluster = Infinity;
  for (let i = start; i < end; i++) cluster = Math.min(cluster, items[i].cluster);
  for (let i = start; i < end; i++) if (items[i].cluster !== cluster) items[i].unsafeToBreak = true;
}

/** The component that a glyph is, or that a mark belongs to; 0 for a ligature. */
export function componentOf(item: Item): number {
  return item.components > 0 ? 0 : item.component;
}

export function componentsOf(item: Item): number {
  return (item.props & LIGATURE) !== 0 && item.components > 0 ? item.components : 1;
}

export const isMarkGlyph = (item: Item) => (item.props & MARK) !== 0;

export const isIgnored = (item: Item) => item.isIgnorable && (item.props & SUBSTITUTED) === 0;
