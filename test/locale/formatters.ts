// Formatters for tests, from the checked-in data.
import { readFileSync } from 'node:fs';
import type { LocaleFormatter } from '../../lib/locale/formatter.js';
import { loadedLocale, missingLocaleFile, setLocaleFile } from '../../lib/locale/loaded.js';

/** The formatter of a locale, and what stands in for an unknown one. */
export function localeOf(tag: string) {
  for (let name = missingLocaleFile(tag); name !== undefined; name = missingLocaleFile(tag)) {
    const url = new URL(`../../fonts/locales/${name}.json`, import.meta.url);
    setLocaleFile(name, JSON.parse(readFileSync(url, 'utf8')));
  }
  return loadedLocale(tag);
}

export const formatterOf = (tag: string): LocaleFormatter => localeOf(tag).formatter;
