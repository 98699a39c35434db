// Itemizes and shapes a paragraph: runs of one face, script and direction, shaped once for all sizes, plus the break
// opportunities that wrapping needs. Nothing here depends on the font size or the width of the box.

import type { CheckTime } from '../stage-budget.js';
import { bidiLevels, type Levels } from '../text/bidi.js';
import { conjunctsOf } from '../text/conjuncts.js';
import type { Face } from '../text/face.js';
import { type FontStack, faceFor, isEmoji } from '../text/font-stack.js';
import type { Glyph } from '../text/glyph.js';
import { breakOpportunities } from '../text/line-break.js';
import { OTHER, resolveScripts } from '../text/script.js';
import { graphemesOf } from '../unicode/graphemes.js';

/** A range of text that is shaped in one call. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** UAX #9 embedding level; odd levels run right to left. */
  readonly level: number;
  readonly script: string | undefined;
  readonly face: Face;
  /** The index of its font among those of the paragraph. */
  readonly font: number;
  /** Glyphs in visual order. */
  readonly glyphs: readonly Glyph[];
}

/** A stretch of a paragraph in one font, up to `end`. */
export interface FontRange {
  readonly end: number;
  readonly font: ShapingFont;
}

/** The properties of a font that shaping depends on. */
export interface ShapingFont {
  readonly stack: FontStack;
  /** Pixels after every cluster: with any, letters don't join into ligatures. */
  readonly letterSpacing: number;
}

export interface Paragraph {
  readonly text: string;
  /** UAX #9 levels, before rule L1. */
  readonly levels: Levels;
  /** Runs in logical order. */
  readonly runs: readonly Run[];
  /** 1 at each index where a shaping cluster (indivisible) starts. */
  readonly clusterStart: Uint8Array;
  /** 1 at each index where an overlong word may be broken: a cluster and a grapheme start there. */
  readonly wordBreak: Uint8Array;
  /** 1 at each index before which a line may end. */
  readonly breakBefore: Uint8Array;
  /** 1 at each index before which a line ends in a hyphen, beside those after soft hyphens; absent without hyphenation. */
  readonly hyphenBefore?: Uint8Array;
  /** 1 at each index where a break changes the glyphs beside it. */
  readonly unsafeToBreak: Uint8Array;
  /** Whether the text has tabs, whose width depends on their position. */
  readonly hasTabs: boolean;
  /** The clusters that no face has. */
  readonly missing: readonly string[];
  /** The emoji sequences without a single glyph in their face. */
  readonly split: readonly SplitEmoji[];
}

/** An emoji sequence that is drawn as several emoji side by side. */
export interface SplitEmoji {
  readonly cluster: string;
  /** The number of emoji drawn. */
  readonly emoji: number;
}

/** A run of one character takes some 4 µs. */
const STEPS_PER_RUN = 4;

/** Shapes one paragraph without line feeds. `ranges` cover the text, one at least; `direction` sets the base level. */
export function shapeParagraph(
  text: string,
  ranges: readonly FontRange[],
  direction?: number,
  check: CheckTime = () => {},
): Paragraph {
  const levels = bidiLevels(text, direction);
  const missing: string[] = [];
  check(text.length);
  const clusters = conjunctsOf(text);
  check(text.length);
  const items = itemize(text, clusters, levels.byUnit, ranges, missing);
  check(text.length);
  const runs = items.map((item) => {
    check(STEPS_PER_RUN + item.end - item.start);
    return shapeRun(text, item, ranges[item.font].font);
  });
  const length = text.length;
  const clusterStart = new Uint8Array(length + 1);
  const unsafeToBreak = new Uint8Array(length + 1);
  for (const run of runs) {
    for (const glyph of run.glyphs) {
      clusterStart[glyph.cluster] = 1;
      if (glyph.unsafeToBreak) unsafeToBreak[glyph.cluster] = 1;
    }
  }
  clusterStart[length] = 1;
  check(length);
  // the shaper makes half forms separate clusters, so graphemes must agree
  const wordBreak = new Uint8Array(length + 1);
  let index = 0;
  for (const grapheme of graphemesOf(text)) {
    wordBreak[index] = clusterStart[index];
    index += grapheme.length;
  }
  wordBreak[length] = 1;
  check(length);
  return {
    text,
    levels,
    runs,
    clusterStart,
    wordBreak,
    breakBefore: breakOpportunities(text),
    unsafeToBreak,
    hasTabs: text.includes('\t'),
    missing,
    split: splitEmoji(clusters, runs),
  };
}

