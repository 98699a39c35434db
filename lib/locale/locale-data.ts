// What is known of a locale, as scripts/locales.mjs writes it, and how the lines of a locale and of its parents become one.
import type { LocaleIndex } from './find-locale.js';
import type { PluralRules, PluralTexts } from './plural.js';

export interface NumberSymbols {
  /** The name of the digits. */
  readonly digits: string;
  readonly decimal: string;
  readonly group: string;
  readonly currencyDecimal: string;
  readonly currencyGroup: string;
  readonly percent: string;
  readonly minus: string;
  /** Figures that stand before the first separator, at least. */
  readonly minimumGrouping: number;
  readonly pattern: string;
  readonly percentPattern: string;
  readonly currencyPattern: string;
  /** Patterns of short numbers, from 10³ to 10¹⁴. */
  readonly compact: readonly PluralTexts[];
}

export interface UnitTexts {
  readonly forms: PluralTexts;
  /** How another unit per this one is written. */
  readonly per?: string;
}

/** Names by width: twelve months, seven days from Sunday, four quarters. */
type Widths = Readonly<Record<string, readonly string[]>>;

export interface CalendarNames {
  readonly format: Widths;
  /** Names that stand alone, where they differ. */
  readonly alone?: Widths;
}

export interface RelativeTexts {
  /** Texts of a distance: `-1` yesterday. */
  readonly named: Readonly<Record<string, string>>;
  readonly future: PluralTexts;
  readonly past: PluralTexts;
}

export interface ListPatterns {
  readonly two: string;
  readonly start: string;
  readonly middle: string;
  readonly end: string;
}

/** Patterns of the styles `full`, `long`, `medium` and `short`. */
type Styles = readonly [string, string, string, string];

export interface LocaleData {
  /** The letter of an hour: `h` of 12 hours, `H` of 24. */
  readonly hour: string;
  readonly plurals: PluralRules;
  /** The hours in which a period of the day begins and ends. */
  readonly periodRules: Readonly<Record<string, readonly [number, number]>>;
  readonly numbers: NumberSymbols;
  /** Symbols of currencies that are not their code. */
  readonly currencies: Readonly<Record<string, string>>;
  readonly units: Readonly<Record<string, UnitTexts>>;
  readonly per: string;
  readonly lists: { readonly and: ListPatterns; readonly or: ListPatterns };
  readonly months: CalendarNames;
  readonly days: CalendarNames;
  readonly quarters: CalendarNames;
  /** Names of the periods of a day, by width. */
  readonly periods: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly eras: Widths;
  readonly date: Styles;
  readonly time: Styles;
  /** How a date and a time stand together. */
  readonly atTime: Styles;
  /** Patterns by skeleton. */
  readonly formats: Readonly<Record<string, string>>;
  /** How a field is appended that no pattern has, by CLDR's name of the field. */
  readonly append: Readonly<Record<string, string>>;
  readonly names: Readonly<Record<string, string>>;
  /** A distance from Greenwich: with it, none, and the patterns of hours east and west. */
  readonly zone: readonly [string, string, string];
  readonly relative: Readonly<Record<string, RelativeTexts>>;
}

/** The file of what all languages share. */
export interface RootFile extends LocaleIndex {
  /** Ten digits, by name. */
  readonly digits: Readonly<Record<string, string>>;
  /** Decimals of currencies that have not two. */
  readonly decimals: Readonly<Record<string, number>>;
  readonly root: LocaleData;
}

/** The file of a language: what each of its locales has other than its parent. */
export type LanguageFile = Readonly<Record<string, unknown>>;

/** The data of a chain of locales, from the locale to its oldest parent. */
export function localeData(chain: readonly string[], { root }: RootFile, language: LanguageFile): LocaleData {
  return chain.reduceRight<unknown>((data, tag) => laidOver(data, language[tag]), root) as LocaleData;
}

/** `over` laid over `under`, member by member; a null takes one away. Members of `over` come first: ICU prefers their patterns. */
function laidOver(under: unknown, over: unknown): unknown {
  if (over === undefined) return under;
  if (!isRecord(under) || !isRecord(over)) return over;
  const merged = Object.entries({ ...over, ...under }).flatMap(([key, value]) => {
    const member = Object.hasOwn(over, key) ? laidOver(under[key], over[key]) : value;
    return member === null ? [] : [[key, member]];
  });
  return Object.fromEntries(merged);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
