// The spans of a text layer, with all that the layer's own fields and its markup give them.
import type { Span, SpanFields, TextLayer } from '../../contract/layers/index.js';
import { MAX_SPANS } from '../../contract/layers/limits.js';
import { RenderError } from '../../errors.js';
import { completeFour } from '../../geometry/corners.js';
import type { BaselineShift, TextSpan } from '../../layout/spans.js';
import type { Background } from '../../raster/fill.js';
import type { FontStack } from '../../text/font-stack.js';
import { MARKERS, type Marker, parseMarkup } from '../../text/markup.js';
import { transformText } from '../../text/transform.js';

/** The fields that a span takes from its layer unless it has its own. */
type Inherited = Pick<
  TextLayer,
  | 'fontFamily'
  | 'customFontUrl'
  | 'fontSize'
  | 'fontWeight'
  | 'fontStyle'
  | 'letterSpacing'
  | 'fontFeatures'
  | 'fontVariations'
  | 'textTransform'
  | 'color'
  | 'stroke'
>;

/** A span's text as shown, and its style. */
export interface SpanStyle extends Inherited {
  readonly text: string;
  readonly baselineShift: BaselineShift;
  /** The same for all text whose gradients run on along one span; undefined where they lie in the layer's box. */
  readonly gradientRun?: object | undefined;
  readonly backgroundColor?: Background | undefined;
  /** The same for all text that one span links. */
  readonly link?: SpanLink | undefined;
  /** The inline boxes that it is in, from the outermost; undefined without any. */
  readonly boxes?: readonly InlineBox[] | undefined;
  /** Its decorations beside the layer's. Those of outer styles come first, each in the colour of the text that has it. */
  readonly decorations: readonly Pick<TextLayer, 'textDecoration' | 'color'>[];
  /** The object that names its font, with a dot behind it: `spans[2].`, `markupStyles.em.`; '' for the layer. */
  readonly fontPlace: string;
}

/** A box around a part of the text: each is an object of its own. */
export interface InlineBox {
  readonly padding: readonly number[];
  readonly margin: readonly number[];
  readonly border: TextLayer['border'];
  readonly borderRadius: TextLayer['borderRadius'];
  readonly backgroundColor: Background | undefined;
}

/** The link of a span: each is an object of its own. */
export interface SpanLink {
  readonly href: string;
}

/** Styles of the markers that the layer's `markupStyles` don't override. */
const DEFAULT_STYLES: Readonly<Record<Marker, SpanFields>> = {
  strong: { fontWeight: 700 },
  em: { fontStyle: 'italic' },
  del: { textDecoration: 'line-through' },
  mark: { backgroundColor: { r: 0xff, g: 0xf3, b: 0xa3, a: 1 } },
};

/** The layer's spans, one at least: a plain text is one. Throws RenderError when markup makes too many. */
export function spansOf(layer: TextLayer): SpanStyle[] {
  const styled = layer.markup ? markedSpans(layer) : givenSpans(layer);
  const capitalized = styled.some(({ textTransform }) => textTransform === 'capitalize') && capitalize(styled);
  let end = 0;
  return styled.map((span) => {
    const start = end;
    end += span.text.length;
    if (span.textTransform === 'none') return span;
    const isPart = capitalized !== false && span.textTransform === 'capitalize';
    return { ...span, text: isPart ? capitalized.slice(start, end) : transformText(span.text, span.textTransform) };
  });
}

function givenSpans(layer: TextLayer): SpanStyle[] {
  const { spans } = layer;
  if (!spans) return [layerStyle(layer, layer.text)];
  const base = layerStyle(layer);
  const hasBoxes = spans.some((span) => span.continues !== undefined || isBoxed(span));
  let boxes: readonly InlineBox[] = [];
  return spans.map(({ text, href, continues = 0, ...style }: Span, i) => {
    const link = href === undefined ? undefined : { href };
    const outer = hasBoxes ? { ...base, boxes: boxes.slice(0, continues) } : base;
    const span = nested(outer, style, `spans[${i}].`, (spans[i + 1]?.continues ?? 0) > (outer.boxes?.length ?? 0));
    boxes = span.boxes ?? [];
    return { ...span, text, ...(link && { link }) };
  });
}

/** Whether a span is in an inline box of its own. */
function isBoxed({ padding, margin, border, borderRadius }: SpanFields): boolean {
  return [padding, margin, border, borderRadius].some((field) => field !== undefined);
}

/** Returns the style of each marker: the layer's, or the default. */
export function markerStyles({ markupStyles }: TextLayer): [Marker, SpanFields][] {
  return MARKERS.map((marker) => [marker, markupStyles?.[marker] ?? DEFAULT_STYLES[marker]]);
}

