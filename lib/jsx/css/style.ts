// The computed style of an element: its declarations, what it inherits, and initial values.
import { parseColor } from '../../contract/css/parse-color.js';
import { asciiLowercase } from '../../unicode/ascii.js';
import type { MarkupReport, Place } from '../report.js';
import { withPlainColors } from './colors.js';
import { camelCase, type Declaration, declarationsOf } from './declarations.js';
import { type CssLength, inPixels, parseLength, parseNumber, rounded, type Units } from './length.js';
import { PROPERTIES, WITHOUT_EFFECT } from './properties.js';
import { splitTop } from './tokens.js';
import { customProperties, withVariables } from './variables.js';

export type StyleObject = Readonly<Record<string, unknown>>;

/** Lengths that are inherited as pixels. */
const INHERITED_LENGTHS = ['letterSpacing', 'wordSpacing', 'textIndent', 'WebkitTextStrokeWidth', 'lineHeight'];

const FONT_SIZES: Readonly<Record<string, number>> = {
  'xx-small': 9,
  'x-small': 10,
  small: 13,
  medium: 16,
  large: 18,
  'x-large': 24,
  'xx-large': 32,
  'xxx-large': 48,
};
const SIZE_STEP = 1.2;

export class Style {
  constructor(
    private readonly own: ReadonlyMap<string, string>,
    readonly units: Units,
    /** Custom properties, which are inherited. */
    readonly custom: ReadonlyMap<string, string>,
    private readonly parent: Style | undefined,
  ) {}

  /** The value: its own, inherited or initial. Words are in lower case. */
  get(property: string): string {
    const value = this.own.get(property);
    if (value !== undefined) return value;
    const { isInherited, initial } = PROPERTIES.get(property)!;
    return isInherited && this.parent ? this.parent.get(property) : initial;
  }

  /** The values that declarations set on this element. */
  get declared(): Iterable<readonly [property: string, value: string]> {
    return this.own;
  }

  /** A copy with other values of some properties. */
  with(values: Readonly<Record<string, string>>): Style {
    return new Style(new Map([...this.own, ...Object.entries(values)]), this.units, this.custom, this.parent);
  }

  /** Whether a declaration set it on this element. */
  has(property: string): boolean {
    return this.own.has(property);
  }

  get fontSize(): number {
    return this.units.fontSize;
  }

  length(property: string): CssLength | undefined {
    return parseLength(this.get(property), this.units);
  }

  /** A length of a part of a value. */
  parse(text: string): CssLength | undefined {
    return parseLength(text, this.units);
  }

  /** Pixels; 0 for words and percentages. */
  pixels(property: string): number {
    const length = this.length(property);
    return length && length.percent === 0 ? rounded(length.px) : 0;
  }

  number(property: string): number | undefined {
    return parseNumber(this.get(property), this.units);
  }

  /** A colour, with `currentcolor` replaced. */
  color(property: string): string {
    const value = this.get(property);
    return value === 'currentcolor' ? this.get('color') : value;
  }

  /** The value with all its lengths in pixels. */
  inPixels(property: string): string {
    return inPixels(this.get(property), this.units);
  }
}

export interface StyleSource {
  readonly parent: Style | undefined;
  readonly canvas: Units['canvas'];
  readonly place: Place;
  readonly report: MarkupReport;
}

/** Computes the style of an element from style objects, of which later ones win. */
export function computeStyle(sources: readonly StyleObject[], { parent, canvas, place, report }: StyleSource): Style {
  const custom = customProperties(sources, parent?.custom);
  const reject = (property: string, value: string) => report.unsupported(place, property, value);
  const declared = sources.flatMap((source) => declarationsOf(withColors(withVariables(source, custom)), reject));
  const rootFontSize = parent?.units.rootFontSize ?? 16;
  const inherited: Units = { fontSize: parent?.fontSize ?? 16, rootFontSize, canvas };
  const values = new Map<string, string>();
  for (const declaration of declared) {
    const value = supportedValue(declaration, parent, inherited, place, report);
    if (value !== undefined) values.set(declaration[0], value);
  }
  const fontSize = rounded(fontSizeOf(values.get('fontSize'), inherited));
  if (values.has('fontSize')) values.set('fontSize', `${fontSize}px`);
  const units: Units = { fontSize, rootFontSize, canvas };
  for (const property of INHERITED_LENGTHS) {
    const value = values.get(property);
    const length = value === undefined || value === 'normal' ? undefined : parseLength(value, units);
    if (length && !(property === 'lineHeight' && parseNumber(value!, units) !== undefined)) {
      values.set(property, `${rounded(length.px + (length.percent * fontSize) / 100)}px`);
    }
  }
  const weight = values.get('fontWeight');
  if (weight !== undefined)
    values.set('fontWeight', String(weightOf(weight, Number(parent?.get('fontWeight') ?? 400))));
  if (values.get('color') === 'currentcolor') values.set('color', parent?.get('color') ?? '#000000');
  return new Style(values, units, custom, parent);
}

