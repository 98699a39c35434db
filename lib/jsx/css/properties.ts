// The CSS properties that become fields of a payload: which of their values, and whether they are inherited. docs/jsx.md
// lists this table.

export interface Property {
  readonly initial: string;
  readonly isInherited?: boolean;
  /** The words that are supported; others are values of another form, such as lengths, where `takesMore`. */
  readonly words: readonly string[];
  readonly takesMore?: boolean;
  /** The values in the words of the docs, beside `words`. */
  readonly values: string;
  readonly area: Area;
}

export type Area =
  | 'display'
  | 'box'
  | 'flex'
  | 'position'
  | 'background'
  | 'border'
  | 'effects'
  | 'transform'
  | 'text'
  | 'images'
  | 'lists'
  | 'tables';

type Row = readonly [names: string, area: Area, initial: string, words: string, values?: string];

const LENGTH = 'lengths';
const PERCENT = 'lengths, percentages';
const COLOR = 'colours';
const ALIGNED = 'stretch flex-start start self-start center flex-end end self-end baseline';

/** Names that share a row are set apart by blanks; `*` marks inherited ones. */
const ROWS: readonly Row[] = [
  [
    'display',
    'display',
    '',
    'flex inline-flex grid inline-grid block inline inline-block contents none flow-root -webkit-box list-item table inline-table table-row-group table-header-group table-footer-group table-row table-cell table-caption table-column table-column-group',
  ],
  ['visibility*', 'display', 'visible', 'visible hidden'],
  ['boxSizing', 'box', 'content-box', 'content-box border-box'],
  ['width height', 'box', 'auto', 'auto fit-content max-content', PERCENT],
  ['minWidth minHeight', 'box', 'auto', 'auto', PERCENT],
  ['maxWidth maxHeight', 'box', 'none', 'none', PERCENT],
  ['aspectRatio', 'box', 'auto', 'auto', 'ratios'],
  ['marginTop marginRight marginBottom marginLeft', 'box', '0', 'auto', PERCENT],
  ['paddingTop paddingRight paddingBottom paddingLeft', 'box', '0', '', PERCENT],
  ['overflowX overflowY', 'box', 'visible', 'visible hidden clip'],
  ['flexDirection', 'flex', 'row', 'row row-reverse column column-reverse'],
  ['flexWrap', 'flex', 'nowrap', 'nowrap wrap'],
  ['flexGrow flexShrink', 'flex', '', '', 'numbers'],
  ['flexBasis', 'flex', 'auto', 'auto content', PERCENT],
  ['order', 'flex', '0', '', 'whole numbers'],
  ['alignItems', 'flex', 'normal', `normal ${ALIGNED}`],
  ['alignSelf', 'flex', 'auto', `auto normal ${ALIGNED}`],
  [
    'justifyContent',
    'flex',
    'normal',
    'normal flex-start start left center flex-end end right space-between space-around space-evenly stretch',
  ],
  [
    'alignContent',
    'flex',
    'normal',
    'normal stretch flex-start start center flex-end end space-between space-around space-evenly',
  ],
  ['rowGap columnGap', 'flex', 'normal', 'normal', LENGTH],
  ['gridTemplateColumns gridTemplateRows', 'flex', 'none', 'none', 'track lists, with names of lines'],
  ['gridTemplateAreas', 'flex', 'none', 'none', 'names of areas'],
  ['gridAutoColumns gridAutoRows', 'flex', 'auto', 'auto', 'track sizes'],
  ['gridAutoFlow', 'flex', 'row', 'row column dense', 'two words'],
  ['gridColumnStart gridColumnEnd gridRowStart gridRowEnd', 'flex', 'auto', 'auto', 'lines, spans, names'],
  ['justifyItems', 'flex', 'normal', `normal left right ${ALIGNED}`],
  ['justifySelf', 'flex', 'auto', `auto normal left right ${ALIGNED}`],
  ['position', 'position', 'static', 'static relative absolute'],
  ['top right bottom left', 'position', 'auto', 'auto', PERCENT],
  ['zIndex', 'position', 'auto', 'auto', 'whole numbers'],
  ['backgroundColor', 'background', 'transparent', 'currentcolor', COLOR],
  ['backgroundImage', 'background', 'none', 'none', 'gradients, `url()`, several layers'],
  ['backgroundClip', 'background', 'border-box', 'border-box padding-box content-box text'],
  ['backgroundOrigin', 'background', 'padding-box', 'border-box padding-box content-box'],
  ['backgroundSize', 'background', 'auto', 'auto cover contain', PERCENT],
  ['backgroundPosition', 'background', '0% 0%', '', 'positions'],
  ['backgroundRepeat', 'background', 'repeat', 'repeat no-repeat repeat-x repeat-y'],
  [
    'borderTopWidth borderRightWidth borderBottomWidth borderLeftWidth',
    'border',
    'medium',
    'thin medium thick',
    LENGTH,
  ],
  [
    'borderTopStyle borderRightStyle borderBottomStyle borderLeftStyle',
    'border',
    'none',
    'none hidden solid dashed dotted double',
  ],
  [
    'borderTopColor borderRightColor borderBottomColor borderLeftColor',
    'border',
    'currentcolor',
    'currentcolor',
    COLOR,
  ],
  [
    'borderTopLeftRadius borderTopRightRadius borderBottomRightRadius borderBottomLeftRadius',
    'border',
    '0',
    '',
    'lengths, percentages',
  ],
  ['outlineWidth', 'border', 'medium', 'thin medium thick', LENGTH],
  ['outlineStyle', 'border', 'none', 'none solid dashed dotted double'],
  ['outlineColor', 'border', 'currentcolor', 'currentcolor', COLOR],
  ['outlineOffset', 'border', '0', '', LENGTH],
  ['boxShadow', 'effects', 'none', 'none', 'up to 8 shadows'],
  ['textShadow*', 'effects', 'none', 'none', 'up to 8 shadows'],
  ['opacity', 'effects', '1', '', 'numbers, percentages'],
  ['filter backdropFilter', 'effects', 'none', 'none', 'lists of functions'],
  [
    'mixBlendMode',
    'effects',
    'normal',
    'normal multiply screen overlay darken lighten color-dodge color-burn hard-light soft-light difference exclusion hue saturation color luminosity plus-lighter',
  ],
  ['maskImage', 'effects', 'none', 'none', 'a gradient or `url()`'],
  ['maskSize', 'effects', 'auto', 'auto cover contain 100% 100%'],
  ['maskRepeat', 'effects', 'repeat', 'repeat no-repeat'],
  ['maskPosition', 'effects', '0% 0%', 'center', 'positions'],
  ['clipPath', 'effects', 'none', 'none', '`inset()`, `circle()`, `ellipse()`, `polygon()`, `path()`'],
  ['transform', 'transform', 'none', 'none', 'lists of 2D functions'],
  ['transformOrigin', 'transform', '50% 50%', '', 'positions'],
  ['rotate', 'transform', 'none', 'none', 'angles'],
  ['scale', 'transform', 'none', 'none', 'one or two numbers'],
  ['translate', 'transform', 'none', 'none', 'one or two lengths, percentages'],
  ['color*', 'text', '#000000', 'currentcolor', COLOR],
  ['fontFamily*', 'text', 'Inter', '', 'lists of families'],
  [
    'fontSize*',
    'text',
    '16px',
    'xx-small x-small small medium large x-large xx-large xxx-large smaller larger',
    PERCENT,
  ],
  ['fontWeight*', 'text', '400', 'normal bold bolder lighter', '1 to 1000'],
  ['fontStyle*', 'text', 'normal', 'normal italic oblique'],
  ['fontFeatureSettings*', 'text', 'normal', 'normal', 'tags'],
  ['fontVariationSettings*', 'text', 'normal', 'normal', 'tags'],
  [
    'fontVariantNumeric*',
    'text',
    'normal',
    'normal tabular-nums lining-nums oldstyle-nums proportional-nums slashed-zero',
  ],
  ['fontVariantCaps*', 'text', 'normal', 'normal small-caps all-small-caps'],
  ['fontKerning*', 'text', 'auto', 'auto normal none'],
  ['lineHeight*', 'text', 'normal', 'normal', 'numbers, lengths, percentages'],
  ['letterSpacing*', 'text', 'normal', 'normal', LENGTH],
  ['wordSpacing*', 'text', 'normal', 'normal', LENGTH],
  ['textAlign*', 'text', 'start', 'start end left right center justify'],
  ['textIndent*', 'text', '0', '', LENGTH],
  ['textTransform*', 'text', 'none', 'none uppercase lowercase capitalize'],
  ['textDecorationLine', 'text', 'none', 'none underline line-through', 'both'],
  ['textDecorationStyle', 'text', 'solid', 'solid double dotted dashed wavy'],
  ['textDecorationColor', 'text', 'currentcolor', 'currentcolor', COLOR],
  ['textDecorationThickness', 'text', 'auto', 'auto from-font', LENGTH],
  ['textUnderlineOffset*', 'text', 'auto', 'auto', LENGTH],
  ['textDecorationSkipInk*', 'text', 'auto', 'auto none all'],
  ['whiteSpace*', 'text', 'normal', 'normal nowrap pre pre-wrap pre-line'],
  ['wordBreak*', 'text', 'normal', 'normal keep-all break-word break-all'],
  ['overflowWrap*', 'text', 'normal', 'normal break-word anywhere'],
  ['hyphens*', 'text', 'manual', 'manual auto none'],
  ['textWrap*', 'text', 'wrap', 'wrap balance nowrap pretty stable'],
  ['textOverflow', 'text', 'clip', 'clip ellipsis'],
  ['WebkitLineClamp', 'text', 'none', 'none', 'whole numbers'],
  ['WebkitBoxOrient', 'text', 'horizontal', 'horizontal vertical'],
  ['WebkitTextStrokeWidth*', 'text', '0', 'thin medium thick', LENGTH],
  ['WebkitTextStrokeColor*', 'text', 'currentcolor', 'currentcolor', COLOR],
  ['WebkitTextFillColor*', 'text', 'currentcolor', 'currentcolor', COLOR],
  [
    'listStyleType*',
    'lists',
    'disc',
    'none disc circle square decimal decimal-leading-zero lower-alpha upper-alpha lower-latin upper-latin lower-roman upper-roman lower-greek',
    'texts',
  ],
  ['listStylePosition*', 'lists', 'outside', 'outside inside'],
  ['listStyleImage*', 'lists', 'none', 'none'],
  ['borderCollapse*', 'tables', 'separate', 'separate collapse'],
  ['borderSpacing*', 'tables', '0', '', LENGTH],
  ['captionSide*', 'tables', 'top', 'top bottom'],
  ['direction*', 'text', 'ltr', 'ltr rtl'],
  ['verticalAlign', 'text', 'baseline', 'baseline super sub text-top text-bottom middle top bottom', PERCENT],
  ['objectFit', 'images', 'fill', 'fill contain cover none scale-down'],
  ['objectPosition', 'images', '50% 50%', '', 'positions'],
];

