// A line's part of a paragraph → glyphs where they are drawn: runs in visual order, from the line's left end.
import { visualOrder } from './bidi.js';
import type { Face, Glyph } from './face.js';
import { advanceOf, afterTab, type Metrics } from './measure.js';
import { glyphsWithin, type Paragraph } from './paragraph.js';
import { type FontStack, faceFor } from './stack.js';
import type { LineRange } from './wrap.js';

/** A glyph's origin in pixels: x from the line's left end, y up from its baseline. */
export interface PlacedGlyph {
  readonly face: Face;
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface SetLine {
  readonly glyphs: readonly PlacedGlyph[];
  /** Pixels with hanging blanks and hyphen. */
  readonly width: number;
  /** Pixels of hanging blanks on the left, as in text that runs right to left. */
  readonly hangingLeft: number;
}

interface Item {
  readonly level: number;
  readonly face: Face;
  readonly glyphs: readonly Glyph[];
  readonly tab: boolean;
  /** Whether it is a blank that hangs, or the hyphen, at the line's logical end. */
  readonly trailing: 'blank' | 'hyphen' | undefined;
}

export function setLine(paragraph: Paragraph, line: LineRange, metrics: Metrics, stack: FontStack): SetLine {
  const ligatures = metrics.letterSpacing === 0;
  const { size, letterSpacing } = metrics;
  const glyphs: PlacedGlyph[] = [];
  let x = 0;
  let hangingLeft = 0;
  for (const item of visualOrder(itemsOf(paragraph, line, stack, ligatures))) {
    const from = x;
    item.glyphs.forEach((glyph, i) => {
      if (!item.tab) {
        glyphs.push({ face: item.face, id: glyph.id, x: x + glyph.offsetX * size, y: glyph.offsetY * size });
        x += advanceOf(glyph, size);
        if (item.glyphs[i + 1]?.cluster !== glyph.cluster) x += letterSpacing;
      } else x = afterTab(x, metrics);
    });
    if (item.trailing === 'blank' && paragraph.baseLevel === 1) hangingLeft += x - from;
  }
  return { glyphs, width: x, hangingLeft };
}

/** The line's runs in logical order; what trails at its end has the paragraph's own level (UAX #9 rule L1). */
function itemsOf(paragraph: Paragraph, line: LineRange, stack: FontStack, ligatures: boolean): Item[] {
  const items: Item[] = [];
  const { baseLevel, text } = paragraph;
  for (const run of paragraph.runs) {
    if (run.end <= line.start || run.start >= line.end) continue;
    const tab = text[run.start] === '\t';
    const part = (start: number, end: number, level: number, trailing: Item['trailing']) => {
      if (end <= start) return;
      items.push({ level, face: run.face, glyphs: glyphsWithin(paragraph, run, start, end, ligatures), tab, trailing });
    };
    const start = Math.max(run.start, line.start);
    const end = Math.min(run.end, line.end);
    part(start, Math.min(end, line.inkEnd), tab ? baseLevel : run.level, undefined);
    part(Math.max(start, line.inkEnd), end, baseLevel, 'blank');
  }
  if (line.hyphen) {
    const { face, glyphs } = hyphenGlyphs(stack);
    items.push({ level: baseLevel, face, glyphs, tab: false, trailing: 'hyphen' });
  }
  return items;
}

/** What a soft hyphen shows as: U+2010 where some face has it, else the hyphen-minus. */
export function hyphenGlyphs(stack: FontStack): { face: Face; glyphs: readonly Glyph[] } {
  const hyphen = stack.primary.glyph(0x2010) !== 0 ? '\u2010' : '-';
  const face = faceFor(stack, hyphen) ?? stack.primary;
  return { face, glyphs: face.shape(hyphen, 0, 1, { rightToLeft: false, script: 'Latn', ligatures: false }) };
}
