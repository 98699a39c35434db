// The locales whose data are loaded. Data come as files: that of the root, and one for each language.
import { findLocale } from './find-locale.js';
import { LocaleFormatter } from './formatter.js';
import type { LanguageFile, RootFile } from './locale-data.js';

/** The file of what all languages share. */
export const ROOT_FILE = 'root';

let root: RootFile | undefined;
const languages = new Map<string, LanguageFile>();
/** By the locale of the data. */
const formatters = new Map<string, LocaleFormatter>();

/** The file that a formatter of the locale needs next; undefined if all of them are there. */
export function missingLocaleFile(tag: string): string | undefined {
  if (!root) return ROOT_FILE;
  const { language } = findLocale(tag, root);
  return languages.has(language) ? undefined : language;
}

/** Takes the contents of a file by its name. */
export function setLocaleFile(name: string, file: unknown): void {
  if (name === ROOT_FILE) root = file as RootFile;
  else languages.set(name, file as LanguageFile);
}

export interface LoadedLocale {
  readonly formatter: LocaleFormatter;
  /** The locale that stands in for an unknown one. */
  readonly substitute: string | undefined;
}

/** The formatter of a well-formed tag whose files are there. */
export function loadedLocale(tag: string): LoadedLocale {
  const found = root && findLocale(tag, root);
  const file = found && languages.get(found.language);
  if (!root || !file) throw new Error(`the data of the locale ${tag} are not loaded`);
  const [name] = found.chain;
  let formatter = formatters.get(name);
  if (!formatter) {
    formatter = new LocaleFormatter(found, root, file);
    formatters.set(name, formatter);
  }
  return { formatter, substitute: found.substitute };
}