/** The given spans with a span for each stretch in other markers. Markers don't pair across given spans. */
function markedSpans(layer: TextLayer): SpanStyle[] {
  const styles = new Map(markerStyles(layer));
  const marked = givenSpans(layer).flatMap((span) =>
    parseMarkup(span.text).map(({ text, markers }) => {
      const styleIn = (outer: SpanStyle, marker: Marker) =>
        nested(outer, styles.get(marker)!, `markupStyles.${marker}.`);
      return { ...markers.reduce(styleIn, span), text };
    }),
  );
  if (marked.length <= MAX_SPANS) return marked;
  throw new RenderError(
    'render_failed',
    `markup makes ${marked.length} pieces of text in styles of their own, expected at most ${MAX_SPANS}`,
  );
}

/** The style of text that is only the layer's. Not a copy of the whole layer, which takes long. */
export function layerStyle(layer: TextLayer, text = ''): SpanStyle {
  const {
    fontFamily,
    customFontUrl,
    fontSize,
    fontWeight,
    fontStyle,
    letterSpacing,
    textTransform,
    color,
    stroke,
    fontFeatures,
    fontVariations,
  } = layer;
  return {
    text,
    fontFamily,
    customFontUrl,
    fontSize,
    fontWeight,
    fontStyle,
    fontFeatures,
    fontVariations,
    letterSpacing,
    textTransform,
    color,
    stroke,
    baselineShift: 0,
    decorations: [],
    fontPlace: '',
  };
}

/**
 * The style of a span inside one in the style `outer`: the decorations of both show. `isContinued`: whether its box goes on
 * around the span after it.
 */
function nested(
  outer: SpanStyle,
  { textDecoration = 'none', gradientBox, padding, margin, border, borderRadius, ...fields }: SpanFields,
  place: string,
  isContinued = false,
): SpanStyle {
  const hasBox = isContinued || isBoxed({ padding, margin, border, borderRadius });
  if (hasBox || (outer.boxes && fields.backgroundColor)) {
    const { backgroundColor, ...inner } = fields;
    const box: InlineBox = {
      padding: completeFour(padding ?? [0]),
      margin: completeFour(margin ?? [0]),
      border,
      borderRadius: borderRadius ?? [0],
      backgroundColor,
    };
    const boxes = [...(outer.boxes ?? []), box];
    return nested({ ...outer, boxes }, { textDecoration, gradientBox, ...inner }, place);
  }
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  const own = Object.fromEntries(entries) as Partial<SpanStyle>;
  const { color = outer.color, fontFamily, customFontUrl } = own;
  return {
    ...outer,
    // a family of the span's own replaces the outer file
    ...(fontFamily !== undefined && { customFontUrl: undefined }),
    ...own,
    ...(gradientBox !== undefined && { gradientRun: gradientBox === 'span' ? {} : undefined }),
    decorations: textDecoration === 'none' ? outer.decorations : [...outer.decorations, { textDecoration, color }],
    fontPlace: fontFamily === undefined && customFontUrl === undefined ? outer.fontPlace : place,
  };
}

/** The text of all spans with each word's first letter in title case: words may begin in one span and end in another. */
function capitalize(spans: readonly SpanStyle[]): string | false {
  const text = spans.map((span) => span.text).join('');
  const capitalized = transformText(text, 'capitalize');
  return capitalized.length === text.length && capitalized;
}

/** The fonts of a text layer. */
export interface TextStacks {
  readonly block: FontStack;
  /** Font stacks, one for each span. */
  readonly spans: readonly FontStack[];
}

/** The spans for layout. */
export function textSpans(spans: readonly SpanStyle[], stacks: TextStacks): TextSpan[] {
  // the room of boxes that open or close with an empty span is that of the text beside it
  const written = spans.filter(({ text }) => text !== '');
  let next = 0;
  return spans.map(({ text, fontSize, letterSpacing, baselineShift, boxes }, i) => {
    const span = { text, stack: stacks.spans[i], size: fontSize, letterSpacing, baselineShift };
    if (text === '') return span;
    const own = next++;
    return boxes ? { ...span, ...edgesOf(boxes, written[own - 1]?.boxes, written[own + 1]?.boxes) } : span;
  });
}

type Boxes = readonly InlineBox[] | undefined;

/** The room that inline boxes take at the start and at the end of a span. */
function edgesOf(boxes: readonly InlineBox[], last: Boxes, next: Boxes): Pick<TextSpan, 'before' | 'after'> {
  const sum = (others: Boxes, side: 1 | 3) =>
    boxes.reduce((all, box) => all + (others?.includes(box) ? 0 : edgeWidth(box, side) + box.margin[side]), 0);
  return { before: sum(last, 3), after: sum(next, 1) };
}

/** The padding and the border of a side of an inline box, in the order of CSS. */
export function edgeWidth({ padding, border }: InlineBox, side: 0 | 1 | 2 | 3): number {
  return padding[side] + (border?.width ?? 0);
}
