// Compares formatters with this Node's Intl, whose ICU has a version of CLDR, too.
import type { LocaleFormatter } from '../../lib/locale/formatter.js';
import { parseIsoDate } from '../../lib/locale/iso-date.js';
import { formatterOf } from './formatters.js';

/** The version of CLDR whose data the checkout has. */
const CLDR = '48';
/** Why Intl can't be compared with: its data are of another version. */
export const otherData = process.versions.cldr?.split('.')[0] === CLDR ? false : `CLDR ${process.versions.cldr}`;

export const LOCALES = (
  'ar ar-EG bg bn ca cs da de de-AT de-CH el en en-GB en-IN es es-MX et fa fi fr fr-CA fr-CH he hi hr hu id it ja ko lt ' +
  'mr nb nl pl pt-BR pt-PT ro ru sk sl sr-Latn sv sw th tr uk vi zh zh-TW'
).split(' ');

/**
 * Node differs from CLDR 48 in three places. V8 writes dates with a plain space where CLDR has a narrow one; ICU 78 has no pattern of Traditional
 * Chinese for a date with a time, and counts no plural forms of numbers above 2⁶³.
 */
const narrowSpacesAsPlain = (text: string | undefined) => text?.replaceAll('\u202f', ' ');
const MAX_PLURAL = 2 ** 63;
const hasForm = (x: number) => Math.abs(x) < MAX_PLURAL;
const hasOtherPattern = (tag: string, skeleton: string) => tag === 'zh-TW' && /[yMdE].*[jhHms]/.test(skeleton);

/** The same numbers for every run. */
function* numbers(count: number): Generator<number> {
  yield* SPECIAL;
  let state = 1;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  for (let i = SPECIAL.length; i < count; i++) {
    const number = (random() - 0.3) * Number(`1e${Math.floor(random() * 19) - 3}`);
    const kind = random();
    yield kind < 0.3 ? Math.round(number) : kind < 0.6 ? Math.round(number * 100) / 100 : number;
  }
}

const SPECIAL = [
  ...[
    0, -0, 1, 2, 3, 5, 11, 12, 21, 100, 1000, 1234, 9999, 9995, 99950, 999999, 999499, 1e6, 1.5e6, 1e15, 1.2e16, 1e21,
  ],
  ...[1.005, 2.675, 0.5, 1.5, 1.25, 0.0005, 0.00049, -0.0001, 5e-324, 123456789012345680000, -9.99, -42.5],
];

const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'CHF', 'SEK', 'INR', 'BRL', 'KWD', 'HUF', 'PLN', 'EGP', 'CLP', 'XYZ'];
const COMPOUND_UNITS = ['kilometer-per-hour', 'meter-per-second', 'liter-per-kilometer', 'gram-per-liter'];
const TEXTS = [
  ['A'],
  ['A', 'B'],
  ['A', 'B', 'C'],
  ['A', 'B', 'C', 'D'],
  ['sal', 'iglesia'],
  ['uno', 'otro'],
  ['א', 'ב', 'C'],
];
const DISTANCES = [0, 1, 2, 3, 5, 11, 21, 1200, -1, -2, -5, -22];
const RELATIVE_UNITS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'year'] as const;

/** Days and times of the clock, in Greenwich. */
function* dates(count: number): Generator<string> {
  yield* ['2026-03-09', '2026-12-31', '1999-01-02', '2024-02-29', '0987-06-15', '2026-08-22T12:00:00Z'];
  for (let i = 0; i < count - 6; i++) yield new Date(i * 37_123_456_789 - 10 ** 12).toISOString();
}

type DateOptions = Intl.DateTimeFormatOptions;
const LETTERS = { numeric: 1, '2-digit': 2, short: 3, long: 4, narrow: 5 } as const;
const run = (letter: string, width: keyof typeof LETTERS | undefined) => letter.repeat(width ? LETTERS[width] : 0);

/** Each skeleton with the options that ask Intl for the same. */
function* skeletons(): Generator<readonly [string, DateOptions]> {
  for (const weekday of [undefined, 'short', 'long'] as const)
    for (const year of [undefined, 'numeric', '2-digit'] as const)
      for (const month of [undefined, 'numeric', '2-digit', 'short', 'long', 'narrow'] as const)
        for (const day of [undefined, 'numeric', '2-digit'] as const) {
          const skeleton = run('E', weekday) + run('y', year) + run('M', month) + run('d', day);
          if (skeleton !== '') yield [skeleton, defined({ weekday, year, month, day })];
        }
  const times: [string, DateOptions][] = [
    ['j', { hour: 'numeric' }],
    ['jm', { hour: 'numeric', minute: 'numeric' }],
    ['jjmmss', { hour: '2-digit', minute: '2-digit', second: '2-digit' }],
    ['jmsSSS', { hour: 'numeric', minute: 'numeric', second: 'numeric', fractionalSecondDigits: 3 }],
    ['hm', { hour: 'numeric', minute: 'numeric', hourCycle: 'h12' }],
    ['Hm', { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' }],
    ['Bh', { hour: 'numeric', dayPeriod: 'short', hourCycle: 'h12' }],
  ];
  const days: [string, DateOptions][] = [
    ['', {}],
    ['yMMMMd', { year: 'numeric', month: 'long', day: 'numeric' }],
    ['EEEMMMd', { weekday: 'short', month: 'short', day: 'numeric' }],
    ['yMd', { year: 'numeric', month: 'numeric', day: 'numeric' }],
    ['d', { day: 'numeric' }],
  ];
  for (const [day, ofDay] of days) for (const [time, ofTime] of times) yield [day + time, { ...ofDay, ...ofTime }];
  yield ['GGGyMMMMd', { era: 'short', year: 'numeric', month: 'long', day: 'numeric' }];
}

const defined = (options: DateOptions): DateOptions =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));

