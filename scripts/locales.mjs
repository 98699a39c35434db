// Makes fonts/locales/: how numbers, dates, units and lists are written in 73 languages and their regions, from pinned packages
// of Unicode's CLDR. root.json has what holds for all of them; each language has a file with a line for each locale, in which
// a locale has what differs from its parent.
//   node scripts/locales.mjs     needs npm and tar; takes a minute
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '48.0.0';
/** The packages, with the hashes of their files. */
const PACKAGES = {
  'cldr-core': 'sha512-iQnK68eOjEsHEOwCvi2CI7xbjcVlCdaSNTQrkwCgEMnyZUbHCgF0GPw2CXi0D2IGz+9Pj80cmcWzRFcF6zdrYQ==',
  'cldr-numbers-full':
    'sha512-bPTCfVDc0KRdRCRES155EZX1U0ZjUnc9AgiyKPH7K+mXWgCPLx7CzxvYY0IXGTF8W6ig+2hbG5V7oHMenA8iGQ==',
  'cldr-dates-full': 'sha512-RcJk/KQzmL9UlE5rAtS4Vxbi0lPGTXZ+s6ksqKY14HLQh3L3kewYlwK146l46uRS9JOhSlXhGV+V3KrUmKMioQ==',
  'cldr-units-full': 'sha512-EVHnOIXcn4BAM4HQdMlaNzP/mxjNSg/j83EVkiQEdXhtjaCZQDwP32E4DEVABpIYZPBu9pzg1WzlUBVgt+VvNg==',
  'cldr-misc-full': 'sha512-Bg+iNOD4FyhNxqiEr3a8JbPEH25Ob/f2KwU3SbH3VpAND3DYFlDa/eXU588H5djP+YlyHj4y+joBrUUKBXq7VA==',
};

const LANGUAGES =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fil fr ga gl gu he hi hr hu hy id is it ja ka kk km kn ko ' +
  'lo lt lv mk ml mn mr ms my ne nl no pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu';
/** Scripts that a language is written in beside its own, with the regions where it is. */
const SCRIPTS = { zh: ['Hant'], sr: ['Latn'] };

/** Languages by another code. */
const ALIASES = { nb: 'no', iw: 'he', in: 'id', tl: 'fil', mo: 'ro', cmn: 'zh' };

/** The units of ECMA-402, and the compound ones that CLDR names. */
const UNITS =
  'acre bit byte celsius centimeter day degree fahrenheit fluid-ounce foot gallon gigabit gigabyte gram hectare hour inch ' +
  'kilobit kilobyte kilogram kilometer liter megabit megabyte meter microsecond mile mile-scandinavian milliliter millimeter ' +
  'millisecond minute month nanosecond ounce petabyte pound second stone terabit terabyte week yard year ' +
  'kilometer-per-hour meter-per-second mile-per-hour mile-per-gallon liter-per-kilometer liter-per-100-kilometer knot ' +
  'square-kilometer square-meter square-foot square-mile cubic-meter kilowatt kilowatt-hour watt volt calorie kilocalorie ' +
  'joule hertz megahertz gigahertz kelvin ton tonne milligram horsepower';
