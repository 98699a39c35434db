// The languages whose words can be hyphenated: those of the package hyphen whose patterns fit, by BCP 47 tag.

import { asciiLowercase } from '../../unicode/ascii.js';

/** A set of patterns of the package, by its file's name. */
export const HYPHENATION_PATTERNS = [
  ...['af', 'as', 'be', 'bg', 'bn', 'ca', 'cop', 'cs', 'cy', 'da', 'de-1901', 'de-1996', 'de-ch-1901', 'el-monoton'],
  ...['el-polyton', 'en-gb', 'en-us', 'es', 'et', 'eu', 'fi', 'fi-x-school', 'fr', 'fur', 'ga', 'gl', 'grc', 'gu'],
  ...['hi', 'hr', 'hsb', 'hu', 'hy', 'ia', 'id', 'is', 'it', 'ka', 'kmr', 'kn', 'la', 'la-x-classic'],
  ...['la-x-liturgic', 'lt', 'lv', 'mk', 'ml', 'mn-cyrl', 'mr', 'nb', 'nl', 'nn', 'no', 'oc', 'or', 'pa', 'pi'],
  ...['pl', 'pms', 'pt', 'rm', 'ro', 'ru', 'sa', 'sh-cyrl', 'sh-latn', 'sk', 'sl', 'sq', 'sr-cyrl', 'sv', 'ta', 'te'],
  ...['tk', 'tr', 'uk'],
] as const;

export type HyphenationPatterns = (typeof HYPHENATION_PATTERNS)[number];

/** Tags whose patterns have another name. English outside of America is spelt as in Britain. */
const ALIASES: ReadonlyMap<string, HyphenationPatterns> = new Map([
  ['de', 'de-1996'],
  ['el', 'el-monoton'],
  ['en', 'en-us'],
  ['en-au', 'en-gb'],
  ['en-ie', 'en-gb'],
  ['en-in', 'en-gb'],
  ['en-nz', 'en-gb'],
  ['en-za', 'en-gb'],
  ['mn', 'mn-cyrl'],
  ['sh', 'sh-latn'],
  ['sr', 'sr-cyrl'],
  ['sr-latn', 'sh-latn'],
]);

const NAMES: ReadonlyMap<string, HyphenationPatterns> = new Map([
  ...HYPHENATION_PATTERNS.map((name) => [name, name] as const),
  ...ALIASES,
]);

/** The tags, in order. */
export const HYPHENATION_LANGUAGES: readonly string[] = [...NAMES.keys()].sort();

/** Longer tags are none: RFC 5646 asks for room for 35 characters. */
const MAX_TAG = 35;

/** The nearest patterns of a language: those of its tag, or of the tag without its last subtags. Undefined if there are none. */
export function hyphenationPatterns(language: string): HyphenationPatterns | undefined {
  if (language.length > MAX_TAG) return undefined;
  const subtags = asciiLowercase(language).split('-');
  for (let count = subtags.length; count > 0; count--) {
    const name = NAMES.get(subtags.slice(0, count).join('-'));
    if (name) return name;
  }
  return undefined;
}
