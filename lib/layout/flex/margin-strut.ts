// Margins that collapse: the largest positive one and the most negative one count (CSS 2.2 section 8.3.1).

export interface Strut {
  /** Pixels: at least 0. */
  readonly positive: number;
  /** Pixels: at most 0. */
  readonly negative: number;
}

/** The margins of a box that join those of its neighbours. */
export interface FlowMargins {
  readonly top: Strut;
  readonly bottom: Strut;
  /** Whether nothing parts the two. */
  readonly isThrough: boolean;
}

export const EMPTY_STRUT: Strut = { positive: 0, negative: 0 };

export function strutOf(margin: number): Strut {
  return { positive: Math.max(0, margin), negative: Math.min(0, margin) };
}

export function joinStruts(one: Strut, other: Strut): Strut {
  return { positive: Math.max(one.positive, other.positive), negative: Math.min(one.negative, other.negative) };
}

export function strutSize({ positive, negative }: Strut): number {
  return positive + negative;
}
