// Text layers.
import * as z from 'zod';
import type { Detail } from '../../errors.js';
import { background } from '../css/background.js';
import { backgroundLayers } from '../css/background-layers.js';
import { fill } from '../css/fill.js';
import { pathData } from '../css/path-data.js';
import { lazily } from '../json/lazily.js';
import { issue, joinPath } from '../messages/issues.js';
import { renameHint } from '../messages/synonyms.js';
import { choiceHint, expectedChoice, numberHint, weightHint } from '../messages/value-hints.js';
import { choice, expecting, flag, number, record, text } from '../schema/fields.js';
import { HYPHENATION_LANGUAGES, hyphenationPatterns } from './hyphenation-languages.js';
import { boxLengths } from './layout/box-lengths.js';
import type { Placed } from './layout/extents.js';
import { MAX_SPANS } from './limits.js';
import {
  border,
  borderSides,
  href,
  MAX_COORDINATE,
  MAX_DETAIL_SIZE,
  radii,
  role,
  shared,
  sides,
  stroke,
} from './shared.js';

/** Maximum length of a layer's text, in characters. */
export const MAX_TEXT = 1_000_000;

const WEIGHTS = ['normal', 'bold', '100', '200', '300', '400', '500', '600', '700', '800', '900'] as const;

/** CSS weight 1–1000. The contract writes it as text; numbers and weights that are not multiples of 100 are also accepted. */
const EXPECTED_WEIGHT = '"normal", "bold", or a whole number from 1 to 1000 such as "400"';
const weight = expecting(EXPECTED_WEIGHT, weightHint);
const fontWeight = z
  .union(
    [
      z.enum(WEIGHTS, weight),
      z.number(weight).int(weight).min(1, weight).max(1000, weight),
      z.string().regex(/^(?:[1-9]\d{0,2}|1000)$/, weight),
    ],
    weight,
  )
  .transform((weightValue) => (weightValue === 'normal' ? 400 : weightValue === 'bold' ? 700 : Number(weightValue)));

const transform = () => choice(['none', 'uppercase', 'lowercase', 'capitalize']);
const fontSize = () => number({ min: 0, max: MAX_DETAIL_SIZE });
const letterSpacing = () => number({ min: -MAX_DETAIL_SIZE, max: MAX_DETAIL_SIZE });
const SHIFTS = ['super', 'sub', 'text-top', 'text-bottom', 'middle', 'top', 'bottom'] as const;
const EXPECTED_SHIFT = `"super", "sub", "text-top", "text-bottom", "middle", "top", "bottom", or a number from -${MAX_DETAIL_SIZE} to ${MAX_DETAIL_SIZE}`;

const DECORATION_LINES = ['none', 'underline', 'line-through', 'underline line-through'] as const;

const styledDecoration = record(() => ({
  line: choice(DECORATION_LINES),
  color: fill.optional().describe('the color of the text without it'),
  thickness: number({ min: 0, max: MAX_DETAIL_SIZE })
    .optional()
    .describe("pixels, rounded, at least 1; that of the font's own lines without it"),
  style: choice(['solid', 'double', 'dotted', 'dashed', 'wavy']).default('solid'),
  position: choice(['from-font', 'auto'])
    .optional()
    .describe(
      "where and how thick the lines are: from-font, as the font says, or auto, as browsers draw CSS's initial values; from-font",
    ),
  offset: number({ min: -MAX_DETAIL_SIZE, max: MAX_DETAIL_SIZE })
    .optional()
    .describe('pixels from the baseline down to an underline, with position auto'),
  skipInk: choice(['none', 'auto'])
    .optional()
    .describe('auto: an underline leaves room around letters that cross it, as CSS text-decoration-skip-ink; none'),
}));

/** Text decorations: the names of lines, or an object that also has their style. */
const textDecoration = z.union(
  [choice(DECORATION_LINES), styledDecoration],
  expecting(expectedChoice(DECORATION_LINES), (input) => {
    const found = choiceHint(input, DECORATION_LINES);
    return { ...found, text: `${found?.text ?? ''}, or an object such as {"line": "underline", "style": "wavy"}` };
  }),
);

export type TextDecoration = z.output<typeof textDecoration>;
export type StyledDecoration = z.output<typeof styledDecoration>;

