// Parses CSS positions: points in a box, by keywords, lengths and percentages.
import type { LengthPercentage, Position } from '../../geometry/length.js';
import { readLength, type Scanner } from './scanner.js';

const KEYWORDS = ['left', 'right', 'top', 'bottom', 'center'] as const;
type Keyword = (typeof KEYWORDS)[number];

/** The expected position of a picture in its box, for messages. */
export const EXPECTED_PICTURE_POSITION =
  'a CSS position such as "top", "20% 80%" or "right 10px bottom 5px", or "smart"';

/** A part of a position: a keyword, perhaps with an offset from that side, or a plain offset. */
interface Part {
  readonly keyword?: Keyword;
  readonly offset?: LengthPercentage;
}

const PERCENT: Readonly<Record<Keyword, number>> = { left: 0, top: 0, center: 50, right: 100, bottom: 100 };
const CENTER: LengthPercentage = { px: 0, percent: 50 };

/**
 * A `<position>` (CSS Values 4, section 10.1): one value, two, or two sides with an offset each. `allowsThree`: also two
 * sides of which one has an offset, as `background-position` takes.
 */
export function readPosition(scanner: Scanner, allowsThree = false): Position | undefined {
  return scanner.attempt(() => {
    const words: (Keyword | LengthPercentage)[] = [];
    while (words.length < 4) {
      const word = scanner.keyword(KEYWORDS) ?? readLength(scanner);
      if (!word) break;
      words.push(word);
    }
    if (words.length < 3)
      return fromTwo(words.map((word) => (typeof word === 'string' ? { keyword: word } : { offset: word })));
    return words.length === 4 || allowsThree ? fromSides(words) : undefined;
  });
}

/** Combines one or two values: horizontal first, unless keywords say otherwise. */
function fromTwo([first, second]: readonly Part[]): Position | undefined {
  if (!first) return undefined;
  const isSwapped = isVertical(first) || (second !== undefined && isHorizontal(second));
  if (!second) return isSwapped ? { x: CENTER, y: lengthOf(first) } : { x: lengthOf(first), y: CENTER };
  if (!isSwapped) return isVertical(first) ? undefined : { x: lengthOf(first), y: lengthOf(second) };
  // only keywords may change places
  const canSwap = first.keyword && second.keyword && !isHorizontal(first) && !isVertical(second);
  return canSwap ? { x: lengthOf(second), y: lengthOf(first) } : undefined;
}

/** Three or four values: sides, each followed by an offset or not. */
function fromSides(words: readonly (Keyword | LengthPercentage)[]): Position | undefined {
  const parts: Part[] = [];
  for (let i = 0; i < words.length; i++) {
    const keyword = words[i];
    if (typeof keyword !== 'string') return undefined;
    const offset = words[i + 1];
    if (offset === undefined || typeof offset === 'string') parts.push({ keyword });
    else {
      if (keyword === 'center') return undefined;
      parts.push({ keyword, offset });
      i++;
    }
  }
  const [first, second] = parts;
  if (parts.length !== 2) return undefined;
  const isSwapped = isVertical(first) || isHorizontal(second);
  const x = isSwapped ? second : first;
  const y = isSwapped ? first : second;
  return isVertical(x) || isHorizontal(y) ? undefined : { x: lengthOf(x), y: lengthOf(y) };
}

function isHorizontal({ keyword }: Part): boolean {
  return keyword === 'left' || keyword === 'right';
}

function isVertical({ keyword }: Part): boolean {
  return keyword === 'top' || keyword === 'bottom';
}

function lengthOf({ keyword, offset }: Part): LengthPercentage {
  if (keyword === undefined) return offset ?? CENTER;
  if (!offset) return { px: 0, percent: PERCENT[keyword] };
  const isFar = PERCENT[keyword] === 100;
  return isFar ? { px: -offset.px, percent: 100 - offset.percent } : offset;
}