/** The emoji sequences that are drawn as more than one emoji. */
function splitEmoji(clusters: readonly string[], runs: readonly Run[]): readonly SplitEmoji[] {
  // the shortest sequence is a digit with a selector and a keycap
  const isSequence = (cluster: string) => cluster.length > 2 && isEmoji(cluster);
  if (!clusters.some(isSequence)) return [];
  const emojiAt = new Map<number, number>();
  for (const { face, glyphs } of runs) {
    for (const { id, cluster } of glyphs) {
      if (face.colorPaint(id)) emojiAt.set(cluster, (emojiAt.get(cluster) ?? 0) + 1);
    }
  }
  const split: SplitEmoji[] = [];
  let index = 0;
  for (const cluster of clusters) {
    const end = index + cluster.length;
    let emoji = 0;
    for (; index < end; index++) emoji += emojiAt.get(index) ?? 0;
    if (emoji > 1 && isSequence(cluster)) split.push({ cluster, emoji });
  }
  return split;
}

/** The glyphs of [start, end) of a run: a slice where breaking there is safe, else shaped again. */
export function glyphsWithin(
  paragraph: Paragraph,
  run: Run,
  start: number,
  end: number,
  font: ShapingFont,
): readonly Glyph[] {
  if (start <= run.start && end >= run.end) return run.glyphs;
  const from = Math.max(start, run.start);
  const to = Math.min(end, run.end);
  const { clusterStart, unsafeToBreak } = paragraph;
  const isSafe = (index: number) =>
    index === run.start || index === run.end || (clusterStart[index] === 1 && unsafeToBreak[index] === 0);
  if (isSafe(from) && isSafe(to)) {
    const [first, last] = (run.level & 1) === 0 ? [from, to] : [to, from];
    return run.glyphs.slice(glyphIndex(run, first), glyphIndex(run, last));
  }
  return shapeRun(paragraph.text, { ...run, start: from, end: to }, font).glyphs;
}

/** The number of the run's glyphs left of the cluster that starts at `index`, which may be the run's end. */
function glyphIndex({ glyphs, level }: Run, index: number): number {
  const rightToLeft = (level & 1) === 1;
  let low = 0;
  let high = glyphs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const { cluster } = glyphs[middle];
    if (rightToLeft ? cluster >= index : cluster < index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of the run that contains the text at `index`. */
export function runIndex({ runs }: Paragraph, index: number): number {
  let low = 0;
  let high = runs.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (runs[middle].end <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface TextItem {
  start: number;
  end: number;
  level: number;
  script: string | undefined;
  face: Face;
  font: number;
}

/** UTF-16 units of context on each side of a run: HarfBuzz looks at five characters. */
const CONTEXT_UNITS = 16;

/** Control characters and Hangul fillers: they have no ink, but HarfBuzz gives them the missing-glyph box. */
const ZERO_INK = /[^ -~\u00a0-\uffff]|[\u115f\u1160\u3164\uffa0]/g;

function shapeRun(text: string, item: TextItem, { stack, letterSpacing }: ShapingFont): Run {
  const { start, end, level, script, face, font } = item;
  // HarfBuzz copies all text it receives: passing the whole text for every run would be quadratic
  const from = Math.max(0, start - CONTEXT_UNITS);
  const context = text
    .slice(from, end + CONTEXT_UNITS)
    .replace(ZERO_INK, (character) =>
      character < '\u0100' || face.glyph(character.charCodeAt(0)) === 0 ? '\u200b' : character,
    );
  const glyphs = face.shape(context, start - from, end - from, {
    rightToLeft: (level & 1) === 1,
    script: script === OTHER ? undefined : script,
    // 'calt' of Noto's Hangul widens spaces and separates jamo: browsers disable it for this script
    ligatures: letterSpacing === 0 && script !== 'Hang',
    features: stack.features,
  });
  if (from === 0) return { start, end, level, script, face, font, glyphs };
  const moved = glyphs.map((glyph) => ({ ...glyph, cluster: glyph.cluster + from }));
  return { start, end, level, script, face, font, glyphs: moved };
}

/** Splits the text where the bidi level, the script, the face or the font changes; each tab is an item. Clusters stay whole. */
function itemize(
  text: string,
  clusters: readonly string[],
  levels: Uint8Array,
  ranges: readonly FontRange[],
  missing: string[],
): TextItem[] {
  const items: TextItem[] = [];
  const scripts = resolveScripts(clusters);
  let last: TextItem | undefined;
  let fallback: Face | undefined;
  let index = 0;
  let font = 0;
  clusters.forEach((cluster, i) => {
    while (index >= ranges[font].end && font + 1 < ranges.length) {
      font++;
      fallback = undefined;
    }
    const { stack } = ranges[font].font;
    const found = faceFor(stack, cluster, fallback);
    if (!found) missing.push(cluster);
    if (found && found !== stack.primary && stack.fallbacks.text.includes(found)) fallback = found;
    const face = found ?? stack.primary;
    const level = levels[index];
    const script = scripts[i];
    const end = index + cluster.length;
    const extendsLast =
      last?.face === face &&
      last.font === font &&
      last.level === level &&
      last.script === script &&
      cluster !== '\t' &&
      text[last.start] !== '\t';
    if (last && extendsLast) last.end = end;
    else {
      last = { start: index, end, level, script, face, font };
      items.push(last);
    }
    index = end;
  });
  return items;
}