const FIELDS = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'];
/** Letters of date skeletons, for which CLDR has names that stand beside a field that has no place in a pattern. */
const FIELD_NAMES = {
  Era: 'era',
  Year: 'year',
  Quarter: 'quarter',
  Month: 'month',
  'Day-Of-Week': 'weekday',
  Day: 'day',
  Hour: 'hour',
  Minute: 'minute',
  Second: 'second',
  Timezone: 'zone',
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const workFolder = mkdtempSync(join(tmpdir(), 'cldr-'));
const CLDR = join(workFolder, 'packages');

/** Downloads and unpacks a package. Throws if the tarball is not the pinned one. */
function fetchPackage([name, integrity]) {
  const words = ['pack', '--json', '--silent', '--pack-destination', workFolder, `${name}@${VERSION}`];
  const [tarball] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' }));
  if (integrity !== tarball.integrity) throw new Error(`${name}: expected ${integrity}, received ${tarball.integrity}`);
  mkdirSync(join(CLDR, name), { recursive: true });
  const file = join(workFolder, tarball.filename);
  execFileSync('tar', ['xzf', file, '-C', join(CLDR, name), '--strip-components=1']);
}

const read = (path) => JSON.parse(readFileSync(join(CLDR, path), 'utf8'));
const supplemental = (name) => read(`cldr-core/supplemental/${name}.json`).supplemental;
const main = (kind, tag, file) => read(`cldr-${kind}-full/main/${tag}/${file}.json`).main[tag];

for (const each of Object.entries(PACKAGES)) fetchPackage(each);
const parents = supplemental('parentLocales').parentLocales.parentLocale;
const likely = supplemental('likelySubtags').likelySubtags;
const timeData = supplemental('timeData').timeData;
const numberingSystems = supplemental('numberingSystems').numberingSystems;

/** The forms of plurals that differ from `other`; the text alone where none does. */
function plural(source, prefix) {
  const found = Object.entries(source).filter(([key]) => key.startsWith(prefix));
  const forms = Object.fromEntries(found.map(([key, text]) => [key.slice(prefix.length), text]));
  const others = Object.entries(forms).filter(([key, text]) => key !== 'other' && text !== forms.other);
  return others.length === 0 ? forms.other : { ...Object.fromEntries(others), other: forms.other };
}

function numbersOf(tag) {
  const { numbers } = main('numbers', tag, 'numbers');
  const digits = numbers.defaultNumberingSystem;
  const part = (name) => numbers[`${name}-numberSystem-${digits}`];
  const symbols = part('symbols');
  const currency = part('currencyFormats');
  const compact = part('decimalFormats').short.decimalFormat;
  const lengths = Object.keys(compact).map((key) => key.split('-')[0].length);
  const magnitudes = Array.from({ length: Math.max(...lengths) - 3 }, (_, i) => `1${'0'.repeat(i + 3)}-count-`);
  return {
    digits,
    decimal: symbols.decimal,
    group: symbols.group,
    currencyDecimal: symbols.currencyDecimal ?? symbols.decimal,
    currencyGroup: symbols.currencyGroup ?? symbols.group,
    percent: symbols.percentSign,
    minus: symbols.minusSign,
    minimumGrouping: Number(numbers.minimumGroupingDigits),
    pattern: part('decimalFormats').standard,
    percentPattern: part('percentFormats').standard,
    currencyPattern: currency.standard,
    currencyAlphaPattern: currency['standard-alphaNextToNumber'] ?? currency.standard,
    compact: magnitudes.map((prefix) => plural(compact, prefix)),
  };
}

function currenciesOf(tag) {
  const { currencies } = main('numbers', tag, 'currencies').numbers;
  const named = Object.entries(currencies).filter(([code, { symbol }]) => symbol !== undefined && symbol !== code);
  return Object.fromEntries(named.map(([code, { symbol }]) => [code, symbol]));
}

function unitsOf(tag) {
  const { short } = main('units', tag, 'units').units;
  const keyOf = (unit) => Object.keys(short).find((key) => key.replace(/^[a-z0-9]+-/, '') === unit);
  const named = UNITS.split(' ').map((unit) => {
    const source = short[keyOf(unit)];
    if (source === undefined) throw new Error(`no unit ${unit}`);
    const { perUnitPattern: per } = source;
    return [unit, { forms: plural(source, 'unitPattern-count-'), ...(per && { per }) }];
  });
  return { per: short.per.compoundUnitPattern, units: Object.fromEntries(named) };
}

/** The names of months, days, quarters or periods of a day, by context and width. A context that equals `format` is left out. */
function namesOf(source, widths = ['wide', 'abbreviated', 'narrow']) {
  const take = (context) =>
    Object.fromEntries(widths.flatMap((width) => (source[context][width] ? [[width, source[context][width]]] : [])));
  const format = take('format');
  const alone = take('stand-alone');
  return { format, ...(JSON.stringify(alone) !== JSON.stringify(format) && { alone }) };
}

const listed = (names) =>
  Object.fromEntries(Object.entries(names).map(([width, each]) => [width, Object.values(each)]));
const inLists = ({ format, alone }) => ({ format: listed(format), ...(alone && { alone: listed(alone) }) });
const textOf = (pattern) => (typeof pattern === 'string' ? pattern : pattern._value);
const texts = (patterns, keys = ['full', 'long', 'medium', 'short']) => keys.map((key) => textOf(patterns[key]));

function datesOf(tag) {
  const { gregorian } = main('dates', tag, 'ca-gregorian').dates.calendars;
  const { availableFormats, appendItems } = gregorian.dateTimeFormats;
  const { fields } = main('dates', tag, 'dateFields').dates;
  const { timeZoneNames } = main('dates', tag, 'timeZoneNames').dates;
  const formats = Object.entries(availableFormats)
    .filter(([key]) => !/-alt-|[wWvz]/.test(key))
    .map(([key, pattern]) => [key, textOf(pattern)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const periods = Object.fromEntries(
    ['wide', 'abbreviated', 'narrow'].map((width) => {
      const names = Object.entries(gregorian.dayPeriods.format[width]).filter(([key]) => !/-alt-/.test(key));
      return [width, Object.fromEntries(names)];
    }),
  );
  const { eraNames, eraAbbr, eraNarrow } = gregorian.eras;
  const eras = { wide: eraNames, abbreviated: eraAbbr, narrow: eraNarrow };
  const eraPairs = Object.entries(eras).map(([width, names]) => [width, [names[0], names[1]]]);
  const named = Object.entries(FIELD_NAMES);
  return {
    months: inLists(namesOf(gregorian.months)),
    days: inLists(namesOf(gregorian.days, ['wide', 'abbreviated', 'narrow', 'short'])),
    quarters: inLists(namesOf(gregorian.quarters)),
    periods,
    eras: Object.fromEntries(eraPairs),
    date: texts(gregorian.dateFormats),
    time: texts(gregorian.timeFormats),
    both: texts(gregorian.dateTimeFormats),
    atTime: texts(gregorian['dateTimeFormats-atTime']?.standard ?? gregorian.dateTimeFormats),
    formats: Object.fromEntries(formats),
    append: Object.fromEntries(named.map(([key]) => [key, appendItems[key]])),
    names: Object.fromEntries(named.map(([key, field]) => [key, fields[field].displayName])),
    zone: [timeZoneNames.gmtFormat, timeZoneNames.gmtZeroFormat, timeZoneNames.hourFormat],
    relative: Object.fromEntries(FIELDS.map((field) => [field, relativeOf(fields[field])])),
  };
}

function relativeOf(source) {
  const named = Object.entries(source).filter(([key]) => /^relative-type-/.test(key));
  const side = (name) => plural(source[`relativeTime-type-${name}`], 'relativeTimePattern-count-');
  return {
    named: Object.fromEntries(named.map(([key, text]) => [key.slice('relative-type-'.length), text])),
    future: side('future'),
    past: side('past'),
  };
}

function listsOf(tag) {
  const { listPatterns } = main('misc', tag, 'listPatterns');
  const pick = ({ 2: two, start, middle, end }) => ({ two, start, middle, end });
  return { and: pick(listPatterns['listPattern-type-standard']), or: pick(listPatterns['listPattern-type-or']) };
}

/** The hour that readers of a locale expect: `h` of 12 hours, `H` of 24. */
function hourOf(tag) {
  const [language, , region] = maximize(tag);
  return (timeData[`${language}-${region}`] ?? timeData[`${language}_${region}`] ?? timeData[region] ?? timeData['001'])
    ._preferred;
}

/** Language, script and region of a tag. */
function maximize(tag) {
  const [, language, script, region] = /^([a-z]+)(?:-([A-Z][a-z]{3}))?(?:-([A-Z]{2}|\d{3}))?$/.exec(tag);
  const candidates = [[language, script, region], [language, region], [language, script], [language]];
  const key = candidates.map((each) => each.filter(Boolean).join('-')).find((each) => likely[each] !== undefined);
  const [fullLanguage, fullScript, fullRegion] = likely[key].split('-');
  return [fullLanguage, script ?? fullScript, region ?? fullRegion];
}

/** All that is known of a locale. */
function localeOf(tag) {
  const source = tag === 'root' ? 'und' : tag;
  return {
    hour: tag === 'root' ? 'H' : hourOf(tag),
    plurals: pluralsOf(tag),
    periodRules: periodRulesOf(tag),
    numbers: numbersOf(source),
    currencies: currenciesOf(source),
    ...unitsOf(source),
    lists: listsOf(source),
    ...datesOf(source),
  };
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What has to be laid over `parent` to have `value`; null where nothing stands in `value`. Undefined if they are equal. */
function difference(value, parent) {
  if (!isObject(value) || !isObject(parent))
    return JSON.stringify(value) === JSON.stringify(parent) ? undefined : value;
  const keys = [...new Set([...Object.keys(value), ...Object.keys(parent)])];
  const entries = keys.flatMap((key) => {
    const each = Object.hasOwn(value, key) ? difference(value[key], parent[key]) : null;
    return each === undefined ? [] : [[key, each]];
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

const available = readdirSync(join(CLDR, 'cldr-numbers-full/main'));

/** The parent of a locale: CLDR names it, or it is the tag without its last part. */
function parentOf(tag) {
  const named = parents[tag] ?? tag.split('-').slice(0, -1).join('-');
  return named === '' || named === 'und' ? 'root' : named;
}

/** Rules of the locale itself, or else of its language: the regions of a language have none in common. */
const rulesOf = (rules, tag) => rules[tag] ?? rules[tag.split('-')[0]] ?? {};

/** The rule of each plural form but `other`, without its samples. */
function pluralsOf(tag) {
  const rules = Object.entries(rulesOf(supplemental('plurals')['plurals-type-cardinal'], tag));
  const named = rules.map(([key, rule]) => [key.slice('pluralRule-count-'.length), rule.split('@')[0].trim()]);
  return Object.fromEntries(named.filter(([, rule]) => rule !== ''));
}

/** When a period of the day begins, in hours; one that lasts a moment, such as noon, ends when it begins. */
function periodRulesOf(tag) {
  const hour = (time) => Number(time.split(':')[0]);
  const rules = Object.entries(rulesOf(supplemental('dayPeriods').dayPeriodRuleSet, tag));
  const named = rules.map(([name, { _at, _from, _before }]) => [name, [hour(_at ?? _from), hour(_at ?? _before)]]);
  return Object.fromEntries(named);
}

const folder = join(ROOT, 'fonts/locales');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const root = localeOf('root');
const digits = new Set(['latn']);
/** @type {Record<string, string[]>} */
const locales = {};
for (const language of LANGUAGES.split(' ')) {
  const [, script, region] = maximize(language);
  const scripts = [script, ...(SCRIPTS[language] ?? [])].join('|');
  const pattern = new RegExp(`^${language}(?:-(?:${scripts}))?(?:-(?:[A-Z]{2}|\\d{3}))?$`);
  /** The tags of CLDR, by tags that leave out the language's own script. */
  const sources = new Map(
    [...available.filter((tag) => pattern.test(tag)), language].map((tag) => [tag.replace(`-${script}`, ''), tag]),
  );
  const whole = new Map([['root', root]]);
  const lines = [];
  // a parent comes before those that differ from it
  const write = (tag) => {
    if (whole.has(tag)) return;
    write(parentOf(tag));
    const locale = localeOf(sources.get(tag));
    whole.set(tag, locale);
    digits.add(locale.numbers.digits);
    const delta = difference(locale, whole.get(parentOf(tag)));
    if (delta !== undefined) lines.push(`${JSON.stringify(tag)}:${JSON.stringify(delta)}`);
  };
  for (const tag of sources.keys()) write(tag);
  writeFileSync(join(folder, `${language}.json`), `{\n${lines.join(',\n')}\n}\n`);
  const regions = [...sources.keys()].filter((tag) => tag !== language).map((tag) => tag.slice(language.length + 1));
  locales[language] = [
    ...new Set([
      ...regions,
      region,
      ...(SCRIPTS[language] ?? []).map((each) => `${each}-${maximize(`${language}-${each}`)[2]}`),
    ]),
  ].sort();
}

/** The languages' own scripts, and those of regions that write the language in another one. */
const scripts = Object.fromEntries(
  Object.keys(locales).flatMap((language) => {
    const own = maximize(language)[1];
    const others = SCRIPTS[language] === undefined ? [] : Object.keys(likely).filter((tag) => maximize(tag)[1] !== own);
    return [
      [language, own],
      ...others
        .filter((tag) => tag.startsWith(`${language}-`) && /-[A-Z]{2}$/.test(tag))
        .map((tag) => [tag, maximize(tag)[1]]),
    ];
  }),
);
const { fractions } = supplemental('currencyData').currencyData;
const decimals = Object.entries(fractions).map(([code, { _digits }]) => [code, Number(_digits)]);
const isNamed = ([tag, parent]) => Object.hasOwn(locales, tag.split('-')[0]) && parent !== tag.split('-')[0];
const lines = {
  locales,
  aliases: ALIASES,
  scripts,
  parents: Object.fromEntries(
    Object.entries(parents)
      .filter(isNamed)
      .map(([tag]) => [tag, parentOf(tag)]),
  ),
  digits: Object.fromEntries([...digits].map((name) => [name, numberingSystems[name]._digits])),
  decimals: Object.fromEntries(decimals.filter(([code, count]) => code !== 'DEFAULT' && count !== 2)),
  root,
};
const text = Object.entries(lines).map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
writeFileSync(join(folder, 'root.json'), `{\n${text.join(',\n')}\n}\n`);
copyFileSync(join(CLDR, 'cldr-core/LICENSE'), join(folder, 'LICENSE.txt'));
rmSync(workFolder, { recursive: true });
