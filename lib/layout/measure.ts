// Widths of parts of a paragraph at a size: letter spacing after every cluster, tab stops every eight blanks.

import type { FontStack } from '../text/font-stack.js';
import type { Glyph } from '../text/glyph.js';
import { isCursive } from '../text/script.js';
import type { Paragraph } from './paragraph.js';

export interface Metrics {
  /** Pixels an em. */
  readonly size: number;
  /** Pixels after every cluster. */
  readonly letterSpacing: number;
  /** Pixels from one tab stop to the next. */
  readonly tab: number;
}

const TAB = 0x09;
/** Blanks a tab stop (CSS `tab-size`'s initial value). */
const TAB_BLANKS = 8;

export function metricsAt(stack: FontStack, size: number, letterSpacing: number): Metrics {
  // a custom font may make any number of glyphs of a blank, or none
  const blank = stack.primary.sign(' ', true).reduce((sum, glyph) => sum + advanceOf(glyph, size), 0);
  return { size, letterSpacing, tab: TAB_BLANKS * (blank + letterSpacing) };
}

/** A glyph's advance in pixels. As in browsers on FreeType, outlines and advances are for the size cut to 1/64 px. */
export function advanceOf({ advance, kerning }: Glyph, size: number): number {
  return advance * quantizeSize(size) + kerning * size;
}

/** The size that outlines and advances are scaled to: whole 64ths of a pixel, down. */
export function quantizeSize(size: number): number {
  return Math.floor(size * 64) / 64;
}

/** The letter spacing that text of a script gets. */
export function spacingOf(script: string | undefined, letterSpacing: number): number {
  return isCursive(script) ? 0 : letterSpacing;
}

/** Measures one paragraph at one size. */
export class LineMeasurer {
  /** Pixels of all clusters that begin before each index, with their letter spacing; tabs count nothing. */
  private readonly before: Float64Array;
  /** Where the last width asked for began, where its last tab led, and what follows that tab. */
  private tabs = { start: -1, end: 0, x: 0, from: 0 };

  constructor(
    readonly paragraph: Paragraph,
    readonly metrics: Metrics,
  ) {
    const { text, runs, clusterStart } = paragraph;
    const { size, letterSpacing } = metrics;
    const onGrid = quantizeSize(size);
    // the advances first, each where its sum will stand
    const before = new Float64Array(text.length + 1);
    let sum = 0;
    for (const { start, end, script, glyphs } of runs) {
      for (let i = 0; i < glyphs.length; i++) {
        const { cluster, advance, kerning } = glyphs[i];
        before[cluster + 1] += advance * onGrid + kerning * size;
      }
      // tabs stand alone
      if (text.charCodeAt(start) === TAB) before.fill(0, start + 1, end + 1);
      const spacing = text.charCodeAt(start) === TAB ? 0 : spacingOf(script, letterSpacing);
      for (let i = start; i < end; i++) {
        sum += before[i + 1] + clusterStart[i] * spacing;
        before[i + 1] = sum;
      }
    }
    this.before = before;
  }

  /** The width in pixels of [start, end) when it begins a line. */
  width(start: number, end: number): number {
    const { before, paragraph, metrics } = this;
    if (!paragraph.hasTabs) return before[end] - before[start];
    // lines grow from one start: go on from the last tab, or a line of nothing but tabs would cost their square
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

/** Where a tab at `x` pixels from the line's start leads: the next stop, or the one after when that is under half a blank off. */
export function nextTabStop(x: number, { tab }: Metrics): number {
  if (!(tab > 0)) return x;
  const next = (Math.floor(x / tab) + 1) * tab;
  return next - x < tab / TAB_BLANKS / 2 ? next + tab : next;
}
