// qrcode layer → why scanners may fail on it, if they may: small modules, little contrast, a thin quiet zone.
import type { QrcodeLayer } from '../contract/layers.js';
import type { FieldIssue } from '../contract/parse-layers.js';
import { BLACK, type Color, WHITE } from '../raster/color.js';

/** Pixels of a module's side: below it, one pixel that a screen or a JPEG blurs is a module lost. */
const MIN_MODULE = 2;
/** WCAG 2 contrast ratio. */
const MIN_CONTRAST = 3;
/** Modules on each side (ISO/IEC 18004 section 5.3.8). */
const MIN_QUIET_ZONE = 4;

/** What is doubtful about a code of `size` × `size` modules. */
export function scannabilityWarnings(layer: QrcodeLayer, size: number): FieldIssue[] {
  const warnings: FieldIssue[] = [];
  const { width, height, margin } = layer;
  const module = Math.min(width, height) / (size + 2 * margin);
  if (module < MIN_MODULE) {
    const message = `a module of the QR code is ${oneDecimal(module)} pixels wide, expected at least ${MIN_MODULE}: make the box larger or the data shorter`;
    warnings.push({ field: 'data', message });
  }
  const doubt = contrastDoubt(layer);
  if (doubt !== undefined) warnings.push({ field: 'colorDark', message: doubt });
  if (margin < MIN_QUIET_ZONE) {
    const message = `the quiet zone is ${margin} modules wide, expected at least ${MIN_QUIET_ZONE}: scanners may not find the code`;
    warnings.push({ field: 'margin', message });
  }
  return warnings;
}

/**
 * Where colours are translucent, what lies behind decides, and it may be a picture. So there is a doubt only if neither a
 * white nor a black ground would do.
 */
function contrastDoubt({ colorDark, colorLight, opacity }: QrcodeLayer): string | undefined {
  let best = 1;
  let inverted = false;
  for (const ground of [WHITE, BLACK]) {
    const light = over(colorLight, ground);
    const luminances = [light, over(colorDark, light)].map((color) =>
      luminance(over({ ...color, a: opacity }, ground)),
    );
    const [lighter, darker] = [Math.max(...luminances), Math.min(...luminances)];
    const ratio = (lighter + 0.05) / (darker + 0.05);
    best = Math.max(best, ratio);
    if (ratio < MIN_CONTRAST) continue;
    if (luminances[0] > luminances[1]) return undefined;
    inverted = true;
  }
  if (inverted) return 'colorDark is lighter than colorLight: many scanners read dark modules on a light ground only';
  return `the contrast of colorDark and colorLight is ${oneDecimal(best)}:1, expected at least ${MIN_CONTRAST}:1`;
}

/** `top` on an opaque ground. */
function over(top: Color, ground: Color): Color {
  const mix = (upper: number, lower: number) => upper * top.a + lower * (1 - top.a);
  return { r: mix(top.r, ground.r), g: mix(top.g, ground.g), b: mix(top.b, ground.b), a: 1 };
}

/** Relative luminance (WCAG 2). */
function luminance({ r, g, b }: Color): number {
  const [red, green, blue] = [r, g, b].map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Rounded down, so that what is below a bound never reads as the bound. */
function oneDecimal(value: number): string {
  return (Math.floor(value * 10) / 10).toFixed(1);
}
