// Estimates the widths of labels. Charts are laid out in resolve, before any font is loaded, so that what comes out is plain
// layers. The estimate is from Inter's own advances and from the mean width of each bundled family relative to Inter's. It need
// not be exact: each label is a text with autoFit in a box of the estimated width, so that one that is wider shrinks and
// never reaches another label.
import { parseFamilyList } from '../contract/css/font-family.js';
import { lowercase } from '../unicode/case-mapping.js';

/** Advances of Inter Regular from the space to the tilde, in hundredths of an em, one character each: 0 is `$`. */
const ADVANCES = [
  28, 29, 47, 63, 64, 98, 64, 30, 36, 36, 50, 66, 29, 46, 29, 36, 63, 41, 61, 62, 65, 59, 62, 57, 62, 62, 29, 30, 66,
  66, 66, 51, 97, 69, 65, 73, 72, 60, 59, 75, 74, 27, 57, 67, 57, 90, 75, 76, 64, 76, 64, 64, 65, 74, 69, 99, 68, 68,
  63, 36, 36, 36, 47, 46, 32, 56, 61, 57, 61, 58, 37, 61, 59, 24, 24, 55, 24, 88, 59, 60, 61, 61, 38, 53, 33, 59, 56,
  82, 55, 56, 55, 43, 33, 43, 66,
];

/** Mean widths of families relative to Inter, where they are not within 5 % of it. */
const FAMILIES: ReadonlyMap<string, number> = new Map([
  ['roboto', 0.93],
  ['lato', 0.92],
  ['montserrat', 1.04],
  ['poppins', 1.03],
  ['work sans', 1.03],
  ['oswald', 0.76],
  ['source sans 3', 0.86],
  ['merriweather', 1.01],
  ['playfair display', 0.93],
  ['jetbrains mono', 1.16],
  ['bebas neue', 0.72],
  ['anton', 0.84],
  ['pacifico', 0.9],
  ['lobster', 0.82],
  ['dancing script', 0.78],
]);
/** A family that is not bundled. */
const UNKNOWN_FAMILY = 1.1;
const BUNDLED_FAMILY = 1;
/** Bundled families that are about as wide as Inter. */
const AVERAGE = /^(?:inter|open sans|nunito|dm sans|raleway|source serif 4|lora|noto sans.*)$/;
/** Semibold texts relative to regular ones. */
const BOLD = 1.06;
/** Room for rounding, so that a label in Inter does not shrink. */
const SLACK = 1.03;

/** How wide a family is relative to Inter. */
export function familyWidth(list: string): number {
  const [first] = parseFamilyList(list);
  const name = lowercase(first?.name.trim() ?? '');
  return FAMILIES.get(name) ?? (AVERAGE.test(name) ? BUNDLED_FAMILY : UNKNOWN_FAMILY);
}

/** The width of a text in one line in ems, with some room. */
export function textWidth(text: string, isBold = false): number {
  let sum = 0;
  for (const character of text) sum += advanceOf(character.codePointAt(0)!);
  return (sum / 100) * (isBold ? BOLD : 1) * SLACK;
}

function advanceOf(codePoint: number): number {
  if (codePoint >= 0x20 && codePoint < 0x7f) return ADVANCES[codePoint - 0x20];
  if (isZeroWidth(codePoint)) return 0;
  // Latin letters with marks, Greek, Cyrillic, Hebrew and Arabic
  if (codePoint < 0x900) return 66;
  // Hangul, kana, ideographs, full-width forms, pictographs
  const isWide =
    (codePoint >= 0x1100 && codePoint < 0x1160) ||
    (codePoint >= 0x2e80 && codePoint < 0xa4d0) ||
    (codePoint >= 0xac00 && codePoint < 0xd7a4) ||
    (codePoint >= 0xf900 && codePoint < 0xfb00) ||
    (codePoint >= 0xff00 && codePoint < 0xff61) ||
    codePoint >= 0x1f000;
  return isWide ? 102 : 72;
}

const isZeroWidth = (codePoint: number): boolean =>
  codePoint < 0x20 ||
  (codePoint >= 0x300 && codePoint < 0x370) ||
  (codePoint >= 0x200b && codePoint < 0x2010) ||
  (codePoint >= 0xfe00 && codePoint < 0xfe10);
