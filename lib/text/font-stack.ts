// Font matching: the face of a family for a weight and style, and for each cluster the first face of the stack that has it.
import { DEFAULT_IGNORABLE, EMOJI, PICTOGRAPH } from '../unicode/data.js';
import { hasProperty } from '../unicode/properties.js';
import { conjunctsOf } from './conjuncts.js';
import type { Face, FontSettings } from './face.js';
import { isSharedByScripts } from './script.js';

export interface FontStack {
  /** The text's own face: determines the line boxes, the decoration and the missing-glyph boxes. */
  readonly primary: Face;
  /** Faces of the other families that the text names, in their order; they come before all fallbacks. */
  readonly named?: readonly Face[] | undefined;
  readonly fallbacks: Fallbacks<Face>;
  /** Whether the text is italic: upright faces are then skewed. */
  readonly italic: boolean;
  /** OpenType features of all text. */
  readonly features?: FontSettings | undefined;
}

/** Control characters and separators of lines and paragraphs. */
const CONTROL = /[^ -~\u00a0-\u2027\u202a-\u{10ffff}]/u;

/** Whether the character is never drawn: no face needs to have it. */
function isInvisible(character: string): boolean {
  return hasProperty(character.codePointAt(0)!, DEFAULT_IGNORABLE) || CONTROL.test(character);
}

/** No character below this is an emoji. */
const FIRST_EMOJI = 0x2000;

/** Whether `face` has every visible character of the cluster. */
export function hasCluster(face: Face, cluster: string): boolean {
  // the common case: a single character that the face has
  if (cluster.length === 1 && face.glyph(cluster.charCodeAt(0)) !== 0) return true;
  for (const character of cluster) {
    const codePoint = character.codePointAt(0)!;
    if (face.glyph(codePoint) === 0 && !isInvisible(character)) return false;
  }
  return true;
}

/** Variation selectors for text and emoji presentation (Unicode Technical Standard 51). */
const TEXT_PRESENTATION = '\ufe0e';
const EMOJI_PRESENTATION = '\ufe0f';
const PRESENTATIONS = [TEXT_PRESENTATION, EMOJI_PRESENTATION];

/** Whether the first character of `cluster` has the property. */
const startsWith = (cluster: string, property: number) =>
  cluster !== '' && hasProperty(cluster.codePointAt(0)!, property);

/** Whether the cluster has emoji presentation, by default or by its variation selector. */
export function isEmoji(cluster: string): boolean {
  if (cluster.length === 1 && cluster.charCodeAt(0) < FIRST_EMOJI) return false;
  if (cluster.includes(TEXT_PRESENTATION)) return false;
  return cluster.includes(EMOJI_PRESENTATION) || startsWith(cluster, EMOJI);
}

/** Whether the cluster may be shown as a colour emoji when no text face has it: `❤` as well as `❤\ufe0f`. */
export function isPictograph(cluster: string): boolean {
  return startsWith(cluster, PICTOGRAPH) && !cluster.includes(TEXT_PRESENTATION);
}

/** The fallbacks of each kind, in order of preference. */
export interface Fallbacks<F> {
  readonly text: readonly F[];
  readonly symbols: readonly F[];
  readonly emoji: readonly F[];
}

/**
 * Whether the text's own face shows the cluster, if it has it. Emoji come from the emoji faces, unless the text's own face has
 * colour glyphs.
 */
function canShow(face: Face, cluster: string): boolean {
  return face.hasColor || !isEmoji(cluster);
}

/** Whether the face is that of the cluster if a text names its family. */
export function shows(face: Face, cluster: string): boolean {
  return hasCluster(face, cluster) && canShow(face, cluster);
}

const NO_FACES: readonly Face[] = [];

/** All fallbacks in order of preference for `cluster`. For emoji, the emoji faces come even before the text's own face (`own`). */
export function fallbackOrder<F>(cluster: string, { text, symbols, emoji }: Fallbacks<F>, own: readonly F[] = []): F[] {
  if (isEmoji(cluster)) return [...emoji, ...own, ...text, ...symbols];
  if (isPictograph(cluster)) return [...own, ...text, ...emoji, ...symbols];
  return [...own, ...text, ...symbols, ...emoji];
}

/**
 * The first face that has the whole cluster; undefined when none has. `neighbour` is the fallback of the preceding text: a
 * character shared by several scripts takes the face of the letters beside it.
 */
export function faceFor(stack: FontStack, cluster: string, neighbour?: Face): Face | undefined {
  const { primary, named = NO_FACES, fallbacks } = stack;
  if (shows(primary, cluster)) return primary;
  const own = named.find((face) => shows(face, cluster));
  if (own) return own;
  if (neighbour && isSharedByScripts(cluster) && !isEmoji(cluster) && hasCluster(neighbour, cluster)) return neighbour;
  return fallbackOrder(cluster, fallbacks, [primary, ...named]).find((face) => hasCluster(face, cluster));
}

/** Whether `face` has all of `text` and none of it is an emoji: a fast check that most texts pass. */
function isComplete(face: Face, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < FIRST_EMOJI && face.glyph(unit) !== 0) continue;
    const codePoint = text.codePointAt(i)!;
    const character = String.fromCodePoint(codePoint);
    if (!face.hasColor && (character === EMOJI_PRESENTATION || isEmoji(character))) return false;
    if (face.glyph(codePoint) === 0 && !isInvisible(character)) return false;
    i += character.length - 1;
  }
  return true;
}

/** The distinct clusters and conjuncts of `text` that `face` lacks or that are emoji, without their invisible characters. */
export function missingClusters(face: Face, text: string): string[] {
  if (isComplete(face, text)) return [];
  const missing = new Set<string>();
  for (const segment of conjunctsOf(text)) {
    if (!shows(face, segment)) missing.add(stripInvisible(segment));
  }
  return [...missing];
}

/** Removes invisible characters except presentation selectors, which determine the order of the faces. */
function stripInvisible(cluster: string): string {
  return Array.from(cluster)
    .filter((character) => PRESENTATIONS.includes(character) || !isInvisible(character))
    .join('');
}

/** The code points that a face must have to show the cluster. */
export function visibleCodePoints(cluster: string): number[] {
  return Array.from(cluster)
    .filter((character) => !isInvisible(character))
    .map((character) => character.codePointAt(0)!);
}

interface Candidate {
  /** CSS weight, 1–1000. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
}

/** The closest of `faces` (not empty), by style, then weight: CSS Fonts 4 section 5.2, the steps for style and weight. */
export function matchFace<F extends Candidate>(faces: readonly F[], weight: number, style: F['style']): F {
  const inStyle = faces.filter((face) => face.style === style);
  const candidates = inStyle.length > 0 ? inStyle : faces;
  return candidates.reduce((best, face) =>
    weightRank(face.weight, weight) < weightRank(best.weight, weight) ? face : best,
  );
}

/** The rank of a weight in the specification's search order; lower comes first. */
function weightRank(weight: number, wanted: number): number {
  const LATER = 1000;
  if (weight === wanted) return 0;
  if (wanted >= 400 && wanted <= 500) {
    if (weight > wanted && weight <= 500) return weight - wanted;
    return weight < wanted ? LATER + wanted - weight : 2 * LATER + weight - wanted;
  }
  if (wanted < 400) return weight < wanted ? wanted - weight : LATER + weight - wanted;
  return weight > wanted ? weight - wanted : LATER + wanted - weight;
}
