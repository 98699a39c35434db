// Writes values as readers of a locale expect them.
import { asciiUppercase } from '../unicode/ascii.js';
import { formatDate } from './date-format.js';
import type { FoundLocale } from './find-locale.js';
import type { DateFields } from './iso-date.js';
import { type LanguageFile, type LocaleData, localeData, type RootFile } from './locale-data.js';
import { NumberFormat } from './number-format.js';
import { textOf } from './plural.js';
import { distanceOf } from './relative.js';
import { isSkeleton, patternFor } from './skeleton.js';

export const DATE_STYLES = ['full', 'long', 'medium', 'short'] as const;
/** Patterns that a formatter remembers. */
const MAX_PATTERNS = 200;

export class LocaleFormatter extends NumberFormat {
  readonly #data: LocaleData;
  readonly #language: string;
  readonly #decimals: Readonly<Record<string, number>>;
  readonly #patterns = new Map<string, string>();

  constructor({ chain, language }: FoundLocale, root: RootFile, file: LanguageFile) {
    const data = localeData(chain, root, file);
    super(data, root.digits[data.numbers.digits]);
    this.#data = data;
    this.#language = language;
    this.#decimals = root.decimals;
  }

  /** An amount with as many decimals as the currency has. `code`: three letters. */
  amount(value: number, code: string): string {
    const name = asciiUppercase(code);
    return this.currency(value, name, Object.hasOwn(this.#decimals, name) ? this.#decimals[name] : 2);
  }

  /** The names of the units. */
  get units(): readonly string[] {
    return Object.keys(this.#data.units);
  }

  /** A date in a style or by a skeleton; undefined if `format` is neither. */
  date(fields: DateFields, format: string): string | undefined {
    const pattern = this.#patternOf(format);
    return pattern === undefined ? undefined : formatDate(fields, pattern, this.#data, this);
  }

  #patternOf(format: string): string | undefined {
    const style = (DATE_STYLES as readonly string[]).indexOf(format);
    if (style >= 0) return this.#data.date[style];
    const known = this.#patterns.get(format);
    if (known !== undefined || !isSkeleton(format)) return known;
    const pattern = patternFor(format, this.#data);
    if (this.#patterns.size < MAX_PATTERNS) this.#patterns.set(format, pattern);
    return pattern;
  }

  /** The distance of a date from another. */
  relative(date: DateFields, from: DateFields): string {
    const { unit, count, isNamed } = distanceOf(date, from);
    return this.distance(count, unit, isNamed);
  }

  /** `count` units away; with `isNamed`, by a word if there is one. */
  distance(count: number, unit: string, isNamed: boolean): string {
    const { named, future, past } = this.#data.relative[unit];
    const word = isNamed ? named[count + 0] : undefined;
    if (word !== undefined) return word;
    const size = Math.abs(count);
    const isPast = count < 0 || Object.is(count, -0);
    return textOf(isPast ? past : future, this.plural(size)).replace('{0}', () => this.number(size));
  }

  /** Texts as a list that ends with "and" or "or". */
  list(texts: readonly string[], kind: 'and' | 'or'): string {
    const patterns = this.#data.lists[kind];
    if (texts.length < 2) return texts.join('');
    const join = (pattern: string, left: string, right: string) =>
      pattern.replace(/\{[01]\}/g, (slot) => (slot === '{0}' ? left : right));
    const last = texts[texts.length - 1];
    if (texts.length === 2) return join(this.#ending(patterns.two, kind, last), texts[0], last);
    const begun = join(patterns.start, texts[0], texts[1]);
    const listed = texts.slice(2, -1).reduce((text, each) => join(patterns.middle, text, each), begun);
    return join(this.#ending(patterns.end, kind, last), listed, last);
  }

  /** Spanish "y" becomes "e" before the sound i, and "o" becomes "u" before o; Hebrew "and" is joined to other scripts by a hyphen. */
  #ending(pattern: string, kind: 'and' | 'or', next: string): string {
    if (this.#language === 'es' && kind === 'and' && /^(?:i|hi(?![ae]))/i.test(next))
      return pattern.replace(' y ', ' e ');
    if (this.#language === 'es' && kind === 'or' && /^(?:h?o|8|11(?:\s|$))/i.test(next))
      return pattern.replace(' o ', ' u ');
    return this.#language === 'he' && !/^[\u0590-\u05ff\ufb1d-\ufb4f]/.test(next)
      ? pattern.replace('ו{1}', 'ו-{1}')
      : pattern;
  }
}
