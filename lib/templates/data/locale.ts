// The locale of a render, whose data are read when an expression needs them.
import { isObject } from '../../contract/json/is-object.js';
import { usesGroups } from '../../contract/template/data-fields.js';
import { isTemplate } from '../../contract/template/record-layers.js';
import { RenderError, type Warning } from '../../errors.js';
import { host } from '../../host.js';
import type { LocaleFormatter } from '../../locale/formatter.js';
import { type LoadedLocale, loadedLocale, missingLocaleFile, setLocaleFile } from '../../locale/loaded.js';
import { isLanguageTag } from '../../locale/tag.js';

const DEFAULT_LOCALE = 'en';
/** A call of one of the functions that need a locale's data. */
const LOCALE_CALL = /\b(?:number|percent|compact|currency|unit|date|relative|plural|list)\s*\(/;

export interface RenderLocale {
  readonly tag: string;
  /** Throws RenderError `render_failed` if the data are not loaded and can't be read at once. */
  formatter(): LocaleFormatter;
  /** Says what stands in for an unknown locale whose formatter was used. */
  warnings(): readonly Warning[];
}

export function renderLocale(tag: string = DEFAULT_LOCALE): RenderLocale {
  let used: LoadedLocale | undefined;
  return {
    tag,
    formatter() {
      used ??= readLocale(tag);
      return used.formatter;
    },
    warnings() {
      if (used?.substitute === undefined) return [];
      const message = `there is no locale ${tag}: ${used.substitute} stands in for it`;
      return [{ code: 'unknown_locale', path: 'locale', message }];
    },
  };
}

function readLocale(tag: string): LoadedLocale {
  for (let name = missingLocaleFile(tag); name !== undefined; name = missingLocaleFile(tag)) {
    const text = host().readLocale?.(name);
    if (text === undefined) throw new RenderError('render_failed', `the data of the locale ${tag} are not loaded`);
    takeLocaleFile(name, text);
  }
  return loadedLocale(tag);
}

export function takeLocaleFile(name: string, text: string): void {
  setLocaleFile(name, JSON.parse(text));
}

/** The file that expressions of a payload may need next. `override`: the locale that wins over the payload's. */
export function missingLocale(payload: unknown, override?: unknown): string | undefined {
  if (!isObject(payload)) return undefined;
  const own = isLanguageTag(payload.locale) ? payload.locale : DEFAULT_LOCALE;
  const name = missingLocaleFile(isLanguageTag(override) ? override : own);
  if (name === undefined || usesGroups(payload)) return name;
  return usesLocale(isTemplate(payload) ? payload : { ...payload, data: undefined }) ? name : undefined;
}

function usesLocale(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{=') && LOCALE_CALL.test(value);
  if (typeof value !== 'object' || value === null) return false;
  return Object.values(value).some(usesLocale);
}
