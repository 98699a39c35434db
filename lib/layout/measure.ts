// Measures parts of a paragraph at a font size: letter spacing after every cluster, tab stops every eight spaces.

import type { FontStack } from '../text/font-stack.js';
import type { Glyph } from '../text/glyph.js';
import { isCursive } from '../text/script.js';
import type { Paragraph } from './paragraph.js';

export interface Metrics {
  /** Pixels per em. */
  readonly size: number;
  /** Pixels after every cluster. */
  readonly letterSpacing: number;
  /** Pixels from one tab stop to the next. */
  readonly tab: number;
}

const TAB = 0x09;
/** Spaces per tab stop (the initial value of CSS `tab-size`). */
const TAB_SIZE = 8;

export function metricsAt(stack: FontStack, size: number, letterSpacing: number): Metrics {
  // a custom font may shape a space into any number of glyphs, or none
  const space = stack.primary.shapeCharacter(' ', true).reduce((sum, glyph) => sum + advanceOf(glyph, size), 0);
  return { size, letterSpacing, tab: TAB_SIZE * (space + letterSpacing) };
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

/** Measures one paragraph at one size. */
export class LineMeasurer {
  /** Prefix sums: the width in pixels of all clusters that start before each index, with letter spacing and without tabs. */
  private readonly before: Float64Array;
  /** State of the last width with tabs: its range, the position after its last tab, and the index after that tab. */
  private tabs = { start: -1, end: 0, x: 0, from: 0 };

  constructor(
    readonly paragraph: Paragraph,
    readonly metrics: Metrics,
  ) {
    const { text, runs, clusterStart } = paragraph;
    const { size, letterSpacing } = metrics;
    const quantizedSize = quantizeSize(size);
    // first the advances, each in the slot of its prefix sum
    const before = new Float64Array(text.length + 1);
    let sum = 0;
    for (const { start, end, script, glyphs } of runs) {
      for (let i = 0; i < glyphs.length; i++) {
        const { cluster, advance, kerning } = glyphs[i];
        before[cluster + 1] += advance * quantizedSize + kerning * size;
      }
      // a tab is always a run of its own
      if (text.charCodeAt(start) === TAB) before.fill(0, start + 1, end + 1);
      const spacing = text.charCodeAt(start) === TAB ? 0 : spacingOf(script, letterSpacing);
      for (let i = start; i < end; i++) {
        sum += before[i + 1] + clusterStart[i] * spacing;
        before[i + 1] = sum;
      }
    }
    this.before = before;
  }

  /** The width in pixels of [start, end) at the start of a line. */
  width(start: number, end: number): number {
    const { before, paragraph, metrics } = this;
    if (!paragraph.hasTabs) return before[end] - before[start];
    // callers extend a line from one start: continue after the last tab, or a line of tabs would take quadratic time
    if (this.tabs.start !== start || this.tabs.end > end) this.tabs = { start, end: start, x: 0, from: start };
    const { tabs } = this;
    for (let i = tabs.end; i < end; i++) {
      if (paragraph.text[i] !== '\t') continue;
      tabs.x = nextTabStop(tabs.x + before[i] - before[tabs.from], metrics);
      tabs.from = i + 1;
    }
    tabs.end = end;
    return tabs.x + before[end] - before[tabs.from];
  }
}

/** The tab stop for a tab at `x` pixels from the line's start: the next one, or the one after if that is under half a space away. */
export function nextTabStop(x: number, { tab }: Metrics): number {
  if (!(tab > 0)) return x;
  const next = (Math.floor(x / tab) + 1) * tab;
  return next - x < tab / TAB_SIZE / 2 ? next + tab : next;
}