function withColors(source: StyleObject): StyleObject {
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name, typeof value === 'string' ? withPlainColors(value) : value]),
  );
}

/** The value in lower case where it is a word; undefined, with a warning, where it is not supported. */
function supportedValue(
  [property, value]: Declaration,
  parent: Style | undefined,
  units: Units,
  place: Place,
  report: MarkupReport,
): string | undefined {
  if (property.startsWith('--') || WITHOUT_EFFECT.has(property)) return undefined;
  const known = PROPERTIES.get(property);
  if (!known) {
    report.unsupported(place, property);
    return undefined;
  }
  const { words, takesMore, isInherited, initial } = known;
  const lower = asciiLowercase(value);
  const isUnset = lower === 'unset' || lower === 'revert';
  if (lower === 'inherit' || (isUnset && isInherited)) return parent?.get(property) ?? initial;
  if (lower === 'initial' || isUnset) return initial;
  if (words.includes(lower)) return lower;
  const isValid = takesMore && isOfForm(value, known.values, units);
  if (isValid) return value;
  // words of display that lay out as block ones do, but for a table
  report.unsupported(place, property, value);
  return undefined;
}

/** Whether a value has the form that the table of properties says in words; forms that others check are taken as they are. */
function isOfForm(value: string, form: string, units: Units): boolean {
  if (form === 'colours') return parseColor(value) !== undefined;
  return form.startsWith('lengths') ? isLengths(value, form, units) : true;
}

function isLengths(value: string, values: string, units: Units): boolean {
  const parts = splitTop(value, ',').flatMap((each) => splitTop(each, ' '));
  return parts.every((part) => {
    const length = parseLength(part, units);
    if (length) return values.includes('percentages') || length.percent === 0;
    return /^(?:auto|cover|contain)$/.test(part);
  });
}

function fontSizeOf(value: string | undefined, inherited: Units): number {
  if (value === undefined) return inherited.fontSize;
  const named = FONT_SIZES[value];
  if (named !== undefined) return named;
  if (value === 'smaller') return inherited.fontSize / SIZE_STEP;
  if (value === 'larger') return inherited.fontSize * SIZE_STEP;
  const length = parseLength(value, inherited);
  return length ? rounded(length.px + (length.percent * inherited.fontSize) / 100) : inherited.fontSize;
}

/** Weights by name, and those relative to the parent's (CSS Fonts 4 section 2.2.1). */
function weightOf(value: string, parent: number): number {
  switch (value) {
    case 'normal':
      return 400;
    case 'bold':
      return 700;
    case 'bolder':
      return parent < 350 ? 400 : parent < 550 ? 700 : Math.max(parent, 900);
    case 'lighter':
      return parent < 550 ? Math.min(parent, 100) : parent < 750 ? 400 : 700;
    default:
      return Number(value);
  }
}

/** The declarations of a `style` attribute that is text. */
export function parseStyleText(text: string): StyleObject {
  const object: Record<string, string> = {};
  let start = 0;
  let depth = 0;
  let quote = '';
  const add = (end: number) => {
    const declaration = text.slice(start, end);
    const colon = declaration.indexOf(':');
    if (colon > 0) object[camelCase(declaration.slice(0, colon).trim())] = declaration.slice(colon + 1).trim();
    start = end + 1;
  };
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ';' && depth <= 0) add(i);
  }
  add(text.length);
  return object;
}
