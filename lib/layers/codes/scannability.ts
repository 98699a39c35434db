// Warnings about codes that scanners may fail to read: small modules, low contrast, a narrow quiet zone.
import { SYMBOLOGY_INFO } from '../../barcodes/symbologies.js';
import type { BarcodeLayer, QrcodeLayer } from '../../contract/layers/index.js';
import type { FieldIssue } from '../../contract/messages/issues.js';
import type { WarningCode } from '../../detail-codes.js';
import { pow } from '../../geometry/math.js';
import { BLACK, type Color, WHITE } from '../../raster/color.js';
import { fillColors } from '../../raster/fill.js';

/** The minimum side of a module, in pixels: below it, one pixel blurred by a screen or a JPEG loses a module. */
const MIN_MODULE = 2;
/** The minimum WCAG 2 contrast ratio. */
const MIN_CONTRAST = 3;
/** The minimum margin, in modules (ISO/IEC 18004 section 5.3.8). */
export const MIN_QUIET_ZONE = 4;

/** The warnings for a QR code of `size` × `size` modules, drawn with `scale` canvas pixels per CSS pixel. */
export function scannabilityWarnings(layer: QrcodeLayer, size: number, scale = 1): FieldIssue<WarningCode>[] {
  const { width, height, margin } = layer;
  const module = (scale * Math.min(width, height)) / (size + 2 * margin);
  const warnings = warningsOf(layer, 'QR code', module, margin, MIN_QUIET_ZONE);
  const eyes = layer.eyeColor && contrastWarning({ ...layer, colorDark: layer.eyeColor }, 'eyeColor');
  if (eyes !== undefined) warnings.push({ code: 'code_low_contrast', field: 'eyeColor', message: eyes });
  return warnings;
}

/** The warnings for a barcode with modules of so many pixels; without them, those that need no encoding. */
export function barcodeWarnings(layer: BarcodeLayer, module = Number.POSITIVE_INFINITY): FieldIssue<WarningCode>[] {
  const { left, right } = SYMBOLOGY_INFO[layer.symbology].quietZone;
  const required = Math.max(left, right);
  return warningsOf(layer, 'barcode', module, layer.margin ?? required, required);
}

function warningsOf(
  layer: QrcodeLayer | BarcodeLayer,
  name: string,
  module: number,
  margin: number,
  minMargin: number,
): FieldIssue<WarningCode>[] {
  const warnings: FieldIssue<WarningCode>[] = [];
  if (module < MIN_MODULE) {
    const message = `a module of the ${name} is ${oneDecimal(module)} pixels wide, expected at least ${MIN_MODULE}: make the box larger or the data shorter`;
    warnings.push({ code: 'code_small_modules', field: 'data', message });
  }
  const contrast = contrastWarning(layer);
  if (contrast !== undefined) warnings.push({ code: 'code_low_contrast', field: 'colorDark', message: contrast });
  if (margin < minMargin) {
    const message = `the quiet zone is ${margin} ${margin === 1 ? 'module' : 'modules'} wide, expected at least ${minMargin}: scanners may not find the code`;
    warnings.push({ code: 'code_quiet_zone', field: 'margin', message });
  }
  return warnings;
}

/**
 * Warns about low contrast. The contrast of translucent colours depends on the unknown backdrop, which may be an image, so they
 * count only if the contrast is too low on both a white and a black backdrop.
 */
function pairWarning(colorDark: Color, colorLight: Color, opacity: number, name: string): LowContrast | undefined {
  let best = 1;
  let inverted = false;
  for (const backdrop of [WHITE, BLACK]) {
    const light = over(colorLight, backdrop);
    const luminances = [light, over(colorDark, light)].map((color) =>
      luminance(over({ ...color, a: opacity }, backdrop)),
    );
    const [lighter, darker] = [Math.max(...luminances), Math.min(...luminances)];
    const ratio = (lighter + 0.05) / (darker + 0.05);
    best = Math.max(best, ratio);
    if (ratio < MIN_CONTRAST) continue;
    if (luminances[0] > luminances[1]) return undefined;
    inverted = true;
  }
  const message = inverted
    ? `${name} is lighter than colorLight: many scanners only read dark modules on a light background`
    : `the contrast of ${name} and colorLight is ${oneDecimal(best)}:1, expected at least ${MIN_CONTRAST}:1`;
  return { ratio: best, message };
}

interface LowContrast {
  readonly ratio: number;
  readonly message: string;
}

/** Warns about the gradient's stop with the lowest contrast. */
function contrastWarning(
  { colorDark, colorLight, opacity }: Pick<QrcodeLayer, 'colorDark' | 'colorLight' | 'opacity'>,
  name = 'colorDark',
): string | undefined {
  let worst: LowContrast | undefined;
  for (const dark of fillColors(colorDark)) {
    for (const light of fillColors(colorLight)) {
      const warning = pairWarning(dark, light, opacity, name);
      if (warning && !(worst && worst.ratio <= warning.ratio)) worst = warning;
    }
  }
  return worst?.message;
}

/** `top` composited over an opaque backdrop. */
function over(top: Color, backdrop: Color): Color {
  const mix = (upper: number, lower: number) => upper * top.a + lower * (1 - top.a);
  return { r: mix(top.r, backdrop.r), g: mix(top.g, backdrop.g), b: mix(top.b, backdrop.b), a: 1 };
}

/** Relative luminance (WCAG 2). */
function luminance({ r, g, b }: Color): number {
  const [red, green, blue] = [r, g, b].map((value) => {
    const channel = value / 255;
    return channel <= 0.04045 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4);
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Formats rounded down, so that a value below a limit never reads as the limit. */
function oneDecimal(value: number): string {
  return (Math.floor(value * 10) / 10).toFixed(1);
}
