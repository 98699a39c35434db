// The faces that a text is set in: its own, then the fallbacks, in the order in which they are asked.
import type { Face } from './face.js';
import { isSharedByScripts } from './script.js';
import { conjunctsOf } from './segmentation.js';

export interface FontStack {
  /** The text's own face: gives the line boxes, the decoration and the boxes for what no face has. */
  readonly primary: Face;
  readonly fallbacks: Fallbacks<Face>;
  /** Whether italics are asked for: upright faces are then set aslant. */
  readonly italic: boolean;
}

/** Characters that are never drawn, so that no face needs to have them. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Zl}\p{Zp}]$/u;

/** Below this no character is an emoji. */
const FIRST_EMOJI = 0x2000;

/** Whether `face` has every visible character of the cluster. */
export function hasCluster(face: Face, cluster: string): boolean {
  // one letter that the face has, as most clusters are, needs no look at its kind
  if (cluster.length === 1 && face.glyph(cluster.charCodeAt(0)) !== 0) return true;
  for (const character of cluster) {
    const codePoint = character.codePointAt(0)!;
    if (face.glyph(codePoint) === 0 && !INVISIBLE.test(character)) return false;
  }
  return true;
}

/** Selectors of Unicode Technical Standard 51 that ask for the plain or the coloured form. */
const TEXT_PRESENTATION = '\ufe0e';
const EMOJI_PRESENTATION = '\ufe0f';
const PRESENTATIONS = [TEXT_PRESENTATION, EMOJI_PRESENTATION];

/** Whether the cluster is to be shown as a colour emoji: by its own nature or by its selector. */
export function isEmoji(cluster: string): boolean {
  if (cluster.length === 1 && cluster.charCodeAt(0) < FIRST_EMOJI) return false;
  if (cluster.includes(TEXT_PRESENTATION)) return false;
  return cluster.includes(EMOJI_PRESENTATION) || /^\p{Emoji_Presentation}/u.test(cluster);
}

/** Whether the cluster may be shown as a colour emoji where no text face has it: `❤` as well as `❤\ufe0f`. */
export function isPictograph(cluster: string): boolean {
  return /^\p{Extended_Pictographic}/u.test(cluster) && !cluster.includes(TEXT_PRESENTATION);
}

/** Fallbacks of each kind, in the order in which they are asked. */
export interface Fallbacks<F> {
  readonly text: readonly F[];
  readonly symbols: readonly F[];
  readonly emoji: readonly F[];
}

/** All of them in the order in which `cluster` asks them. Emoji proper come before even the text's own face (`own`). */
export function fallbackOrder<F>(cluster: string, { text, symbols, emoji }: Fallbacks<F>, own: readonly F[] = []): F[] {
  if (isEmoji(cluster)) return [...emoji, ...own, ...text, ...symbols];
  if (isPictograph(cluster)) return [...own, ...text, ...emoji, ...symbols];
  return [...own, ...text, ...symbols, ...emoji];
}

/**
 * The first face that has the whole cluster; undefined when none has. `neighbour` is the fallback of the text before it:
 * a sign that scripts share looks as the letters beside it.
 */
export function faceFor({ primary, fallbacks }: FontStack, cluster: string, neighbour?: Face): Face | undefined {
  if (hasCluster(primary, cluster) && !isEmoji(cluster)) return primary;
  if (neighbour && isSharedByScripts(cluster) && !isEmoji(cluster) && hasCluster(neighbour, cluster)) return neighbour;
  return fallbackOrder(cluster, fallbacks, [primary]).find((face) => hasCluster(face, cluster));
}

/** Whether `face` has all of `text`, and none of it is an emoji: so with most texts, and seen unit by unit. */
function isComplete(face: Face, text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < FIRST_EMOJI && face.glyph(unit) !== 0) continue;
    const codePoint = text.codePointAt(i)!;
    const character = String.fromCodePoint(codePoint);
    if (character === EMOJI_PRESENTATION || isEmoji(character)) return false;
    if (face.glyph(codePoint) === 0 && !INVISIBLE.test(character)) return false;
    i += character.length - 1;
  }
  return true;
}

/** The distinct clusters and conjuncts of `text` that `face` lacks or that are emoji, each without its invisible characters. */
export function missingClusters(face: Face, text: string): string[] {
  if (isComplete(face, text)) return [];
  const missing = new Set<string>();
  for (const segment of conjunctsOf(text)) {
    if (isEmoji(segment) || !hasCluster(face, segment)) missing.add(visible(segment));
  }
  return [...missing];
}

/** The cluster without what is never drawn; its presentation selectors stay, as the order of the faces depends on them. */
function visible(cluster: string): string {
  return Array.from(cluster)
    .filter((character) => PRESENTATIONS.includes(character) || !INVISIBLE.test(character))
    .join('');
}

/** The code points of a cluster that a face must have to show it. */
export function visibleCodePoints(cluster: string): number[] {
  return Array.from(cluster)
    .filter((character) => !INVISIBLE.test(character))
    .map((character) => character.codePointAt(0)!);
}
