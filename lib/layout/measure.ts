// Measures parts of a paragraph at a font size: letter spacing after every cluster, tab stops every eight spaces.

import type { Glyph } from '../text/glyph.js';
import { isCursive } from '../text/script.js';
import { hyphenGlyphs } from './hyphen.js';
import { type Paragraph, runIndex, type ShapingFont } from './paragraph.js';

/** The room that inline boxes take beside a cluster, in pixels, at its logical start and end. */
export interface ClusterEdges {
  readonly before: number;
  readonly after: number;
}

/** A part of a paragraph, with the pixels of inline boxes at its ends. */
interface EdgedRange {
  readonly start: number;
  readonly end: number;
  readonly before?: number | undefined;
  readonly after?: number | undefined;
}

/** A font in a size. */
export interface TextFont extends ShapingFont {
  /** Pixels per em. */
  readonly size: number;
}

export const TAB = 0x09;
/** Spaces per tab stop (the initial value of CSS `tab-size`). */
const TAB_SIZE = 8;

/** Pixels from one tab stop to the next in text whose block has this font. */
export function tabOf({ stack, size, letterSpacing }: TextFont): number {
  // a custom font may shape a space into any number of glyphs, or none
  const space = stack.primary
    .shapeCharacter(' ', true, stack.features)
    .reduce((sum, glyph) => sum + advanceOf(glyph, size), 0);
  return TAB_SIZE * (space + letterSpacing);
}

/** A glyph's advance in pixels. As in browsers on FreeType, outlines and advances use the size truncated to 1/64 px. */
export function advanceOf({ advance, kerning }: Glyph, size: number): number {
  return advance * quantizeSize(size) + kerning * size;
}

/** Rounds a font size down to 1/64 px: the size that outlines and advances are scaled to. */
export function quantizeSize(size: number): number {
  return Math.floor(size * 64) / 64;
}

/** The letter spacing for text of a script: none for cursive scripts. */
export function spacingOf(script: string | undefined, letterSpacing: number): number {
  return isCursive(script) ? 0 : letterSpacing;
}

/** Measures one paragraph in its fonts. */
export class LineMeasurer {
  /** Prefix sums: the width in pixels of all clusters that start before each index, with letter spacing and without tabs. */
  private readonly before: Float64Array;
  /** State of the last width with tabs: its range, the position after its last tab, and the index after that tab. */
  private tabs = { start: -1, end: 0, x: 0, from: 0 };
  /** By the start of the cluster; undefined without any. */
  readonly edges: ReadonlyMap<number, ClusterEdges> | undefined;

  /**
   * `fonts` are those of the paragraph's runs; `tab` is the distance of tab stops in pixels; `ranges` are the spans, for the
   * inline boxes at their ends.
   */
  constructor(
    readonly paragraph: Paragraph,
    readonly fonts: readonly TextFont[],
    readonly tab: number,
    ranges: readonly EdgedRange[] = [],
  ) {
    const { text, runs, clusterStart } = paragraph;
    this.edges = edgesOf(paragraph, ranges);
    // first the advances, each in the slot of its prefix sum
    const before = new Float64Array(text.length + 1);
    let sum = 0;
    for (const { start, end, script, font, glyphs } of runs) {
      const { size, letterSpacing } = fonts[font];
      const quantizedSize = quantizeSize(size);
      for (let i = 0; i < glyphs.length; i++) {
        const { cluster, advance, kerning } = glyphs[i];
        before[cluster + 1] += advance * quantizedSize + kerning * size;
      }
      // a tab is always a separate run
      if (text.charCodeAt(start) === TAB) before.fill(0, start + 1, end + 1);
      const spacing = text.charCodeAt(start) === TAB ? 0 : spacingOf(script, letterSpacing);
      for (let i = start; i < end; i++) {
        sum += before[i + 1] + clusterStart[i] * spacing;
        before[i + 1] = sum;
      }
    }
    this.before = this.edges ? withEdges(before, this.edges) : before;
  }

  /** The font of the character at `index`. */
  fontAt(index: number): TextFont {
    const { fonts, paragraph } = this;
    return fonts.length === 1 ? fonts[0] : fonts[paragraph.runs[runIndex(paragraph, index)]?.font ?? 0];
  }

  /** Pixels of the hyphen that a line shows which ends after the soft hyphen at `index`. */
  hyphenWidth(index: number): number {
    const { stack, size } = this.fontAt(index);
    return hyphenGlyphs(stack).glyphs.reduce((sum, glyph) => sum + advanceOf(glyph, size), 0);
  }

  /** The width in pixels of [start, end) at the start of a line. */
  width(start: number, end: number): number {
    const { before, paragraph, tab } = this;
    if (!paragraph.hasTabs) return before[end] - before[start];
    // callers extend a line from one start: continue after the last tab, or a line of tabs would take quadratic time
    if (this.tabs.start !== start || this.tabs.end > end) this.tabs = { start, end: start, x: 0, from: start };
    const { tabs } = this;
    for (let i = tabs.end; i < end; i++) {
      if (paragraph.text[i] !== '\t') continue;
      tabs.x = nextTabStop(tabs.x + before[i] - before[tabs.from], tab);
      tabs.from = i + 1;
    }
    tabs.end = end;
    return tabs.x + before[end] - before[tabs.from];
  }
}

/** The edges of clusters; those of a range without text are nowhere. */
function edgesOf({ clusterStart }: Paragraph, ranges: readonly EdgedRange[]): Map<number, ClusterEdges> | undefined {
  const edges = new Map<number, ClusterEdges>();
  const add = (cluster: number, before: number, after: number) => {
    const known = edges.get(cluster) ?? { before: 0, after: 0 };
    edges.set(cluster, { before: known.before + before, after: known.after + after });
  };
  for (const { start, end, before = 0, after = 0 } of ranges) {
    if (start === end) continue;
    if (before !== 0) add(start, before, 0);
    if (after === 0) continue;
    let last = end - 1;
    while (last > start && clusterStart[last] === 0) last--;
    add(last, 0, after);
  }
  return edges.size > 0 ? edges : undefined;
}

/** Prefix sums with the edges of each cluster added. */
function withEdges(sums: Float64Array, edges: ReadonlyMap<number, ClusterEdges>): Float64Array {
  let added = 0;
  return sums.map((sum, i) => {
    const edge = i > 0 ? edges.get(i - 1) : undefined;
    if (edge) added += edge.before + edge.after;
    return sum + added;
  });
}

/** The tab stop for a tab at `x` pixels from the line's start: the next one, or the one after if that is under half a space away. */
export function nextTabStop(x: number, tab: number): number {
  if (!(tab > 0)) return x;
  const next = (Math.floor(x / tab) + 1) * tab;
  return next - x < tab / TAB_SIZE / 2 ? next + tab : next;
}
