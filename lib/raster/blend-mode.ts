// The blend modes of CSS (Compositing and Blending 1, sections 10 and 9.1.4) on premultiplied pixels, in gamma space.
import { div255 } from './blend.js';
import type { Pixmap } from './pixmap.js';
import { PER_PIXEL, type Spans } from './spans.js';

export const BLEND_MODES = [
  'normal',
  'multiply',
  'screen',
  'overlay',
  'darken',
  'lighten',
  'color-dodge',
  'color-burn',
  'hard-light',
  'soft-light',
  'difference',
  'exclusion',
  'hue',
  'saturation',
  'color',
  'luminosity',
  'plus-lighter',
] as const;

export type BlendMode = (typeof BLEND_MODES)[number];

/**
 * The blend function of a mode for one channel, times both alphas: premultiplied source and backdrop, then their alphas,
 * 0–255 each. The result is 0 to 65,025.
 */
type Channel = (source: number, backdrop: number, sourceAlpha: number, backdropAlpha: number) => number;

const hardLight: Channel = (s, d, sa, da) => (2 * s <= sa ? 2 * s * d : sa * da - 2 * (da - d) * (sa - s));

const SEPARABLE = new Map<BlendMode, Channel>([
  ['multiply', (s, d) => s * d],
  ['screen', (s, d, sa, da) => s * da + d * sa - s * d],
  ['overlay', (s, d, sa, da) => hardLight(d, s, da, sa)],
  ['darken', (s, d, sa, da) => Math.min(s * da, d * sa)],
  ['lighten', (s, d, sa, da) => Math.max(s * da, d * sa)],
  ['color-dodge', (s, d, sa, da) => (d === 0 ? 0 : s >= sa ? sa * da : sa * Math.min(da, (d * sa) / (sa - s)))],
  ['color-burn', (s, d, sa, da) => (d >= da ? sa * da : s === 0 ? 0 : sa * (da - Math.min(da, ((da - d) * sa) / s)))],
  ['hard-light', hardLight],
  ['soft-light', softLight],
  ['difference', (s, d, sa, da) => Math.abs(s * da - d * sa)],
  ['exclusion', (s, d, sa, da) => s * da + d * sa - 2 * s * d],
  ['plus-lighter', (s, d, sa, da) => s * da + d * sa],
]);

function softLight(s: number, d: number, sa: number, da: number): number {
  if (da === 0) return 0;
  const source = s / sa;
  const backdrop = d / da;
  if (2 * source <= 1) return sa * da * (backdrop - (1 - 2 * source) * backdrop * (1 - backdrop));
  const curve = backdrop <= 0.25 ? ((16 * backdrop - 12) * backdrop + 4) * backdrop : Math.sqrt(backdrop);
  return sa * da * (backdrop + (2 * source - 1) * (curve - backdrop));
}

/** The blended colour of `blendHue`: r, g and b, each times both alphas. */
const mixed = new Float64Array(3);

function luminosity(r: number, g: number, b: number): number {
  return 0.3 * r + 0.59 * g + 0.11 * b;
}

/** Blends a pixel in a mode that mixes the channels (section 10.2) into `mixed`. Arguments as those of `Channel`. */
function blendHue(
  mode: BlendMode,
  sr: number,
  sg: number,
  sb: number,
  sa: number,
  dr: number,
  dg: number,
  db: number,
  da: number,
): void {
  let light: number;
  if (mode === 'luminosity') {
    mixed[0] = dr * sa;
    mixed[1] = dg * sa;
    mixed[2] = db * sa;
    light = luminosity(sr, sg, sb) * da;
  } else {
    light = luminosity(dr, dg, db) * sa;
    if (mode === 'saturation') {
      mixed[0] = dr * sa;
      mixed[1] = dg * sa;
      mixed[2] = db * sa;
      setSaturation((Math.max(sr, sg, sb) - Math.min(sr, sg, sb)) * da);
    } else {
      mixed[0] = sr * da;
      mixed[1] = sg * da;
      mixed[2] = sb * da;
      if (mode === 'hue') setSaturation((Math.max(dr, dg, db) - Math.min(dr, dg, db)) * sa);
    }
  }
  setLuminosity(light, sa * da);
}