/** The layer's fields that a span may override. */
const spanStyle = lazily(() => ({
  color: fill.optional().describe('of the glyphs'),
  backgroundColor: background
    .optional()
    .describe(
      'painted behind the span, as high as its font: one fill, or an array of up to 8 of which the first is on top',
    ),
  gradientBox: choice(['layer', 'span'])
    .optional()
    .describe("where the span's gradients lie: in the layer's box, or along the span from line to line; layer"),
  fontFamily: text()
    .optional()
    .describe('a family, or a CSS list of families: the first that has a character draws it'),
  customFontUrl: text().optional().describe('URL of a font file used instead'),
  fontSize: fontSize().optional().describe('pixels'),
  fontWeight: fontWeight.optional().describe('a name, or a CSS weight from 1 to 1000'),
  fontStyle: choice(['normal', 'italic']).optional(),
  letterSpacing: letterSpacing().optional().describe('pixels after every character'),
  textTransform: transform().optional(),
  textDecoration: textDecoration.optional().describe("beside the layer's"),
  stroke: stroke.optional().describe('an outline of the glyphs, beneath their fill'),
  baselineShift: z
    .union([z.enum(SHIFTS), z.number().min(-MAX_DETAIL_SIZE).max(MAX_DETAIL_SIZE)], { error: EXPECTED_SHIFT })
    .optional()
    .describe(
      'raises the span, as CSS vertical-align: super, sub, pixels up, or to a height of the text (text-top, text-bottom, middle) or of the line (top, bottom)',
    ),
  padding: sides()
    .optional()
    .describe(
      "pixels around the span in an inline box of its own: one length, an array of 1 to 4, or text such as '2px 6px'; those above and below take no room",
    ),
  margin: boxLengths({ least: -MAX_COORDINATE })
    .optional()
    .describe("pixels before and after the span's box, as padding"),
  border: border.optional().describe("a line around the span's box; at the ends of its first and last line only"),
  borderRadius: radii().optional().describe("pixels: rounds the span's box, at the ends of its first and last line"),
}));

/** The most inline boxes around a span that go on from the one before it. */
const MAX_INLINE_DEPTH = 16;

const spans = z
  .array(
    record(() => ({
      text: text(MAX_TEXT),
      ...spanStyle(),
      continues: number({ min: 0, max: MAX_INLINE_DEPTH, whole: true })
        .optional()
        .describe('how many of the boxes around the span before, from the outermost, go on around this one; 0'),
      href: href(),
    })),
    { error: 'an array of spans' },
  )
  .min(1, { error: 'an array of 1 span at least' })
  .max(MAX_SPANS, { error: `an array of at most ${MAX_SPANS} spans` });

const EXPECTED_HEIGHT = expecting(
  `a number from 0 to 1000, text such as "48px" up to "${MAX_DETAIL_SIZE}px", or "normal"`,
  (input) => {
    // a percentage of the font size is a multiple of it
    const multiple = typeof input === 'string' && input.endsWith('%') ? Number.parseFloat(input) / 100 : input;
    return numberHint(typeof multiple === 'number' ? String(multiple) : multiple, { min: 0, max: 1000 });
  },
);
const lineHeight = z.union(
  [
    z.literal('normal'),
    z.number(EXPECTED_HEIGHT).min(0, EXPECTED_HEIGHT).max(1000, EXPECTED_HEIGHT),
    z.string(EXPECTED_HEIGHT).regex(/^(?:\d{1,4}(?:\.\d{1,6})?|10000)px$/, EXPECTED_HEIGHT),
  ],
  EXPECTED_HEIGHT,
);

/** Values by four-character tags of OpenType. */
function tagged<Value extends z.ZodType<number, number>>(value: Value, max: number) {
  const expected = { error: `an object of up to ${max} tags of four characters, such as "tnum"` };
  return z
    .record(z.string(expected).regex(/^[ -~]{4}$/, expected), value, expected)
    .refine((list) => Object.keys(list).length <= max, expected);
}

const MAX_FEATURES = 32;
const MAX_AXES = 16;
/** Larger numbers than those of the axes of any font. */
const MAX_AXIS = 100_000;

const spanFields = record(spanStyle);

const markupStyles = record(() => ({
  strong: spanFields.optional().describe('of **strong** text; else bold'),
  em: spanFields.optional().describe('of _emphasized_ text; else italic'),
  del: spanFields.optional().describe('of ~~deleted~~ text; else line-through'),
  mark: spanFields.optional().describe('of ==marked== text; else on a background of #fff3a3'),
}));

