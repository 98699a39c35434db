// Text that can be selected and copied: the words of a run, each at the place that layout gave it, as far as a browser shapes them
// as we did. Others are outlines, beneath text without ink.
import { type Affine, compose } from '../geometry/affine.js';
import { atan2, hypot } from '../geometry/math.js';
import type { GlyphRun, RunGlyph, RunText } from '../paint/target.js';
import type { Face, ShapeOptions } from '../text/face.js';

/** The greatest distance of a glyph from its place, in ems. */
const TOLERANCE = 0.005;

/** Characters at one place. */
export interface TextPiece {
  /** Their start in the paragraph. */
  readonly start: number;
  readonly text: string;
  readonly face: Face;
  /** The glyphs, which are painted as outlines if the face can't be embedded. */
  readonly glyphs: readonly RunGlyph[];
  /** How a browser shapes it; undefined for text without ink, which is painted otherwise. */
  readonly shaping: ShapeOptions | undefined;
  readonly size: number;
  readonly axes: TextAxes;
  /** The left or, from right to left, the right end of the baseline, along the axes. */
  readonly x: number;
  readonly y: number;
  /** Pixels that text without ink takes. */
  readonly width: number;
  readonly isRightToLeft: boolean;
  readonly letterSpacing: number;
  readonly features: RunText['features'];
}

/** Maps the pixels of text to the document: where its axes point. */
export interface TextAxes {
  readonly map: Affine;
  /** Degrees, if the text is turned and nothing else. */
  readonly angle: number | undefined;
}

/** The glyphs of some characters. */
interface Cluster {
  readonly start: number;
  readonly text: string;
  readonly glyphs: RunGlyph[];
}

export interface LiveRun {
  readonly pieces: readonly TextPiece[];
  /** Glyphs that no text stands for, or none that a browser would paint in the same way. */
  readonly outlined: readonly RunGlyph[];
}

/** The run as pieces of text; with `hasInk` false as text without ink, for a picture of it. */
export function liveRun(run: GlyphRun, toUnits: Affine, hasInk = true): LiveRun {
  const pieces: TextPiece[] = [];
  const outlined: RunGlyph[] = [];
  for (const word of wordsOf(run)) {
    if (word[0].text === '') {
      if (hasInk) outlined.push(...word.flatMap(({ glyphs }) => glyphs));
      continue;
    }
    const isColored = word.some(({ glyphs }) => glyphs.some(({ face, id }) => face.colorPaint(id)));
    if (hasInk && !isColored) {
      const shaped = asShaped(word, run.text, toUnits) ?? clusterwise(word, run.text, toUnits);
      if (shaped) {
        pieces.push(...shaped);
        continue;
      }
      outlined.push(...word.flatMap(({ glyphs }) => glyphs));
    }
    pieces.push(withoutInk(word, toUnits));
  }
  return { pieces, outlined };
}

/** The clusters of a run, and those of a word together: they touch, in one face, along one line, in one direction. */
function wordsOf(run: GlyphRun): Cluster[][] {
  const words: Cluster[][] = [];
  let direction = 0;
  for (const cluster of clustersOf(run)) {
    const word = words.at(-1);
    const previous = word?.at(-1);
    const step = previous ? directionOf(previous, cluster) : 0;
    const isJoined =
      word && previous && step !== 0 && (word.length === 1 || step === direction) && isOneWord(previous, cluster, step);
    if (isJoined) {
      direction = step;
      word.push(cluster);
    } else words.push([cluster]);
  }
  return words;
}

function clustersOf({ glyphs, text }: GlyphRun): Cluster[] {
  const clusters: Cluster[] = [];
  for (const glyph of glyphs()) {
    const last = clusters.at(-1);
    if (last?.start === glyph.cluster && last.glyphs[0].face === glyph.face) last.glyphs.push(glyph);
    else clusters.push({ start: glyph.cluster, text: text.textOf(glyph.cluster), glyphs: [glyph] });
  }
  return clusters;
}

/** 1 if the text goes on from left to right, −1 from right to left, 0 if it doesn't. */
function directionOf(left: Cluster, right: Cluster): number {
  if (left.text === '' || right.text === '') return 0;
  if (left.start + left.text.length === right.start) return 1;
  return right.start + right.text.length === left.start ? -1 : 0;
}

const BLANK = /^\s+$/;

function isOneWord(left: Cluster, right: Cluster, direction: number): boolean {
  const [first, second] = direction > 0 ? [left, right] : [right, left];
  const [p, q] = [left.glyphs[0], right.glyphs[0]];
  const { a, b, c, d } = p.toCanvas;
  const { toCanvas: other } = q;
  const isStraight = other.a === a && other.b === b && other.c === c && other.d === d;
  const isBroken = BLANK.test(first.text) && !BLANK.test(second.text);
  const isColored = (glyph: RunGlyph) => glyph.face.colorPaint(glyph.id) !== undefined;
  return p.face === q.face && isStraight && !isBroken && isColored(p) === isColored(q);
}

