// A paragraph: the fields of a text layer, and spans for text in other styles than its block's.
import { parseFamilyList } from '../../contract/css/font-family.js';
import type { Box, ElementBox } from '../boxes.js';
import { rounded } from '../css/length.js';
import type { Style } from '../css/style.js';
import { splitTop } from '../css/tokens.js';
import { type StyledText, textPieces } from '../inline.js';
import type { MarkupReport } from '../report.js';
import { backgroundOf, borderFields, radiusFields } from './decoration.js';
import { definedOnly, type LayerFields, shortestFour } from './fields.js';
import { type Four, paddings } from './sizes.js';

/** Families that payloads have another face for. */
const GENERICS: Readonly<Record<string, string>> = {
  serif: "'Playfair Display'",
  'ui-serif': "'Playfair Display'",
  'ui-rounded': 'Inter',
  cursive: 'Inter',
  fantasy: 'Inter',
};

/** A line through or under text that descendants show, too. */
export interface Decoration {
  readonly line: string;
  readonly color: string;
  readonly style: string;
  readonly thickness: number | undefined;
  readonly offset: number | undefined;
  readonly skipsInk: boolean;
  /** Whether the font says where it is. */
  readonly isFromFont: boolean;
}

export interface ParagraphFields {
  readonly fields: LayerFields;
  readonly isEmpty: boolean;
}

/** What text of a block depends on beside its style. */
export interface TextContext {
  readonly report: MarkupReport;
  /** Decorations of the blocks around. */
  readonly decorations: readonly Decoration[];
  readonly language: string | undefined;
}

/** The text of a block in its style. `fill` stands in place of the colour. */
export function paragraphOf(
  boxes: readonly Box[],
  style: Style,
  owner: ElementBox,
  context: TextContext,
  fill?: string,
): ParagraphFields {
  const pieces = textPieces(boxes);
  const block = blockFields(style, owner, context, fill);
  const base = inlineFields(style);
  const [only] = pieces;
  if (pieces.length === 0) return { fields: { text: '', ...block, ...base }, isEmpty: true };
  const spans = spansOf(pieces, base, style, owner, context);
  const isPlain = spans.length === 1 && Object.keys(spans[0]).length === 1 && only !== undefined;
  const content = isPlain ? { text: only.text } : { spans };
  const text = pieces.map((piece) => piece.text).join('');
  const isLeftToRight = style.get('direction') === 'ltr';
  const direction = isLeftToRight && !RIGHT_TO_LEFT.test(text) ? {} : { direction: style.get('direction') };
  return { fields: { ...content, ...base, ...block, ...direction }, isEmpty: false };
}

/** Letters of scripts that are written from right to left, and marks of direction. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08ff\u200f\u202b\u202e\u2067\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Fields of the whole paragraph. */
function blockFields(
  style: Style,
  owner: ElementBox,
  { decorations, language }: TextContext,
  fill: string | undefined,
): LayerFields {
  const align = style.get('textAlign');
  const isLeft = align === 'left' || (align === 'start' && style.get('direction') === 'ltr');
  const lineHeight = style.get('lineHeight');
  const number = style.number('lineHeight');
  const whiteSpace = style.get('whiteSpace');
  const isOneLine = whiteSpace === 'nowrap' || whiteSpace === 'pre' || style.get('textWrap') === 'nowrap';
  const clamp = Number(owner.style.get('WebkitLineClamp'));
  const isClipped = owner.style.get('overflowX') !== 'visible';
  const hyphens = style.get('hyphens') === 'auto' && language !== undefined ? 'auto' : undefined;
  return definedOnly({
    ...(fill !== undefined && { color: fill }),
    textAlign: isLeft ? undefined : align,
    lineHeight: number ?? lineHeight,
    textDecoration: decorationField(decorations),
    ...(isOneLine && { wrap: false }),
    maxLines: Number.isInteger(clamp) && clamp > 0 && isClipped ? clamp : undefined,
    ...(isOneLine && isClipped && owner.style.get('textOverflow') === 'ellipsis' && { textOverflow: 'ellipsis' }),
    textWrap: style.get('textWrap') === 'balance' ? 'balance' : undefined,
    wordBreak: style.get('wordBreak') === 'keep-all' ? 'keep-all' : undefined,
    hyphens,
    language: hyphens && language,
    textIndent: style.pixels('textIndent') || undefined,
    textShadow: textShadowField(style),
  });
}

