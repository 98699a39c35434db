// Finds the part of a picture that people look at, without a model: what differs from the picture's mean colour, has detail, or
// has the colour of skin. Works on a small copy, so the time does not depend on the picture beyond shrinking it.
import type { Pixmap } from './pixmap.js';
import { halveTowards, resample } from './resample.js';

/** The longer side of the copy, in pixels. */
const MAX_SIDE = 96;
/** Weights of the features. Detail has the least: leaves and grass have more of it than faces. */
const DISTINCT_WEIGHT = 1;
const DETAIL_WEIGHT = 0.25;
const SKIN_WEIGHT = 1.5;
/** The direction of skin colours in RGB, of length 1, and the distance from it at which nothing counts as skin. */
const SKIN = [0.735, 0.538, 0.413] as const;
const MAX_SKIN_DISTANCE = 0.16;
/** A level of 255: darker colours have no reliable hue. */
const MIN_SKIN_BRIGHTNESS = 60;
/** A later window wins only if it is better by this factor: equal windows leave the nearest to the centre. */
const CLEARLY_BETTER = 1.001;

/** Shares from 0 to 1. */
export interface Share {
  readonly x: number;
  readonly y: number;
}

/**
 * Finds where a window of `window` times the picture's width and height shows the most interesting part. Returns the window's
 * position as a share of the way from the left or top end to the other.
 */
export function findSalientWindow(picture: Pixmap, window: Share): Share {
  const small = shrink(picture);
  const { width, height } = small;
  const scores = scorePixels(small);
  const across = slide(width, window.x);
  const down = slide(height, window.y);
  // the windows' weights are products of one factor per axis, so each axis is summed by itself
  const rows = new Float64Array(across.length * height);
  across.forEach(({ weights }, i) => {
    for (let y = 0; y < height; y++) {
      let sum = 0;
      for (let x = 0; x < width; x++) sum += weights[x] * scores[y * width + x];
      rows[i * height + y] = sum;
    }
  });
  let best = { x: 0.5, y: 0.5 };
  let bestScore = -1;
  across.forEach(({ share: x }, i) => {
    for (const { share: y, weights } of down) {
      let score = 0;
      for (let row = 0; row < height; row++) score += weights[row] * rows[i * height + row];
      if (score <= bestScore * CLEARLY_BETTER) continue;
      bestScore = score;
      best = { x, y };
    }
  });
  return best;
}

interface Window {
  /** Share of the way from one end to the other. */
  readonly share: number;
  /** Weight of each pixel along the axis: highest in the window's middle, 0 outside. */
  readonly weights: Float64Array;
}

/** The windows of this share of `length` pixels, about a pixel apart, those in the middle first. */
function slide(length: number, share: number): Window[] {
  const size = length * Math.min(1, share);
  const room = length - size;
  // an even number, so that one window is in the middle
  const steps = 2 * Math.ceil(room / 2 - 1e-9);
  if (steps === 0) return [{ share: 0.5, weights: weigh(length, 0, length) }];
  return Array.from({ length: steps + 1 }, (_, i) => i / steps)
    .sort((p, q) => Math.abs(p - 0.5) - Math.abs(q - 0.5))
    .map((at) => ({ share: at, weights: weigh(length, at * room, size) }));
}

/** Weighs the pixels along an axis: the middle of a window counts four times as much as its edge. */
function weigh(length: number, from: number, size: number): Float64Array {
  const weights = new Float64Array(length);
  for (let i = 0; i < length; i++) {
    const t = (2 * (i + 0.5 - from)) / size - 1;
    if (t > -1 && t < 1) weights[i] = 1 - 0.75 * t * t;
  }
  return weights;
}

function shrink(picture: Pixmap): Pixmap {
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const width = Math.max(1, Math.round(picture.width * scale));
  const height = Math.max(1, Math.round(picture.height * scale));
  return resample(halveTowards(picture, width, height), width, height, {
    left: 0,
    top: 0,
    right: width,
    bottom: height,
  });
}

/** Scores how interesting each pixel is, from 0, without unit. */
function scorePixels({ data, width, height }: Pixmap): Float64Array {
  const mean = [0, 0, 0];
  let alpha = 0;
  for (let i = 0; i < data.length; i += 4) {
    for (let k = 0; k < 3; k++) mean[k] += data[i + k];
    alpha += data[i + 3];
  }
  const scores = new Float64Array(width * height);
  if (alpha === 0) return scores;
  for (let k = 0; k < 3; k++) mean[k] /= alpha;
  const luma = (x: number, y: number) => {
    const i = 4 * (Math.min(height - 1, Math.max(0, y)) * width + Math.min(width - 1, Math.max(0, x)));
    return 0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2];
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = 4 * (y * width + x);
      const a = data[i + 3];
      // colours are premultiplied, so what is transparent differs from nothing
      const [r, g, b] = [data[i] - mean[0] * a, data[i + 1] - mean[1] * a, data[i + 2] - mean[2] * a];
      const distinct = Math.sqrt(r * r + g * g + b * b);
      const detail = Math.abs(4 * luma(x, y) - luma(x - 1, y) - luma(x + 1, y) - luma(x, y - 1) - luma(x, y + 1));
      const skin = skinLikeness(data[i], data[i + 1], data[i + 2]) * a;
      scores[y * width + x] = DISTINCT_WEIGHT * distinct + DETAIL_WEIGHT * detail + SKIN_WEIGHT * skin;
    }
  }
  return scores;
}

/** Scores from 0 to 1 how much a colour looks like skin. */
function skinLikeness(r: number, g: number, b: number): number {
  const length = Math.sqrt(r * r + g * g + b * b);
  if (length < MIN_SKIN_BRIGHTNESS) return 0;
  const [x, y, z] = [r / length - SKIN[0], g / length - SKIN[1], b / length - SKIN[2]];
  return Math.max(0, 1 - Math.sqrt(x * x + y * y + z * z) / MAX_SKIN_DISTANCE);
}
