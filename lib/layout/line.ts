// Positions the glyphs of one line: its runs in visual order, from the line's left end.
import { lineLevels, visualOrder } from '../text/bidi.js';
import type { Face } from '../text/face.js';
import type { Glyph } from '../text/glyph.js';
import { hyphenGlyphs } from './hyphen.js';
import { advanceOf, type LineMeasurer, nextTabStop, spacingOf, TAB, type TextFont } from './measure.js';
import { glyphsWithin, runIndex } from './paragraph.js';
import type { SpanRange } from './spans.js';
import type { LineRange } from './wrap.js';

const SPACE = 0x20;
const NO_BREAK_SPACE = 0xa0;

/** A glyph's origin in pixels: x from the line's left end, y up from its baseline. */
export interface PlacedGlyph {
  readonly face: Face;
  readonly id: number;
  readonly x: number;
  readonly y: number;
  /** Start of its cluster in the paragraph; clusters may have several glyphs. -1: the hyphen. */
  readonly cluster: number;
  /** Sum of the advances before it, in pixels from the line's left end. */
  readonly pen: number;
}

/** A piece of a line: the visible part of one span at one place. */
export interface Fragment {
  /** The index of the span. */
  readonly span: number;
  readonly font: TextFont;
  readonly glyphs: readonly PlacedGlyph[];
  /** Pixels from the line's left end. */
  readonly x: number;
  readonly width: number;
  readonly isRightToLeft: boolean;
  /** Whether it is the space that hangs at the line's end. */
  readonly isHanging: boolean;
  /** Pixels that it is raised above the line's baseline. */
  readonly raise: number;
}

export interface PositionedFragments {
  /** Fragments from left to right. */
  readonly fragments: readonly Fragment[];
  /** Pixels, including hanging spaces and the hyphen. */
  readonly width: number;
  /** Pixels of the spaces that hang at the line's end, which is its left end in right-to-left text. */
  readonly hanging: number;
}

/** A shaping cluster as it lies on a line, in pixels from the line's left end. */
export interface PlacedCluster {
  /** Its start in the paragraph. */
  readonly start: number;
  readonly x: number;
  /** Width with the spacing after it. */
  readonly width: number;
  readonly isRightToLeft: boolean;
}

interface Item {
  readonly level: number;
  readonly face: Face;
  readonly font: TextFont;
  readonly glyphs: readonly Glyph[];
  readonly isTab: boolean;
  /** Whether it is past the line's last ink: a hanging space. */
  readonly isHanging: boolean;
  readonly letterSpacing: number;
  /** The span of the hyphen, which is no character of the paragraph. */
  readonly span?: number;
}

/** A line of a paragraph. */
export interface WrappedLine {
  readonly measurer: LineMeasurer;
  /** Start of the paragraph in the text. */
  readonly start: number;
  /** Spans of the paragraph. */
  readonly spans: readonly SpanRange[];
  readonly range: LineRange;
  /** Pixels between the start edge of the box and the area of the line. */
  readonly indent: number;
  /** The end of the source's text in the paragraph, if an ellipsis follows it. */
  readonly sourceEnd?: number;
}

/** The source text of a cluster of the line; '' for a hyphen or an ellipsis that layout added. */
export function clusterText({ measurer, sourceEnd }: WrappedLine, cluster: number): string {
  if (cluster < 0) return '';
  const { text, clusterStart } = measurer.paragraph;
  let end = cluster + 1;
  while (end < text.length && clusterStart[end] === 0) end++;
  return text.slice(cluster, sourceEnd === undefined ? end : Math.min(end, sourceEnd));
}

/**
 * Positions the fragments of a line. `raises` are the pixels by which each span is raised; `expansion` are the pixels added to
 * each blank, to justify the line; `clusters` receives the line's clusters from left to right.
 */
