// The operators of Porter and Duff (Compositing and Blending 1, section 9.1) on premultiplied pixels.
import { div255 } from './blend.js';
import type { Pixmap } from './pixmap.js';

export type CompositeOperator = keyof typeof FACTORS;

/** The share of the source that remains, and that of the backdrop: 0, 1, the other's alpha, or what that leaves of 1. */
const FACTORS = {
  clear: ['none', 'none'],
  source: ['all', 'none'],
  destination: ['none', 'all'],
  'source-over': ['all', 'outside'],
  'destination-over': ['outside', 'all'],
  'source-in': ['inside', 'none'],
  'destination-in': ['none', 'inside'],
  'source-out': ['outside', 'none'],
  'destination-out': ['none', 'outside'],
  'source-atop': ['inside', 'outside'],
  'destination-atop': ['outside', 'inside'],
  xor: ['outside', 'outside'],
} as const satisfies Record<string, readonly [Factor, Factor]>;

type Factor = 'none' | 'all' | 'inside' | 'outside';

export function isCompositeOperator(mode: string): mode is CompositeOperator {
  return mode in FACTORS;
}

function weightOf(factor: Factor, otherAlpha: number): number {
  if (factor === 'none') return 0;
  if (factor === 'all') return 255;
  return factor === 'inside' ? otherAlpha : 255 - otherAlpha;
}

/** Composites `source` onto `target`, which has its size. */
export function compositePixels(target: Pixmap, source: Pixmap, operator: CompositeOperator): void {
  const [sourceFactor, backdropFactor]: readonly [Factor, Factor] = FACTORS[operator];
  const { data } = target;
  for (let i = 0; i < data.length; i += 4) {
    const sourceWeight = weightOf(sourceFactor, data[i + 3]);
    const backdropWeight = weightOf(backdropFactor, source.data[i + 3]);
    for (let channel = i; channel < i + 4; channel++) {
      data[channel] = div255(source.data[channel] * sourceWeight + data[channel] * backdropWeight);
    }
  }
}