export const PROPERTIES: ReadonlyMap<string, Property> = new Map(
  ROWS.flatMap(([names, area, initial, words, values = '']) =>
    names.split(' ').map((name): [string, Property] => [
      name.replace('*', ''),
      {
        initial: name === 'flexShrink' ? '1' : name === 'flexGrow' ? '0' : initial,
        isInherited: name.endsWith('*'),
        words: words === '' ? [] : words.split(' '),
        takesMore: values !== '',
        values,
        area,
      },
    ]),
  ),
);

/** Properties without effect on a picture that stands still. They are ignored without a warning. */
export const WITHOUT_EFFECT: ReadonlySet<string> = new Set(
  (
    'cursor pointerEvents userSelect WebkitUserSelect touchAction transition transitionProperty transitionDuration ' +
    'transitionDelay transitionTimingFunction willChange scrollBehavior scrollSnapAlign scrollSnapType caretColor resize ' +
    'outlineOffsetNone WebkitFontSmoothing MozOsxFontSmoothing textRendering fontSynthesis fontSynthesisWeight ' +
    'fontOpticalSizing WebkitTapHighlightColor appearance WebkitAppearance backfaceVisibility imageRendering colorScheme ' +
    'printColorAdjust WebkitPrintColorAdjust accentColor containIntrinsicSize contentVisibility overscrollBehavior ' +
    'textSizeAdjust WebkitTextSizeAdjust animation isolation textUnderlinePosition lineBreak tableLayout emptyCells ' +
    'quotes contain'
  ).split(' '),
);