export function positionLine(
  { measurer, range: line, spans }: WrappedLine,
  raises: readonly number[],
  expansion = 0,
  clusters?: PlacedCluster[],
): PositionedFragments {
  const fragments: OpenFragment[] = [];
  const isMixed = spans.length > 1;
  const { text } = measurer.paragraph;
  const { edges } = measurer;
  let x = 0;
  /** Total widening of the blanks so far: tab stops ignore it. */
  let expanded = 0;
  let hanging = 0;
  for (const item of visualOrder(itemsOf(measurer, line, spans))) {
    const { glyphs: shaped, face, font, isTab, isHanging, letterSpacing, level } = item;
    const { size } = font;
    const isRightToLeft = (level & 1) === 1;
    const canExpand = expansion !== 0 && !isHanging && item.span === undefined;
    const from = x;
    let fragment: OpenFragment | undefined;
    let clusterX = from + expanded;
    /** The end of the last cluster, without the inline boxes that end there. */
    let inkX = x;
    for (let i = 0; i < shaped.length; i++) {
      const glyph = shaped[i];
      const edge = item.span === undefined ? edges?.get(glyph.cluster) : undefined;
      const isLast = shaped[i + 1]?.cluster !== glyph.cluster;
      if (edge && shaped[i - 1]?.cluster !== glyph.cluster) {
        x += isRightToLeft ? edge.after : edge.before;
        clusterX = x + expanded;
      }
      if (!fragment || (isMixed && glyph.cluster !== shaped[i - 1].cluster)) {
        if (fragment) fragment.width = inkX + expanded - fragment.x;
        const span = item.span ?? spanAt(spans, glyph.cluster);
        const last = fragments.at(-1);
        if (last?.span === span && last.isHanging === isHanging && last.isRightToLeft === isRightToLeft)
          fragment = last;
        else {
          fragment = {
            span,
            font,
            glyphs: [],
            x: x + expanded,
            width: 0,
            isRightToLeft,
            isHanging,
            raise: raises[span],
          };
          fragments.push(fragment);
        }
      }
      if (!isTab) {
        const { id } = glyph;
        const cluster = item.span === undefined ? glyph.cluster : -1;
        const pen = x + expanded;
        fragment.glyphs.push({ face, id, x: pen + glyph.offsetX * size, y: glyph.offsetY * size, cluster, pen });
        x += advanceOf(glyph, size);
        if (i + 1 === shaped.length || shaped[i + 1].cluster !== glyph.cluster) x += letterSpacing;
      } else x = nextTabStop(x, measurer.tab);
      if (canExpand && isExpandable(text, glyph.cluster) && shaped[i + 1]?.cluster !== glyph.cluster) {
        expanded += expansion;
      }
      if (clusters && item.span === undefined && shaped[i + 1]?.cluster !== glyph.cluster) {
        clusters.push({ start: glyph.cluster, x: clusterX, width: x + expanded - clusterX, isRightToLeft });
        clusterX = x + expanded;
      }
      inkX = x;
      if (edge && isLast) {
        x += isRightToLeft ? edge.before : edge.after;
        clusterX = x + expanded;
      }
    }
    if (fragment) fragment.width = inkX + expanded - fragment.x;
    if (isHanging) hanging += x - from;
  }
  return { fragments, width: x + expanded, hanging };
}

/** The pixels that each blank of a line is widened by, so that it fills `available`; 0 for the last line of a paragraph. */
export function expansionOf({ measurer, range }: WrappedLine, available: number): number {
  const { text, clusterStart } = measurer.paragraph;
  const free = available - range.width;
  if (range.end === text.length || free <= 0) return 0;
  let blanks = 0;
  for (let i = range.start; i < range.inkEnd; i++) if (isExpandable(text, i)) blanks += clusterStart[i];
  return blanks === 0 ? 0 : free / blanks;
}

/** Whether browsers widen the character to justify a line. */
function isExpandable(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit === SPACE || unit === NO_BREAK_SPACE || unit === TAB;
}

interface OpenFragment extends Fragment {
  readonly glyphs: PlacedGlyph[];
  width: number;
}

/** The span of the character at `index`. */
export function spanAt(spans: readonly SpanRange[], index: number): number {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle].end <= index) low = middle + 1;
    else high = middle;
  }
  return spans[low].span;
}

/** The line's runs in logical order, split where its ink ends and where rule L1 of UAX #9 changes the level. */
function itemsOf({ paragraph, fonts }: LineMeasurer, line: LineRange, spans: readonly SpanRange[]): Item[] {
  const items: Item[] = [];
  const { runs, text } = paragraph;
  const levels = lineLevels(text, paragraph.levels, line.start, line.end);
  for (let i = runIndex(paragraph, line.start); i < runs.length && runs[i].start < line.end; i++) {
    const run = runs[i];
    const font = fonts[run.font];
    const runEnd = Math.min(run.end, line.end);
    for (let start = Math.max(run.start, line.start), end = start; start < runEnd; start = end) {
      const level = levels[start - line.start];
      const isHanging = start >= line.inkEnd;
      do end++;
      while (end < runEnd && end !== line.inkEnd && levels[end - line.start] === level);
      const glyphs = glyphsWithin(paragraph, run, start, end, font);
      const letterSpacing = spacingOf(run.script, font.letterSpacing);
      items.push({ level, face: run.face, font, glyphs, isTab: text[start] === '\t', isHanging, letterSpacing });
    }
  }
  if (line.hasHyphen) {
    const font = fonts[runs[runIndex(paragraph, line.end - 1)].font];
    const span = spanAt(spans, line.end - 1);
    const level = paragraph.levels.base;
    items.push({ level, font, span, ...hyphenGlyphs(font.stack), isTab: false, isHanging: false, letterSpacing: 0 });
  }
  return items;
}