/** Fields that pieces of text differ in. */
function inlineFields(style: Style): LayerFields {
  const color = colorOf(style);
  const family = familyField(style.get('fontFamily'));
  const weight = Number(style.get('fontWeight'));
  const transform = style.get('textTransform');
  const strokeWidth = style.pixels('WebkitTextStrokeWidth');
  return definedOnly({
    fontFamily: family === 'Inter' ? undefined : family,
    fontSize: style.fontSize === 16 ? undefined : style.fontSize,
    fontWeight: weight === 400 ? undefined : weight,
    fontStyle: style.get('fontStyle') === 'normal' ? undefined : 'italic',
    color: /^(?:#000|#000000|black)$/i.test(color) ? undefined : color,
    letterSpacing: style.pixels('letterSpacing') || undefined,
    wordSpacing: style.pixels('wordSpacing') || undefined,
    textTransform: transform === 'none' ? undefined : transform,
    fontFeatures: featuresField(style),
    fontVariations: tagsOf(style.get('fontVariationSettings')),
    stroke: strokeWidth > 0 ? { width: strokeWidth, color: style.color('WebkitTextStrokeColor') } : undefined,
  });
}

function colorOf(style: Style): string {
  return style.get('WebkitTextFillColor') === 'currentcolor' ? style.get('color') : style.get('WebkitTextFillColor');
}

/** Pieces as spans. An inline box opens with its first piece, or with an empty span where that is in another style. */
function spansOf(
  pieces: readonly StyledText[],
  base: LayerFields,
  block: Style,
  owner: ElementBox,
  context: TextContext,
): LayerFields[] {
  const spans: LayerFields[] = [];
  const boxFields = new Map<ElementBox, LayerFields>();
  const fieldsOf = (box: ElementBox) => {
    const fields = boxFields.get(box) ?? inlineBoxFields(box, context);
    boxFields.set(box, fields);
    return fields;
  };
  let open: readonly ElementBox[] = [];
  for (const piece of pieces) {
    const { style, inside } = piece;
    const boxes = inside.filter((box) => Object.keys(fieldsOf(box)).length > 0);
    let depth = 0;
    while (depth < open.length && open[depth] === boxes[depth]) depth++;
    for (const box of boxes.slice(depth)) {
      const isLast = box === boxes.at(-1) && box.style === style;
      if (isLast) break;
      const opener = { ...piece, text: '', style: box.style, inside: inside.slice(0, inside.indexOf(box) + 1) };
      const fields = spanFields(opener, base, block, owner, context);
      spans.push({ ...withoutInk(fields), ...fieldsOf(box), ...(depth > 0 && { continues: depth }) });
      depth++;
    }
    const own = depth < boxes.length ? fieldsOf(boxes[depth]) : {};
    const fields = spanFields(piece, base, block, owner, context);
    const text = inside.map((box) => clippedText(box, context)).findLast((fill) => fill !== undefined);
    spans.push({ ...fields, ...own, ...text, ...(depth > 0 && { continues: depth }) });
    open = boxes;
  }
  return spans;
}

/** The fields of an empty span that its box depends on. */
function withoutInk({ text, fontFamily, fontSize, fontWeight, fontStyle, baselineShift }: LayerFields): LayerFields {
  return definedOnly({ text, fontFamily, fontSize, fontWeight, fontStyle, baselineShift });
}

/** The fields that a span adds to those of its block. */
function spanFields(
  piece: StyledText,
  base: LayerFields,
  block: Style,
  owner: ElementBox,
  context: TextContext,
): LayerFields {
  const { text, style, inside } = piece;
  const span: LayerFields = { text };
  const { report } = context;
  if (style !== block) {
    const own = inlineFields(style);
    for (const key of new Set([...Object.keys(base), ...Object.keys(own)])) {
      if (JSON.stringify(own[key]) === JSON.stringify(base[key])) continue;
      // features and axes are the layer's alone
      if (key === 'fontFeatures' || key === 'fontVariations' || key === 'wordSpacing') {
        report.warn(inside.at(-1)?.place ?? owner.place, `${key} of a part of a text is not supported`);
      } else span[key] = own[key] ?? INLINE_DEFAULTS[key];
    }
  }
  const decorations = inside.flatMap((box) => decorationsOf(box, context.report));
  const decoration = decorationField(decorations);
  if (decoration !== undefined) span.textDecoration = decoration;
  for (const box of inside) {
    const { href } = box.node.props;
    if (box.node.tag === 'a' && typeof href === 'string' && /^(?:https?:|mailto:|tel:)/i.test(href)) span.href = href;
  }
  return definedOnly({ ...span, baselineShift: shiftField(inside, block) });
}

/** How far inline elements raise their text: each from the baseline of the one around it. */
export function shiftField(inside: readonly ElementBox[], block: Style): unknown {
  const raised = inside.filter(({ style }) => style.get('verticalAlign') !== 'baseline');
  const [first] = raised;
  if (!first) return undefined;
  const parentOf = (box: ElementBox) => inside[inside.indexOf(box) - 1]?.style ?? block;
  const align = first.style.get('verticalAlign');
  const isOfBlock = parentOf(first).fontSize === block.fontSize;
  if (raised.length === 1 && isOfBlock && first.style.length('verticalAlign') === undefined) return align;
  return raised.reduce((sum, box) => rounded(sum + shiftOf(box.style, parentOf(box).fontSize)), 0);
}

/** Pixels up; `size` is the font size of the parent. */
function shiftOf(style: Style, size: number): number {
  const align = style.get('verticalAlign');
  if (align === 'super') return size / 3 + 1;
  if (align === 'sub') return -(size / 5 + 1);
  const { px, percent } = style.length('verticalAlign') ?? { px: 0, percent: 0 };
  const height = style.number('lineHeight');
  return px + (percent * (height === undefined ? style.pixels('lineHeight') : height * style.fontSize)) / 100;
}

/** The fields of a span that has none of its block's. */
const INLINE_DEFAULTS: LayerFields = {
  fontFamily: 'Inter',
  fontSize: 16,
  fontWeight: 400,
  fontStyle: 'normal',
  color: '#000000',
  letterSpacing: 0,
  textTransform: 'none',
};

/** The fields of an inline box; none for an element that only styles its text. */
function inlineBoxFields(box: ElementBox, { report }: TextContext): LayerFields {
  const { style, place } = box;
  const { fields, pictures } = backgroundOf(box, report);
  if (pictures.length > 0) report.warn(place, 'pictures behind inline text are not supported');
  const padding = paddings(box, undefined, report);
  const margin: Four = [0, style.pixels('marginRight'), 0, style.pixels('marginLeft')];
  const extra = [
    ...(style.get('opacity') === '1' ? [] : ['opacity']),
    ...(style.get('boxShadow') === 'none' ? [] : ['box-shadow']),
    ...(style.get('transform') === 'none' ? [] : ['transform']),
  ];
  for (const name of extra) report.warn(place, `${name} of inline text is not supported`);
  const sides = borderFields(box);
  const border = sides.border === undefined ? {} : { border: sides.border };
  for (const side of Object.keys(sides).filter((key) => key !== 'border'))
    report.unsupported(place, side, 'on inline text');
  const isPainted = fields.backgroundColor !== undefined || Object.keys(border).length > 0;
  return {
    ...fields,
    ...(padding.some((side) => side !== 0) && { padding: shortestFour(padding) }),
    ...(margin.some((side) => side !== 0) && { margin: shortestFour(margin) }),
    ...border,
    ...(isPainted && radiusFields(box)),
  };
}

/** The fill of text that shows the background of its element. */
function clippedText(box: ElementBox, { report }: TextContext): LayerFields | undefined {
  const { text } = backgroundOf(box, report);
  return text === undefined ? undefined : { color: text, gradientBox: 'span' };
}

/** The decorations that an element adds. */
export function decorationsOf({ style, place }: ElementBox, report: MarkupReport): Decoration[] {
  const line = style.get('textDecorationLine');
  if (line === 'none') return [];
  if (/overline|blink/.test(line)) report.unsupported(place, 'textDecorationLine', line);
  const lines = splitTop(line, ' ').sort().reverse().join(' ');
  const thickness = style.pixels('textDecorationThickness');
  return [
    {
      line: lines,
      color: style.color('textDecorationColor'),
      style: style.get('textDecorationStyle'),
      thickness: thickness > 0 ? thickness : undefined,
      offset: style.get('textUnderlineOffset') === 'auto' ? undefined : style.pixels('textUnderlineOffset'),
      skipsInk: style.get('textDecorationSkipInk') !== 'none',
      isFromFont: style.get('textDecorationThickness') === 'from-font',
    },
  ];
}

/** One decoration as a field; of several, each line is drawn in the style of the innermost. */
function decorationField(decorations: readonly Decoration[]): unknown {
  const last = decorations.at(-1);
  if (!last) return undefined;
  const lines = ['underline', 'line-through'].filter((name) => decorations.some(({ line }) => line.includes(name)));
  if (lines.length === 0) return undefined;
  return definedOnly({
    line: lines.join(' '),
    color: last.color,
    thickness: last.thickness,
    style: last.style === 'solid' ? undefined : last.style,
    position: last.isFromFont ? undefined : 'auto',
    offset: last.offset,
    skipInk: last.skipsInk && lines.includes('underline') ? 'auto' : undefined,
  });
}

/** The list with the generic families that payloads mean otherwise. */
export function familyField(list: string): string {
  const families = parseFamilyList(list);
  const names = families.map(({ name, isQuoted }) => {
    const generic = isQuoted ? undefined : GENERICS[name.toLowerCase()];
    return generic ?? (/^[a-z][\w -]*$/i.test(name) ? name : `'${name}'`);
  });
  return names.join(', ');
}

const NUMERIC: Readonly<Record<string, string>> = {
  'tabular-nums': 'tnum',
  'lining-nums': 'lnum',
  'oldstyle-nums': 'onum',
  'proportional-nums': 'pnum',
  'slashed-zero': 'zero',
};

function featuresField(style: Style): Record<string, number> | undefined {
  const numeric = NUMERIC[style.get('fontVariantNumeric')];
  const caps = style.get('fontVariantCaps');
  const features = {
    ...(numeric !== undefined && { [numeric]: 1 }),
    ...(caps !== 'normal' && { smcp: 1 }),
    ...(caps === 'all-small-caps' && { c2sc: 1 }),
    ...(style.get('fontKerning') === 'none' && { kern: 0 }),
    ...tagsOf(style.get('fontFeatureSettings')),
  };
  return Object.keys(features).length > 0 ? features : undefined;
}

/** Tags with their values: `"tnum" 1, "ss01"`. */
function tagsOf(value: string): Record<string, number> | undefined {
  if (value === 'normal') return undefined;
  const entries = splitTop(value, ',').flatMap((part): [string, number][] => {
    const match = /^["'](.{4})["']\s*(on|off|-?[\d.]+)?$/.exec(part);
    if (!match) return [];
    const setting = match[2] ?? 'on';
    return [[match[1], setting === 'on' ? 1 : setting === 'off' ? 0 : Number(setting)]];
  });
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

function textShadowField(style: Style): unknown {
  const value = style.inPixels('textShadow');
  if (value === 'none') return undefined;
  const shadows = splitTop(value, ',').map((text) => {
    const words = splitTop(text, ' ');
    const lengths = words.filter((word) => /^[+-]?[\d.]+(?:px)?$/i.test(word)).map(Number.parseFloat);
    const color = words.find((word) => !/^[+-]?[\d.]+(?:px)?$/i.test(word)) ?? style.get('color');
    const [offsetX = 0, offsetY = 0, blur = 0] = lengths;
    return definedOnly({
      offsetX: offsetX || undefined,
      offsetY: offsetY || undefined,
      blur: blur || undefined,
      color: color.toLowerCase() === 'currentcolor' ? style.get('color') : color,
    });
  });
  return shadows.length === 1 ? shadows[0] : shadows;
}
