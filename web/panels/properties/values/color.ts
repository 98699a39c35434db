// Converts colours between text and the picker's hue, saturation and value.
import { parseColor } from '../../../../lib/contract/css/parse-color.js';

export { parseColor };

export interface Rgba {
  /** Red, green and blue are 0–255. */
  readonly r: number;
  readonly g: number;
  readonly b: number;
  /** Alpha is 0–1. */
  readonly a: number;
}

export interface Hsva {
  /** Hue in degrees, 0–360. */
  readonly h: number;
  /** Saturation, value and alpha are 0–1. */
  readonly s: number;
  readonly v: number;
  readonly a: number;
}

/**
 * Converts a colour. Grey has no hue, and black no saturation either: they keep those of `before`, so that a slider doesn't
 * jump.
 */
export function toHsva({ r, g, b, a }: Rgba, before?: Hsva): Hsva {
  const most = Math.max(r, g, b);
  const reach = most - Math.min(r, g, b);
  const v = most / 255;
  if (most === 0) return { h: before?.h ?? 0, s: before?.s ?? 0, v, a };
  const s = reach / most;
  if (reach === 0) return { h: before?.h ?? 0, s, v, a };
  let sector = (r - g) / reach + 4;
  if (most === r) sector = (g - b) / reach;
  else if (most === g) sector = (b - r) / reach + 2;
  return { h: (sector * 60 + 360) % 360, s, v, a };
}

export function toRgba({ h, s, v, a }: Hsva): Rgba {
  const channel = (n: number) => {
    const k = (n + h / 60) % 6;
    return Math.round(255 * (v - v * s * Math.max(0, Math.min(k, 4 - k, 1))));
  };
  return { r: channel(5), g: channel(3), b: channel(1), a };
}

const hex = (value: number): string => Math.round(value).toString(16).padStart(2, '0');

/** Writes a colour: `#ff8800`, or `#ff880080` with alpha. */
export function colorText({ r, g, b, a }: Rgba): string {
  const alpha = a >= 1 ? '' : hex(a * 255);
  return `#${hex(r)}${hex(g)}${hex(b)}${alpha}`;
}

/** Mixes two colours; `share` is the part of the second. */
export function mixed(one: Rgba, other: Rgba, share: number): Rgba {
  const between = (a: number, b: number) => a + (b - a) * share;
  return {
    r: Math.round(between(one.r, other.r)),
    g: Math.round(between(one.g, other.g)),
    b: Math.round(between(one.b, other.b)),
    a: between(one.a, other.a),
  };
}

/** Converts a colour that the renderer takes to CSS for browsers. */
export const cssColor = (text: string): string => {
  const parsed = parseColor(text);
  return parsed ? `rgb(${parsed.r} ${parsed.g} ${parsed.b} / ${parsed.a})` : 'transparent';
};

export const isGradient = (text: string): boolean =>
  /^\s*(?:repeating-)?(?:linear|radial|conic)-gradient\s*\(/i.test(text);
