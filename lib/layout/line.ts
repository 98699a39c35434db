// Positions the glyphs of one line: its runs in visual order, from the line's left end.
import { lineLevels, visualOrder } from '../text/bidi.js';
import type { Face } from '../text/face.js';
import { type FontStack, faceFor } from '../text/font-stack.js';
import type { Glyph } from '../text/glyph.js';
import { advanceOf, type Metrics, nextTabStop, spacingOf } from './measure.js';
import { glyphsWithin, type Paragraph, runIndex } from './paragraph.js';
import type { LineRange } from './wrap.js';

/** A glyph's origin in pixels: x from the line's left end, y up from its baseline. */
export interface PlacedGlyph {
  readonly face: Face;
  readonly id: number;
  readonly x: number;
  readonly y: number;
}

export interface PositionedGlyphs {
  readonly glyphs: readonly PlacedGlyph[];
  /** Pixels, including hanging spaces and the hyphen. */
  readonly width: number;
  /** Pixels of the spaces that hang at the line's end, which is its left end in right-to-left text. */
  readonly hanging: number;
}

interface Item {
  readonly level: number;
  readonly face: Face;
  readonly glyphs: readonly Glyph[];
  readonly isTab: boolean;
  /** Whether it is past the line's last ink: a hanging space. */
  readonly isHanging: boolean;
  readonly letterSpacing: number;
}

export function positionLine(
  paragraph: Paragraph,
  line: LineRange,
  metrics: Metrics,
  stack: FontStack,
): PositionedGlyphs {
  const { size } = metrics;
  const glyphs: PlacedGlyph[] = [];
  let x = 0;
  let hanging = 0;
  for (const item of visualOrder(itemsOf(paragraph, line, metrics, stack))) {
    const { glyphs: shaped, face, isTab, letterSpacing } = item;
    const from = x;
    for (let i = 0; i < shaped.length; i++) {
      const glyph = shaped[i];
      if (!isTab) {
        glyphs.push({ face, id: glyph.id, x: x + glyph.offsetX * size, y: glyph.offsetY * size });
        x += advanceOf(glyph, size);
        if (i + 1 === shaped.length || shaped[i + 1].cluster !== glyph.cluster) x += letterSpacing;
      } else x = nextTabStop(x, metrics);
    }
    if (item.isHanging) hanging += x - from;
  }
  return { glyphs, width: x, hanging };
}

/** The line's runs in logical order, split where its ink ends and where rule L1 of UAX #9 changes the level. */
function itemsOf(paragraph: Paragraph, line: LineRange, { letterSpacing }: Metrics, stack: FontStack): Item[] {
  const items: Item[] = [];
  const { runs, text } = paragraph;
  const levels = lineLevels(text, paragraph.levels, line.start, line.end);
  const ligatures = letterSpacing === 0;
  for (let i = runIndex(paragraph, line.start); i < runs.length && runs[i].start < line.end; i++) {
    const run = runs[i];
    const runEnd = Math.min(run.end, line.end);
    for (let start = Math.max(run.start, line.start), end = start; start < runEnd; start = end) {
      const level = levels[start - line.start];
      const isHanging = start >= line.inkEnd;
      do end++;
      while (end < runEnd && end !== line.inkEnd && levels[end - line.start] === level);
      const glyphs = glyphsWithin(paragraph, run, start, end, ligatures);
      const spacing = spacingOf(run.script, letterSpacing);
      items.push({ level, face: run.face, glyphs, isTab: text[start] === '\t', isHanging, letterSpacing: spacing });
    }
  }
  if (line.hasHyphen) {
    const level = paragraph.levels.base;
    items.push({ level, ...hyphenGlyphs(stack), isTab: false, isHanging: false, letterSpacing: 0 });
  }
  return items;
}

/** The glyphs shown for a soft hyphen: U+2010 if the primary face has it, else the hyphen-minus. */
export function hyphenGlyphs(stack: FontStack): { face: Face; glyphs: readonly Glyph[] } {
  const hyphen = stack.primary.glyph(0x2010) !== 0 ? '\u2010' : '-';
  const face = faceFor(stack, hyphen) ?? stack.primary;
  return { face, glyphs: face.shapeCharacter(hyphen, false) };
}