export const textLayer = record(() => ({
  type: z.literal('text'),
  ...shared(),
  role: role(),
  text: text(MAX_TEXT).default('').describe('newlines break lines; needed unless there are spans'),
  spans: spans
    .optional()
    .describe('instead of text: pieces of text that each may have a style of their own, in the order of reading'),
  markup: flag().default(false).describe('**strong**, _em_, ~~del~~ and ==mark== style parts of the text'),
  markupStyles: markupStyles.optional().describe('the fields of a span for each marker, in place of its own style'),
  fontFamily: text()
    .default('Inter')
    .describe('a family, or a CSS list of families: the first that has a character draws it'),
  customFontUrl: text().optional().describe('URL of a TTF, OTF, WOFF or WOFF2 file used instead'),
  fontSize: fontSize().default(16).describe('pixels'),
  minFontSize: number({ above: 0, max: MAX_DETAIL_SIZE }).default(8).describe('pixels: where autoFit stops shrinking'),
  maxFontSize: number({ above: 0, max: MAX_DETAIL_SIZE })
    .optional()
    .describe('pixels: autoFit starts here instead of at fontSize, so that short text grows'),
  fontWeight: fontWeight.prefault('normal').describe('a name, or a CSS weight from 1 to 1000, as a number or as text'),
  fontStyle: choice(['normal', 'italic']).default('normal'),
  fontFeatures: tagged(number({ min: 0, max: 65_535, whole: true }), MAX_FEATURES)
    .optional()
    .describe('OpenType features by tag, such as { "tnum": 1 }; 0 turns one off'),
  fontVariations: tagged(number({ min: -MAX_AXIS, max: MAX_AXIS }), MAX_AXES)
    .optional()
    .describe('axes of a variable font by tag, such as { "wght": 450 }, in place of what fontWeight and fontStyle set'),
  color: fill.prefault('#000000'),
  textAlign: choice(['left', 'center', 'right', 'start', 'end', 'justify'])
    .default('left')
    .describe('start and end follow the direction; justify widens the blanks of all lines but the last'),
  direction: choice(['auto', 'ltr', 'rtl'])
    .default('auto')
    .describe('that of each paragraph; auto: that of its first letter that has one'),
  verticalAlign: choice(['top', 'middle', 'bottom']).default('top'),
  lineHeight: lineHeight
    .default(1.2)
    .describe('a multiple of the font size, pixels as text such as "48px", or normal: what the fonts say'),
  letterSpacing: letterSpacing().default(0).describe('pixels after every character'),
  maxLines: number({ min: 1, whole: true }).optional().describe('further lines are cut, and the last ends in …'),
  textOverflow: choice(['clip', 'ellipsis'])
    .optional()
    .describe('ellipsis: lines that are wider than the box end in …, as those do that wrap is false for; clip'),
  wrap: flag().default(true).describe('breaks lines at the width of the box'),
  textWrap: choice(['wrap', 'balance'])
    .default('wrap')
    .describe('balance: lines of about the same width, up to 10 in a paragraph'),
  wordBreak: choice(['normal', 'keep-all'])
    .default('normal')
    .describe('keep-all: lines of Korean, Chinese and Japanese break only at blanks and punctuation'),
  hyphens: choice(['manual', 'auto'])
    .default('manual')
    .describe('manual: words break at soft hyphens; auto: also where the language hyphenates them'),
  language: text()
    .optional()
    .describe(
      'that of the text, for hyphens "auto" and for readers of PDF: a BCP 47 tag such as "en", "de" or "fr-CA"',
    ),
  hangingIndent: number({ min: 0, max: MAX_DETAIL_SIZE })
    .default(0)
    .describe('pixels that all lines of a paragraph but its first are indented by, as in lists'),
  autoFit: flag()
    .default(false)
    .describe('shrinks fontSize (or maxFontSize), down to minFontSize, until the text fits the box'),
  textTransform: transform().default('none'),
  textDecoration: textDecoration
    .default('none')
    .describe('names of lines, or an object with their color, thickness and style'),
  stroke: stroke.optional().describe('an outline of the glyphs, beneath their fill'),
  backgroundColor: background
    .optional()
    .describe(
      'a CSS colour or gradient, painted in the box behind the text; or an array of up to 8 of which the first is on top',
    ),
  backgroundFit: choice(['box', 'text', 'line'])
    .default('box')
    .describe(
      "what backgroundColor and border are around: the layer's box, the block of lines, or each line by itself",
    ),
  ...backgroundLayers(),
  border: border.optional().describe('a line inside the box, behind the text'),
  ...borderSides(),
  borderRadius: radii()
    .prefault(0)
    .describe('pixels: rounds the box; one radius, an array of 1 to 4, or text such as "8px 16px"'),
  padding: sides()
    .prefault(0)
    .describe(
      'pixels between the box and the area of the text: one length, an array of 1 to 4, or text such as "8px 16px"',
    ),
  textPath: pathData
    .optional()
    .describe("SVG path data in the layer's box: the text goes along it in one line, from its start, middle or end"),
}));

export type TextLayer = Placed<z.output<typeof textLayer>>;
export type Span = z.output<typeof spans>[number];
/** The style of a span without its text. */
export type SpanFields = z.output<typeof spanFields>;

/** The issue of a text layer as given that has neither text nor spans. */
export function missingTextIssues(raw: Readonly<Record<string, unknown>>, path: string): Detail[] {
  const { text: wholeText, spans: own } = raw;
  const isAbsent = (value: unknown) => value === undefined || value === null;
  return isAbsent(wholeText) && isAbsent(own)
    ? [issue(joinPath(path, 'text'), wholeText, 'a string', renameHint(raw, 'text'))]
    : [];
}

/** The issue of a text that is to be hyphenated in a language without patterns, or in none. */
export function hyphenationIssues({ hyphens, language }: TextLayer, path: string): Detail[] {
  if (hyphens !== 'auto' || (language !== undefined && hyphenationPatterns(language))) return [];
  const expected = `a language that can be hyphenated: ${HYPHENATION_LANGUAGES.join(', ')}`;
  return [issue(joinPath(path, 'language'), language, expected)];
}

/** The issues of spans that have too much text together. */
export function spansIssues({ spans: own = [] }: TextLayer, path: string): Detail[] {
  const length = own.reduce((sum, each) => sum + each.text.length, 0);
  if (length <= MAX_TEXT) return [];
  const expected = `at most ${MAX_TEXT}`;
  const message = `have ${length} characters, expected ${expected}`;
  return [{ code: 'limit_exceeded', path: joinPath(path, 'spans'), message, value: length, expected }];
}