/** What a formatter writes, and what Intl does. */
interface Comparison {
  readonly what: string;
  readonly ours: string | undefined;
  readonly intl: string;
}

type Compare = (tag: string, locale: LocaleFormatter, count: number) => Generator<Comparison>;

/** The comparisons of each function. `count`: values of each. */
export const COMPARISONS: Readonly<Record<string, Compare>> = {
  *number(tag, locale, count) {
    const [plain, fixed] = [new Intl.NumberFormat(tag), fixedFormat(tag)];
    for (const x of numbers(count)) {
      yield { what: `${x}`, ours: locale.number(x), intl: plain.format(x) };
      yield { what: `${x}, 2`, ours: locale.number(x, 2), intl: fixed.format(x) };
    }
  },
  *percent(tag, locale, count) {
    const format = new Intl.NumberFormat(tag, { style: 'percent' });
    for (const x of numbers(count)) yield { what: `${x}`, ours: locale.percent(x), intl: format.format(x) };
  },
  *compact(tag, locale, count) {
    const format = new Intl.NumberFormat(tag, { notation: 'compact' });
    for (const x of numbers(count)) yield { what: `${x}`, ours: locale.compact(x), intl: format.format(x) };
  },
  *currency(tag, locale, count) {
    for (const currency of CURRENCIES) {
      const format = new Intl.NumberFormat(tag, { style: 'currency', currency });
      for (const x of numbers(Math.max(24, count / CURRENCIES.length)))
        yield { what: `${x} ${currency}`, ours: locale.amount(x, currency), intl: format.format(x) };
    }
  },
  *unit(tag, locale, count) {
    const units = [...Intl.supportedValuesOf('unit'), ...COMPOUND_UNITS];
    for (const unit of units) {
      const format = new Intl.NumberFormat(tag, { style: 'unit', unit });
      for (const x of [...[...numbers(count / units.length)].filter(hasForm), 0, 1, 2, 5, 11, 1.5, -3, 1e6])
        yield { what: `${x} ${unit}`, ours: locale.unit(x, unit), intl: format.format(x) };
    }
  },
  *plural(tag, locale, count) {
    const rules = new Intl.PluralRules(tag);
    for (const x of numbers(count))
      if (hasForm(x)) yield { what: `${x}`, ours: locale.plural(x), intl: rules.select(x) };
  },
  *list(tag, locale) {
    for (const [kind, type] of [['and', 'conjunction'] as const, ['or', 'disjunction'] as const]) {
      const format = new Intl.ListFormat(tag, { type });
      for (const texts of TEXTS)
        yield { what: `${kind} ${texts}`, ours: locale.list(texts, kind), intl: format.format(texts) };
    }
  },
  *relative(tag, locale) {
    for (const numeric of ['auto', 'always'] as const) {
      const format = new Intl.RelativeTimeFormat(tag, { numeric });
      for (const unit of RELATIVE_UNITS)
        for (const n of DISTANCES)
          yield {
            what: `${n} ${unit}`,
            ours: locale.distance(n, unit, numeric === 'auto'),
            intl: format.format(n, unit),
          };
    }
  },
  *date(tag, locale, count) {
    for (const style of ['short', 'medium', 'long', 'full'] as const)
      yield* dateComparisons(locale, dates(count / 4), style, intlDates(tag, { dateStyle: style }));
    const patterns = [...skeletons()].filter(([skeleton]) => !hasOtherPattern(tag, skeleton));
    for (const [skeleton, options] of patterns)
      yield* dateComparisons(locale, dates(count / 100 + 8), skeleton, intlDates(tag, options));
  },
};

const fixedFormat = (tag: string) => new Intl.NumberFormat(tag, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
const intlDates = (tag: string, options: DateOptions) =>
  new Intl.DateTimeFormat(tag, { calendar: 'gregory', timeZone: 'UTC', ...options });

function* dateComparisons(
  locale: LocaleFormatter,
  texts: Iterable<string>,
  format: string,
  intl: Intl.DateTimeFormat,
): Generator<Comparison> {
  for (const text of texts) {
    const fields = parseIsoDate(text);
    const ours = fields && narrowSpacesAsPlain(locale.date(fields, format));
    yield { what: `${text} ${format}`, ours, intl: narrowSpacesAsPlain(intl.format(new Date(text))) ?? '' };
  }
}

/** The first differences of a function in all locales, and how many values were compared. */
export function differences(
  name: string,
  count: number,
  locales = LOCALES,
): { readonly compared: number; readonly found: string[] } {
  const found: string[] = [];
  let compared = 0;
  for (const tag of locales) {
    for (const { what, ours, intl } of COMPARISONS[name](tag, formatterOf(tag), count)) {
      compared++;
      if (ours !== intl && found.length < 20)
        found.push(`${tag} ${what}: ${JSON.stringify(ours)}, Intl ${JSON.stringify(intl)}`);
    }
  }
  return { compared, found };
}