const HANGUL = /\p{Script=Hangul}/u;

/** The word as one piece, if shaping it alone gives the glyphs at their places. */
function asShaped(word: readonly Cluster[], text: RunText, toUnits: Affine): TextPiece[] | undefined {
  const directions = word.length === 1 ? [false, true] : [word[0].start > word[1].start];
  for (const isRightToLeft of directions) {
    const piece = shapedPiece(word, text, toUnits, isRightToLeft);
    if (piece) return [piece];
  }
  return undefined;
}

/** Each cluster as a piece. */
function clusterwise(word: readonly Cluster[], text: RunText, toUnits: Affine): TextPiece[] | undefined {
  if (word.length === 1) return undefined;
  const pieces: TextPiece[] = [];
  for (const cluster of word) {
    const piece = asShaped([cluster], text, toUnits);
    if (!piece) return undefined;
    pieces.push(...piece);
  }
  return pieces;
}

function shapedPiece(
  word: readonly Cluster[],
  { features, letterSpacing }: RunText,
  toUnits: Affine,
  isRightToLeft: boolean,
): TextPiece | undefined {
  const base = pieceBase(word, toUnits, isRightToLeft);
  const { face, text, glyphs, size, axes } = base;
  const shaping: ShapeOptions = {
    rightToLeft: isRightToLeft,
    script: undefined,
    ligatures: letterSpacing === 0 && !HANGUL.test(text),
    // the embedded font has no `kern` table
    features: face.table('kern') === undefined ? features : { ...features, kern: 0 },
  };
  const shaped = face.shape(text, 0, text.length, shaping);
  if (shaped.length !== glyphs.length) return undefined;
  let pen = 0;
  let origin: readonly [number, number] | undefined;
  for (const [i, { id, advance, kerning, offsetX, offsetY, cluster }] of shaped.entries()) {
    if (id !== glyphs[i].id) return undefined;
    const [x, y] = placeOf(glyphs[i], toUnits, axes);
    const at = [x - (pen + offsetX) * size, y + offsetY * size] as const;
    origin ??= at;
    if (Math.max(Math.abs(at[0] - origin[0]), Math.abs(at[1] - origin[1])) > TOLERANCE * size) return undefined;
    pen += advance + kerning + (shaped[i + 1]?.cluster === cluster ? 0 : letterSpacing);
  }
  if (!origin) return undefined;
  const width = pen * size;
  const [x, y] = origin;
  const spacing = letterSpacing * size;
  return { ...base, shaping, x: isRightToLeft ? x + width : x, y, width, letterSpacing: spacing, features };
}

/** The word as text whose ink is painted otherwise. */
function withoutInk(word: readonly Cluster[], toUnits: Affine): TextPiece {
  const isRightToLeft = word.length > 1 && word[0].start > word[1].start;
  const base = pieceBase(word, toUnits, isRightToLeft);
  const { glyphs, face, size, axes } = base;
  const [first, last] = [glyphs[0], glyphs[glyphs.length - 1]];
  const [x, y] = placeOf(first, toUnits, axes);
  const width = placeOf(last, toUnits, axes)[0] - x + (face.advance(last.id) * size) / face.unitsPerEm;
  return {
    ...base,
    shaping: undefined,
    x: isRightToLeft ? x + width : x,
    y,
    width,
    letterSpacing: 0,
    features: undefined,
  };
}

function pieceBase(word: readonly Cluster[], toUnits: Affine, isRightToLeft: boolean) {
  const logical = isRightToLeft ? [...word].reverse() : word;
  const glyphs = word.flatMap((cluster) => cluster.glyphs);
  const [{ face, toCanvas }] = glyphs;
  const { a, b, c, d } = compose(toCanvas, toUnits);
  const unit = hypot(a, b) || 1;
  const isTurned = Math.abs(c - b) < 1e-6 * unit && Math.abs(d + a) < 1e-6 * unit;
  const map = { a: a / unit, b: b / unit, c: -c / unit, d: -d / unit, e: 0, f: 0 };
  const angle = isTurned ? (atan2(b, a) * 180) / Math.PI : undefined;
  const text = logical.map((cluster) => cluster.text).join('');
  const size = unit * face.unitsPerEm;
  return { start: logical[0].start, text, face, glyphs, size, axes: { map, angle }, isRightToLeft };
}

/** The place of a glyph's origin along the axes. */
function placeOf({ toCanvas }: RunGlyph, toUnits: Affine, axes: TextAxes): readonly [number, number] {
  const { e, f } = compose(toCanvas, toUnits);
  return alongAxes(axes, e, f);
}

/** The place of a point of the document along the axes. */
export function alongAxes({ map: { a, b, c, d } }: TextAxes, x: number, y: number): readonly [number, number] {
  const determinant = a * d - b * c || 1;
  return [(d * x - c * y) / determinant, (a * y - b * x) / determinant];
}
