// Finds the locale of the data that stands for a language tag.
import { asciiLowercase, asciiUppercase } from '../unicode/ascii.js';
import { tagParts } from './tag.js';

/** Which locales there are. */
export interface LocaleIndex {
  /** Languages, with what follows them in the tags of their locales. */
  readonly locales: Readonly<Record<string, readonly string[]>>;
  /** Languages by another code. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The script of a language, and of regions where it has another. */
  readonly scripts: Readonly<Record<string, string>>;
  /** Parents that are not the tag without its last part. */
  readonly parents: Readonly<Record<string, string>>;
}

/** The locale of the data that stands for a tag. */
export interface FoundLocale {
  /** The language, which names the file. */
  readonly language: string;
  /** The locale and its parents. */
  readonly chain: readonly string[];
  /** What stands in for a tag that the data do not have; undefined if they have it. */
  readonly substitute?: string;
}

/** Finds the locale for a well-formed tag, or its nearest parent. */
export function findLocale(tag: string, index: LocaleIndex): FoundLocale {
  const { language, script, region, rest } = tagParts(tag);
  const lower = asciiLowercase(language);
  const code = Object.hasOwn(index.aliases, lower) ? index.aliases[lower] : lower;
  // the root has names such as M03 for March, which no reader expects
  if (!Object.hasOwn(index.locales, code)) return { language: 'en', chain: ['en'], substitute: 'en' };
  const country = region && asciiUppercase(region);
  const own = index.scripts[code];
  const letters = titlecased(script) ?? index.scripts[`${code}-${country}`] ?? own;
  const parts = [code, letters === own ? undefined : letters, country].filter((part) => part !== undefined);
  const names = parts.map((_, i) => parts.slice(0, parts.length - i).join('-'));
  const [wanted] = names;
  const found = names.find((name) => index.locales[code].includes(name.slice(code.length + 1))) ?? code;
  return {
    language: code,
    chain: chainOf(found, index),
    ...((found !== wanted || rest !== '') && { substitute: found }),
  };
}

function chainOf(tag: string, { parents }: LocaleIndex): string[] {
  const chain = [tag];
  for (;;) {
    const last = chain[chain.length - 1];
    const parent = parents[last] ?? last.split('-').slice(0, -1).join('-');
    if (parent === '' || parent === 'root') return chain;
    chain.push(parent);
  }
}

const titlecased = (script: string | undefined) =>
  script === undefined ? undefined : asciiUppercase(script[0]) + asciiLowercase(script.slice(1));
