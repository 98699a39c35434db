// A paragraph's text → runs of one face, script and direction, shaped once for all sizes, with what wrapping needs:
// widths by prefix sums, places to break. Nothing in here depends on the font size or the width of the box.
import { bidiLevels } from './bidi.js';
import { breakOpportunities } from './breaks.js';
import type { Face, Glyph } from './face.js';
import { scriptOf } from './script.js';
import { type FontStack, faceFor, graphemes } from './stack.js';

/** A stretch of text that is shaped in one piece. */
export interface Run {
  readonly start: number;
  readonly end: number;
  /** UAX #9 embedding level; odd runs go from right to left. */
  readonly level: number;
  readonly script: string | undefined;
  readonly face: Face;
  /** In visual order. */
  readonly glyphs: readonly Glyph[];
}

export interface Paragraph {
  readonly text: string;
  /** 0 left to right, 1 right to left. */
  readonly baseLevel: number;
  /** In logical order. */
  readonly runs: readonly Run[];
  /** 1 at each index where a cluster (what can't be parted) begins. */
  readonly clusterStart: Uint8Array;
  /** 1 at each index before which a line may end. */
  readonly breakBefore: Uint8Array;
  /** 1 at each index where breaking changes the glyphs beside it. */
  readonly unsafeToBreak: Uint8Array;
  /** Whether it has tabs, whose width depends on where they stand. */
  readonly hasTabs: boolean;
  /** The clusters that no face has. */
  readonly missing: readonly string[];
  /** The clusters that a fallback face had to give. */
  readonly fallen: readonly string[];
}

/** Shapes one paragraph (no line feed in it). `ligatures` is off where letter spacing is not 0; `direction` sets the base level. */
export function shapeParagraph(text: string, stack: FontStack, ligatures: boolean, direction?: number): Paragraph {
  const { base, of: levels } = bidiLevels(text, direction);
  const missing: string[] = [];
  const fallen: string[] = [];
  const pieces = itemize(text, levels, stack, missing, fallen);
  const runs = pieces.map((piece) => shapeRun(text, piece, ligatures));
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
  return {
    text,
    baseLevel: base,
    runs,
    clusterStart,
    breakBefore: breakOpportunities(text),
    unsafeToBreak,
    hasTabs: text.includes('\t'),
    missing,
    fallen,
  };
}

/** The glyphs of the part [start, end) of a run: cut out where that changes nothing, else shaped anew. */
export function glyphsWithin(
  paragraph: Paragraph,
  run: Run,
  start: number,
  end: number,
  ligatures: boolean,
): readonly Glyph[] {
  if (start <= run.start && end >= run.end) return run.glyphs;
  const from = Math.max(start, run.start);
  const to = Math.min(end, run.end);
  const { clusterStart, unsafeToBreak } = paragraph;
  const safe = (index: number) =>
    index === run.start || index === run.end || (clusterStart[index] === 1 && unsafeToBreak[index] === 0);
  if (safe(from) && safe(to)) return run.glyphs.filter(({ cluster }) => cluster >= from && cluster < to);
  return shapeRun(paragraph.text, { ...run, start: from, end: to }, ligatures).glyphs;
}

interface Piece {
  start: number;
  end: number;
  level: number;
  script: string | undefined;
  face: Face;
}

function shapeRun(text: string, piece: Piece, ligatures: boolean): Run {
  const { start, end, level, script, face } = piece;
  const glyphs = face.shape(text, start, end, { rightToLeft: (level & 1) === 1, script, ligatures });
  return { start, end, level, script, face, glyphs };
}

/** Cuts the text where the bidi level, the script or the face changes; tabs stand alone. Clusters are never cut. */
function itemize(text: string, levels: Uint8Array, stack: FontStack, missing: string[], fallen: string[]): Piece[] {
  const pieces: Piece[] = [];
  let last: Piece | undefined;
  for (const { segment: cluster, index } of graphemes.segment(text)) {
    const found = faceFor(stack, cluster);
    if (!found) missing.push(cluster);
    else if (found !== stack.primary) fallen.push(cluster);
    const face = found ?? stack.primary;
    const level = levels[index];
    const script = scriptOf(cluster);
    const end = index + cluster.length;
    const joins =
      last &&
      last.face === face &&
      last.level === level &&
      (script === undefined || last.script === undefined || last.script === script) &&
      cluster !== '\t' &&
      text[last.start] !== '\t';
    if (last && joins) {
      last.end = end;
      last.script ??= script;
    } else {
      // a run of blanks and digits takes the script of the text before it
      last = { start: index, end, level, script: script ?? last?.script, face };
      pieces.push(last);
    }
  }
  return pieces;
}
