// The picture in the middle of a QR code. Modules that it touches are left out, so that none shows in part.

import type { QrcodeLayer } from '../../contract/layers/index.js';
import type { FieldIssue } from '../../contract/messages/issues.js';
import type { WarningCode } from '../../detail-codes.js';
import { insetCorners } from '../../geometry/corners.js';
import { expand, type Rect, rectOf } from '../../geometry/rect.js';
import type { PaintTarget } from '../../paint/target.js';
import type { Pixmap } from '../../raster/pixmap.js';
import { halveTowards } from '../../raster/resample.js';
import { type Frame, scalesOf, snapInFrame } from '../frame.js';
import { drawImage } from '../image.js';
import { fillOutline, type Outline, roundedOutline } from '../outline.js';
import type { NaturalSize, PaintedSize, Picture } from '../picture.js';
import type { Modules } from './qr-shapes.js';

export type Logo = NonNullable<QrcodeLayer['logo']>;

/** The part of a code's modules that a logo may hide: somewhat less than what the level restores. */
const MAX_HIDDEN = { L: 0, M: 0, Q: 0.2, H: 0.25 } as const;

/** The problem of a logo on a code of a level that can't spare the modules. */
export function logoIssue({ logo, errorCorrectionLevel: level }: QrcodeLayer): FieldIssue | undefined {
  if (!logo || level === 'Q' || level === 'H') return undefined;
  const message = `received "${level}", expected "Q" or "H": a logo hides a part of the code, which lower levels can't restore`;
  return { code: 'conflicting_values', field: 'errorCorrectionLevel', message };
}

/** The logo's box with its padding, in the middle of a code whose modules without the margin lie in `code`. */
export function logoBox({ size, padding }: Logo, code: Rect): Rect {
  const side = size * (code.right - code.left);
  const left = (code.left + code.right - side) / 2;
  const top = (code.top + code.bottom - side) / 2;
  return expand(rectOf(left, top, side, side), padding);
}

/** The number of modules across the middle of the code that the logo touches. */
export function hiddenModules(box: Rect, code: Rect, size: number): number {
  const unit = (code.right - code.left) / size;
  // a logo that ends between two modules touches only one of them
  const first = Math.floor((box.left - code.left) / unit + 1e-6);
  return Math.max(0, Math.min(size, size - 2 * first));
}

/** The code without that many modules across its middle. */
export function cutOut({ size, dark }: Modules, hidden: number): Modules {
  const from = (size - hidden) / 2;
  const rest = dark.slice();
  for (let row = from; row < from + hidden; row++) rest.fill(0, row * size + from, row * size + from + hidden);
  return { size, dark: rest };
}

/** The warning of a logo that hides too many modules of a code. */
export function logoWarning(
  hidden: number,
  size: number,
  level: QrcodeLayer['errorCorrectionLevel'],
): FieldIssue<WarningCode> | undefined {
  const part = (hidden * hidden) / (size * size);
  if (part <= MAX_HIDDEN[level]) return undefined;
  const message = `the logo hides ${Math.round(100 * part)} % of the code, expected at most ${100 * MAX_HIDDEN[level]} % with level ${level}`;
  return { code: 'code_logo', field: 'logo', message };
}

/** Returns the box of the whole picture: as large as fits inside the padding, with its aspect ratio. */
function pictureBox(logo: Logo, box: Rect, frame: Frame, natural: NaturalSize): Rect {
  const inner = expand(box, -logo.padding);
  const width = inner.right - inner.left;
  const height = inner.bottom - inner.top;
  const scale = Math.min(width / natural.width, height / natural.height);
  const size = natural.noAspectRatio
    ? { width, height }
    : { width: natural.width * scale, height: natural.height * scale };
  const left = inner.left + (width - size.width) / 2;
  const top = inner.top + (height - size.height) / 2;
  return snapInFrame(frame, rectOf(left, top, size.width, size.height));
}

/** The size in canvas pixels at which the picture is painted. */
export function logoSize(logo: Logo, box: Rect, frame: Frame, natural: NaturalSize): PaintedSize {
  const { left, top, right, bottom } = pictureBox(logo, box, frame, natural);
  const scale = scalesOf(frame);
  return { width: scale.x * (right - left), height: scale.y * (bottom - top), exact: natural.noAspectRatio === true };
}

/** Returns a function that draws the picture over its background. */
export function logoPainter(
  logo: Logo,
  box: Rect,
  frame: Frame,
  { pixmap, natural }: Picture,
): (target: PaintTarget) => void {
  const background: Frame = { ...frame, box: snapInFrame(frame, box), unsnapped: box };
  const whole = pictureBox(logo, box, frame, natural);
  const scale = scalesOf(frame);
  const source: Pixmap = halveTowards(
    pixmap,
    scale.x * (whole.right - whole.left),
    scale.y * (whole.bottom - whole.top),
  );
  const inner = { ...background, box: snapInFrame(frame, expand(box, -logo.padding)) };
  const outline = roundedOutline(logo.borderRadius, background.box);
  const innerOutline: Outline =
    outline.kind === 'rounded' ? { kind: 'rounded', corners: insetCorners(outline.corners, logo.padding) } : outline;
  return (target) => {
    if (logo.backgroundColor) fillOutline(target, background, outline, logo.backgroundColor);
    drawImage(target, inner, innerOutline, { source, imageBox: whole, area: whole }, 1);
  };
}
