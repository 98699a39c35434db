// Numbers, amounts, percentages, short numbers and quantities in a locale.
import { type Decimal, decimalOf, figuresOf, rounded, shifted } from './decimal.js';
import type { LocaleData } from './locale-data.js';
import { type PluralTexts, pluralForm, textOf } from './plural.js';

/** Decimals of a number that names none. */
const MAX_DECIMALS = 3;
/** Figures of the smallest number that has a short form. */
const FIRST_COMPACT_LENGTH = 4;
const NO_BREAK_SPACE = '\u00a0';

/** What stands before and behind the figures. */
interface Affixes {
  readonly prefix: string;
  readonly suffix: string;
}

const FIGURES = /[#0,.]+/;

/** The affixes of a pattern such as `¤#,##0.00` for positive or negative numbers. */
function affixesOf(pattern: string, isNegative: boolean): Affixes {
  const [positive, negative = `-${positive}`] = pattern.split(';');
  const text = isNegative ? negative : positive;
  const figures = FIGURES.exec(text);
  if (figures === null) return { prefix: '', suffix: text };
  return { prefix: text.slice(0, figures.index), suffix: text.slice(figures.index + figures[0].length) };
}

/** Signs of currencies, and spaces: a number follows them without a space, unlike letters. */
const CURRENCY_SIGN =
  /[$\u00a0\u00a2-\u00a5\u058f\u060b\u09f2\u09f3\u09fb\u0af1\u0bf9\u0e3f\u17db\u20a0-\u20cf\u202f\ufdfc\uff04\uffe0\uffe1\uffe5\uffe6]/;

interface Writing {
  /** The pattern with the affixes; the locale's pattern of numbers says how figures are grouped. */
  readonly pattern?: string;
  /** Decimals at least. */
  readonly minimum?: number | undefined;
  readonly currency?: string;
  /** Figures before the first separator, at least; the locale says how many. */
  readonly minimumGrouping?: number;
}

export class NumberFormat {
  readonly #data: LocaleData;
  readonly #digits: readonly string[];

  /** `digits`: the ten digits of the locale. */
  constructor(data: LocaleData, digits: string) {
    this.#data = data;
    this.#digits = [...digits];
  }

  /** A number with `decimals` decimals, or with at most three. */
  number(value: number, decimals?: number): string {
    const decimal = rounded(decimalOf(value), decimals ?? MAX_DECIMALS);
    return this.#write(decimal, { minimum: decimals });
  }

  percent(value: number, decimals = 0): string {
    const decimal = rounded(shifted(decimalOf(value), 2), decimals);
    return this.#write(decimal, { pattern: this.#data.numbers.percentPattern, minimum: decimals });
  }

  /** An amount of the currency of a code of three letters, with `decimals` decimals. */
  currency(value: number, code: string, decimals: number): string {
    const { numbers, currencies } = this.#data;
    const currency = Object.hasOwn(currencies, code) ? currencies[code] : code;
    const decimal = rounded(decimalOf(value), decimals);
    return this.#write(decimal, { pattern: numbers.currencyPattern, minimum: decimals, currency });
  }

  /** A short number, such as 1.2K: a whole number, with a decimal where it has one figure. */
  compact(value: number): string {
    const decimal = decimalOf(value);
    const short = this.#shortened(decimal, decimal.point);
    // 999,999 is 1M, not 1000K
    const hasCarried = short.decimal.point > decimal.point - short.exponent;
    const { decimal: shown, texts } = hasCarried ? this.#shortened(decimal, decimal.point + 1) : short;
    return this.#write(shown, {
      pattern: textOf(texts, pluralForm(this.#data.plurals, figuresOf(shown))),
      minimumGrouping: Math.max(2, this.#data.numbers.minimumGrouping),
    });
  }

  /** A number of `length` figures before the point, divided by the power of ten that its short form has a text for. */
  #shortened(decimal: Decimal, length: number): { decimal: Decimal; exponent: number; texts: PluralTexts } {
    const { compact } = this.#data.numbers;
    const step = Math.min(length - FIRST_COMPACT_LENGTH, compact.length - 1);
    const texts = compact[step] ?? '0';
    const pattern = textOf(texts, 'other');
    const figures = /0+/.exec(pattern)?.[0].length ?? 0;
    // a pattern without text leaves the number as it is
    const exponent = pattern === '0' ? 0 : step + FIRST_COMPACT_LENGTH - figures;
    const divided = shifted(decimal, -exponent);
    return { decimal: rounded(divided, Math.max(0, 2 - divided.point)), exponent, texts };
  }

  /** A quantity of a unit or of a unit per another, such as `kilometer` and `gram-per-liter`; undefined for an unknown one. */
  unit(value: number, unit: string): string | undefined {
    const decimal = rounded(decimalOf(value), MAX_DECIMALS);
    if (unit === 'percent') return this.#write(decimal, { pattern: this.#data.numbers.percentPattern });
    const { units, plurals, per } = this.#data;
    const form = pluralForm(plurals, figuresOf(decimal));
    const [name, divisor] = Object.hasOwn(units, unit) ? [unit] : unit.split(/-per-(.*)/s);
    if (!Object.hasOwn(units, name) || (divisor !== undefined && !Object.hasOwn(units, divisor))) return undefined;
    const quantity = textOf(units[name].forms, form).replace('{0}', () => this.#write(decimal, {}));
    if (divisor === undefined) return quantity;
    const one = textOf(units[divisor].forms, 'one').replace('{0}', '').trim();
    return (units[divisor].per ?? per).replace(/\{[01]\}/g, (slot) => (slot === '{0}' ? quantity : one));
  }

  /** A whole number of a date, with at least `length` digits and no groups. */
  digits(value: number, length = 1): string {
    return this.localized(String(value).padStart(length, '0'));
  }

  /** The plural form of a number as `number(value)` writes it. */
  plural(value: number): string {
    return pluralForm(this.#data.plurals, figuresOf(rounded(decimalOf(value), MAX_DECIMALS)));
  }

  /** A text with the digits of the locale. */
  localized(text: string): string {
    return text.replace(/\d/g, (digit) => this.#digits[Number(digit)]);
  }

  #write(decimal: Decimal, { pattern, minimum = 0, currency = '', minimumGrouping }: Writing): string {
    const { numbers } = this.#data;
    const isAmount = currency !== '';
    const { integer, fraction } = figuresOf(decimal, minimum);
    const groups = {
      pattern: pattern?.includes('#') ? pattern : numbers.pattern,
      separator: isAmount ? numbers.currencyGroup : numbers.group,
    };
    const whole = grouped(integer, minimumGrouping ?? numbers.minimumGrouping, groups);
    const point = isAmount ? numbers.currencyDecimal : numbers.decimal;
    const number = this.localized(whole) + (fraction === '' ? '' : point + this.localized(fraction));
    const { prefix, suffix } = affixesOf(pattern ?? numbers.pattern, decimal.isNegative);
    const signs: Readonly<Record<string, string>> = { '-': numbers.minus, '%': numbers.percent, '¤': currency };
    const written = (affix: string) =>
      affix.replace(/'([^']*)'|[-%¤]/g, (sign, quoted?: string) => quoted ?? signs[sign]);
    const before = prefix.endsWith('¤') && !CURRENCY_SIGN.test(currency.slice(-1)) ? NO_BREAK_SPACE : '';
    const behind = suffix.startsWith('¤') && !CURRENCY_SIGN.test(currency[0]) ? NO_BREAK_SPACE : '';
    return written(prefix) + before + number + behind + written(suffix);
  }
}

interface Groups {
  readonly pattern: string;
  readonly separator: string;
}

/** Separates the figures of a whole number into groups, as long as those of the pattern. */
function grouped(integer: string, minimum: number, { pattern, separator }: Groups): string {
  const lengths = (FIGURES.exec(pattern)?.[0].split('.')[0] ?? '')
    .split(',')
    .slice(1)
    .map((each) => each.length);
  const primary = lengths.at(-1) ?? 0;
  const secondary = lengths.at(-2) ?? primary;
  if (primary === 0 || integer.length < primary + minimum) return integer;
  const parts = [integer.slice(-primary)];
  for (let end = integer.length - primary; end > 0; end -= secondary) {
    parts.unshift(integer.slice(Math.max(0, end - secondary), end));
  }
  return parts.join(separator);
}
