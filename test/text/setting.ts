// Helpers for text and layout tests: bundled faces, a plain style, lines as strings.
import { loadManifest } from '../../lib/fonts/bundled.js';
import { createFontRegistry } from '../../lib/fonts/registry.js';
import type { PlacedGlyph } from '../../lib/layout/line.js';
import { LineMeasurer, tabOf } from '../../lib/layout/measure.js';
import { type Paragraph, shapeParagraph } from '../../lib/layout/paragraph.js';
import {
  layoutText,
  type PositionedLine,
  plainText,
  type TextLayout,
  type TextStyle,
} from '../../lib/layout/text-box.js';
import { type LineRange, wrapParagraph } from '../../lib/layout/wrap.js';
import type { FontStack } from '../../lib/text/font-stack.js';

const typefaces = createFontRegistry();

/** Monospaced: every character is 0.6 em wide. */
export const MONO = 'JetBrains Mono';

export async function stackOf(text: string, fontFamily = 'Inter', fontWeight = 400): Promise<FontStack> {
  const request = { fontFamily, fontWeight, fontStyle: 'normal' } as const;
  const { stack } = await typefaces.resolveStack(request, text, async () => new Uint8Array());
  return stack;
}

export function faceOf(family: string, weight = 400) {
  const face = loadManifest().faces.find((one) => one.family === family && one.weight === weight);
  if (!face) throw new Error(`no face ${family} ${weight}`);
  return face;
}

export const PLAIN: TextStyle = {
  fontSize: 10,
  minFontSize: 8,
  autoFit: false,
  lineHeight: 1.2,
  letterSpacing: 0,
  textWrap: 'wrap',
  direction: 'auto',
  wrap: true,
  textAlign: 'left',
  verticalAlign: 'top',
};

export function lay(
  text: string,
  stack: FontStack,
  style: Partial<TextStyle> = {},
  box: { width: number; height: number } = { width: 120, height: 100 },
): TextLayout {
  const whole = { ...PLAIN, ...style };
  return layoutText(plainText(text, stack, whole), stack, whole, box);
}

/** The line's glyphs, from left to right. */
export function glyphsOf({ fragments }: PositionedLine): PlacedGlyph[] {
  return fragments.flatMap(({ glyphs }) => glyphs);
}

/** A paragraph in one font. */
export function shape(text: string, stack: FontStack, letterSpacing = 0, direction?: number): Paragraph {
  return shapeParagraph(text, [{ end: text.length, font: { stack, letterSpacing } }], direction);
}

export interface Wrapped {
  readonly paragraph: Paragraph;
  readonly ruler: LineMeasurer;
  readonly lines: readonly LineRange[];
  /** Each line's text. */
  readonly texts: readonly string[];
}

/** One paragraph, wrapped to a width. */
export function wrap(text: string, stack: FontStack, width: number, size = 10, letterSpacing = 0): Wrapped {
  const paragraph = shape(text, stack, letterSpacing);
  const font = { stack, size, letterSpacing };
  const ruler = new LineMeasurer(paragraph, [font], tabOf(font));
  const lines = wrapParagraph(ruler, { available: width, last: width, indent: 0 });
  return { paragraph, ruler, lines, texts: lines.map(({ start, end }) => text.slice(start, end)) };
}