/** Other names of properties. */
export const ALIASES: ReadonlyMap<string, string> = new Map([
  ['WebkitBackgroundClip', 'backgroundClip'],
  ['WebkitMaskImage', 'maskImage'],
  ['WebkitMaskSize', 'maskSize'],
  ['WebkitMaskRepeat', 'maskRepeat'],
  ['WebkitMaskPosition', 'maskPosition'],
  ['WebkitTransform', 'transform'],
  ['WebkitTransformOrigin', 'transformOrigin'],
  ['WebkitFilter', 'filter'],
  ['WebkitBackdropFilter', 'backdropFilter'],
  ['WebkitBoxShadow', 'boxShadow'],
  ['WebkitClipPath', 'clipPath'],
  ['WebkitHyphens', 'hyphens'],
  ['lineClamp', 'WebkitLineClamp'],
  ['wordWrap', 'overflowWrap'],
  ['gridRowGap', 'rowGap'],
  ['gridColumnGap', 'columnGap'],
  ['textWrapStyle', 'textWrap'],
  ['textWrapMode', 'textWrap'],
  ['insetBlockStart', 'top'],
  ['insetBlockEnd', 'bottom'],
  ['insetInlineStart', 'left'],
  ['insetInlineEnd', 'right'],
  ['marginBlockStart', 'marginTop'],
  ['marginBlockEnd', 'marginBottom'],
  ['marginInlineStart', 'marginLeft'],
  ['marginInlineEnd', 'marginRight'],
  ['paddingBlockStart', 'paddingTop'],
  ['paddingBlockEnd', 'paddingBottom'],
  ['paddingInlineStart', 'paddingLeft'],
  ['paddingInlineEnd', 'paddingRight'],
  ['inlineSize', 'width'],
  ['blockSize', 'height'],
]);