/** Scales `mixed` so that its least channel is 0 and its largest `saturation`. */
function setSaturation(saturation: number): void {
  const least = Math.min(mixed[0], mixed[1], mixed[2]);
  const range = Math.max(mixed[0], mixed[1], mixed[2]) - least;
  const scale = range > 0 ? saturation / range : 0;
  for (let i = 0; i < 3; i++) mixed[i] = (mixed[i] - least) * scale;
}

/** Shifts `mixed` to the luminosity `light` and reduces its saturation until every channel is from 0 to `alpha`. */
function setLuminosity(light: number, alpha: number): void {
  const shift = light - luminosity(mixed[0], mixed[1], mixed[2]);
  for (let i = 0; i < 3; i++) mixed[i] += shift;
  const least = Math.min(mixed[0], mixed[1], mixed[2]);
  if (least < 0) for (let i = 0; i < 3; i++) mixed[i] = light + ((mixed[i] - light) * light) / (light - least);
  const most = Math.max(mixed[0], mixed[1], mixed[2]);
  if (most > alpha) {
    for (let i = 0; i < 3; i++) mixed[i] = light + ((mixed[i] - light) * (alpha - light)) / (most - light);
  }
}

/** Does what `compositeRun` of blend.ts does, in a blend mode other than normal. */
export function blendRun(
  target: Pixmap,
  rowStart: number,
  source: Pixmap,
  from: number,
  spans: Spans,
  i: number,
  opacity: number,
  mode: BlendMode,
): void {
  const { words, data } = target;
  const pixels = source.words;
  const bytes = source.data;
  const perPixel = spans.cover[i] === PER_PIXEL;
  const constant = spans.cover[i];
  const end = spans.end[i];
  const channel = SEPARABLE.get(mode);
  const isSum = mode === 'plus-lighter';
  // reuse the last result while source, backdrop and coverage repeat
  let lastSource = 0;
  let backdrop = 0;
  let lastCover = -1;
  let result = 0;
  for (let x = spans.start[i]; x < end; x++) {
    const cover = perPixel ? spans.alpha[x] : constant;
    const word = pixels[from + x];
    // a premultiplied pixel without alpha is 0, and changes the backdrop in no mode
    if (cover === 0 || word === 0) continue;
    const to = rowStart + x;
    if (word === lastSource && words[to] === backdrop && cover === lastCover) {
      words[to] = result;
      continue;
    }
    lastSource = word;
    backdrop = words[to];
    lastCover = cover;
    const weight = opacity === 255 ? cover : div255(opacity * cover);
    const s = (from + x) * 4;
    const d = to * 4;
    const sa = div255(bytes[s + 3] * weight);
    const da = data[d + 3];
    if (sa > 0) {
      const sr = div255(bytes[s] * weight);
      const sg = div255(bytes[s + 1] * weight);
      const sb = div255(bytes[s + 2] * weight);
      const dr = data[d];
      const dg = data[d + 1];
      const db = data[d + 2];
      if (channel) {
        mixed[0] = channel(sr, dr, sa, da);
        mixed[1] = channel(sg, dg, sa, da);
        mixed[2] = channel(sb, db, sa, da);
      } else blendHue(mode, sr, sg, sb, sa, dr, dg, db, da);
      const sourceRest = 255 - da;
      const rest = 255 - sa;
      // storing rounds and clamps
      data[d] = (sr * sourceRest + dr * rest + mixed[0]) / 255;
      data[d + 1] = (sg * sourceRest + dg * rest + mixed[1]) / 255;
      data[d + 2] = (sb * sourceRest + db * rest + mixed[2]) / 255;
      data[d + 3] = isSum ? sa + da : sa + da - div255(sa * da);
    }
    result = words[to];
  }
}
