// Warnings about the layout of a text: missing glyphs, truncation, overflow.

import type { TextLayer } from '../../contract/layers/index.js';
import type { FieldIssue } from '../../contract/messages/issues.js';
import type { WarningCode } from '../../detail-codes.js';
import type { Warning } from '../../errors.js';
import type { TextLayout } from '../../layout/text-box.js';
import { isPictograph, visibleCodePoints } from '../../text/font-stack.js';
import { asciiUppercase } from '../../unicode/ascii.js';
import { MAX_PERIODS } from './decoration.js';
import type { TextStacks } from './spans.js';
import type { PaintedText } from './text.js';

/** The maximum number of clusters listed in one warning, and of emoji sequences with a separate warning. */
const MAX_NAMED = 8;
/** Code points of a cluster shown in a warning: a base character can have any number of marks. */
const MAX_CODE_POINTS = 16;

type Warned = Pick<PaintedText, 'layout' | 'isCut' | 'hasSolidDecorations'>;

/** A warning about the text of a layer. */
type TextWarning = Pick<Warning, 'code' | 'message'>;

export function textWarnings(layer: TextLayer, { layout, isCut, hasSolidDecorations }: Warned): TextWarning[] {
  const warnings: TextWarning[] = [];
  const add = (code: WarningCode, message: string) => warnings.push({ code, message });
  const list = (clusters: readonly string[]) => {
    const distinct = [...new Set(clusters)];
    const quoted = distinct.slice(0, MAX_NAMED).map((cluster) => JSON.stringify(cluster));
    return quoted.join(', ') + (distinct.length > MAX_NAMED ? ` and ${distinct.length - MAX_NAMED} more` : '');
  };
  const missing = layout.missing.filter((cluster) => !isPictograph(cluster));
  if (missing.length > 0) add('missing_glyphs', `no font has ${list(missing)}: boxes are shown instead`);
  warnings.push(...emojiWarnings(layout));
  if (layout.truncated) {
    add('text_truncated', `the text was cut after ${layer.maxLines === 1 ? '1 line' : `${layer.maxLines} lines`}`);
  }
  // the line of a text without letters needs no room
  const isFilled = (layer.spans ?? [layer]).some(({ text }) => text !== '');
  if (layout.unfitted && isFilled) {
    add('text_overflow', `the text does not fit its box: autoFit stops at ${layout.fontSize} px`);
  } else if (layout.overflows && isFilled) add('text_overflow', 'the text overflows its box');
  if (isCut) add('text_overflow', 'what lies beyond the ends of textPath is not drawn');
  if (hasSolidDecorations) {
    const message = `its decorations have over ${MAX_PERIODS} waves, dots and dashes: further lines are solid`;
    add('simplified_decoration', message);
  }
  return warnings;
}

/** Warnings about axes and OpenType features that none of the text's fonts has. */
export function fontSettingWarnings(
  { fontFeatures = {}, fontVariations = {} }: TextLayer,
  { block, spans }: TextStacks,
): FieldIssue<WarningCode>[] {
  const stacks = [block, ...spans];
  const named = stacks.flatMap(({ primary, named: others = [] }) => [primary, ...others]);
  const faces = [...named, ...stacks.flatMap(({ fallbacks }) => fallbacks.text)];
  const axes = Object.keys(fontVariations).filter((tag) => !named.some((face) => face.hasAxis(tag)));
  const features = Object.keys(fontFeatures).filter((tag) => {
    return fontFeatures[tag] > 0 && !faces.some((face) => face.hasFeature(tag));
  });
  const quoted = (tags: readonly string[]) => tags.map((tag) => `"${tag}"`).join(', ');
  const warnings: FieldIssue<WarningCode>[] = [];
  const add = (field: string, kind: string, tags: readonly string[]) => {
    if (tags.length === 0) return;
    const message = `the font has no ${kind} ${quoted(tags)}, which has no effect`;
    warnings.push({ code: 'unsupported_font_setting', field, message });
  };
  add('fontVariations', 'axis', axes);
  add('fontFeatures', 'feature', features);
  return warnings;
}

/** A warning for each emoji that the bundled font lacks, up to MAX_NAMED, and one that counts the others. */
function emojiWarnings({ missing, split }: TextLayout): TextWarning[] {
  const shownAs = new Map<string, { readonly code: WarningCode; readonly drawnAs: string }>();
  for (const { cluster, emoji } of split) shownAs.set(cluster, { code: 'split_emoji', drawnAs: `${emoji} emoji` });
  for (const cluster of missing) {
    if (!isPictograph(cluster)) continue;
    const drawnAs = visibleCodePoints(cluster).length > 1 ? 'boxes' : 'a box';
    shownAs.set(cluster, { code: 'missing_glyphs', drawnAs });
  }
  const warnings = [...shownAs].slice(0, MAX_NAMED).map(([cluster, { code, drawnAs }]): TextWarning => {
    const characters = Array.from(cluster);
    const first = characters.slice(0, MAX_CODE_POINTS);
    const more = characters.length > first.length ? '…' : '';
    const codePoints = first.map(
      (character) => `U+${asciiUppercase(character.codePointAt(0)!.toString(16).padStart(4, '0'))}`,
    );
    const message = `"${first.join('')}${more}" (${codePoints.join(' ')}${more}) is drawn as ${drawnAs}: the bundled emoji font has no glyph for it`;
    return { code, message };
  });
  const others = [...shownAs.values()].slice(MAX_NAMED);
  if (others.length > 0) {
    const code = others.some((each) => each.code === 'missing_glyphs') ? 'missing_glyphs' : 'split_emoji';
    warnings.push({ code, message: `the bundled emoji font has no glyphs for ${others.length} more emoji` });
  }
  return warnings;
}
