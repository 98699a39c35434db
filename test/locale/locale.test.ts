// Locales, and texts that are the same on every engine.
import t from 'tap';
import { type DateFields, parseIsoDate } from '../../lib/locale/iso-date.js';
import { isLanguageTag } from '../../lib/locale/tag.js';
import { formatterOf, localeOf } from './formatters.js';

const date = (text: string) => parseIsoDate(text) as DateFields;
const relative = (tag: string, text: string, from: string) => formatterOf(tag).relative(date(text), date(from));

t.test('numbers are rounded by their decimal figures', (t) => {
  const english = formatterOf('en');
  t.equal(english.number(1.0005), '1.001');
  t.equal(english.number(2.675, 2), '2.68');
  t.equal(english.number(1e21), '1,000,000,000,000,000,000,000');
  t.equal(english.percent(0.25), '25%');
  t.equal(english.percent(0.2567, 1), '25.7%');
  t.equal(english.compact(1234), '1.2K');
  t.equal(english.compact(999_999), '1M');
  t.equal(english.amount(-9.99, 'usd'), '-$9.99');
  t.equal(english.unit(16, 'kilometer'), '16 km');
  t.equal(english.unit(3, 'gram-per-liter'), '3 g/L');
  t.equal(english.unit(3, 'parsec'), undefined);
  t.end();
});

t.test('locales have their own digits, groups and names', (t) => {
  t.equal(formatterOf('ar-EG').number(1234567.891), '١٬٢٣٤٬٥٦٧٫٨٩١');
  t.equal(formatterOf('en-IN').number(12345678), '1,23,45,678');
  t.equal(formatterOf('pl').number(1234), '1234');
  t.equal(formatterOf('de-CH').amount(999.5, 'CHF'), 'CHF\u00a0999.50');
  t.equal(formatterOf('fr').number(1234.5), '1\u202f234,5');
  t.equal(formatterOf('pl').date(date('2026-03-09'), 'long'), '9 marca 2026');
  t.equal(formatterOf('ja').date(date('2026-03-09'), 'full'), '2026年3月9日月曜日');
  t.equal(formatterOf('es').list(['sal', 'higos'], 'and'), 'sal e higos');
  t.equal(formatterOf('pl').plural(22), 'few');
  t.end();
});

t.test('a date is written in the offset that it carries', (t) => {
  const english = formatterOf('en');
  t.equal(english.date(date('2026-03-09T23:30:00+02:00'), 'yMMMdjm'), 'Mar 9, 2026, 11:30\u202fPM');
  t.equal(english.date(date('2026-03-09T23:30:00+02:00'), 'HmO'), '23:30 GMT+2');
  t.equal(english.date(date('2026-03-09T23:30:00-03:30'), 'HmO'), '23:30 GMT-3:30');
  t.equal(english.date(date('2026-03-09T23:30'), 'HmOOOO'), '23:30 GMT');
  t.equal(english.date(date('2026-03-09'), 'yMMMw'), undefined);
  t.equal(english.date(date('2026-03-09'), 'MMMM y'), undefined);
  t.end();
});

t.test('only dates of the calendar are read', (t) => {
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '2026-3-9',
    '09.03.2026',
    '2026-03-09T24:00',
    '',
    '2026-03-09T10:00+25:00',
  ])
    t.equal(parseIsoDate(text), undefined, text);
  t.match(parseIsoDate('2026-03'), { year: 2026, month: 3, day: 1, hasTime: false });
  t.match(parseIsoDate('2026-03-09T08:05:06.7Z'), { hour: 8, millisecond: 700, offset: 0, hasTime: true });
  t.end();
});

t.test('a distance is named in the largest unit of which one is full', (t) => {
  t.equal(relative('en', '2026-03-08', '2026-03-09'), 'yesterday');
  t.equal(relative('en', '2026-03-09', '2026-03-09'), 'today');
  t.equal(relative('de', '2026-03-11', '2026-03-09'), 'übermorgen');
  t.equal(relative('en', '2026-03-09T12:00', '2026-03-09T12:00:00Z'), 'now');
  t.equal(relative('en', '2026-03-09T10:30', '2026-03-09T12:00'), '1 hour ago');
  t.equal(relative('en', '2026-03-08T12:30+02:00', '2026-03-09T12:00+02:00'), '23 hours ago');
  t.equal(relative('en', '2026-03-23', '2026-03-09'), 'in 2 weeks');
  t.equal(relative('en', '2026-05-08', '2026-03-09'), 'in 1 month');
  t.equal(relative('en', '2023-03-10', '2026-03-09'), '2 years ago');
  t.end();
});

t.test('a tag finds its locale, or its nearest parent', (t) => {
  const substituteOf = (tag: string) => localeOf(tag).substitute;
  for (const tag of ['en', 'en-US', 'de-DE', 'pt-BR', 'zh-TW', 'zh-Hans-CN', 'nb', 'sr-Latn-RS', 'iw', 'EN-gb'])
    t.equal(substituteOf(tag), undefined, tag);
  t.equal(substituteOf('de-JP'), 'de');
  t.equal(substituteOf('zh-Hant-US'), 'zh-Hant');
  t.equal(substituteOf('tlh'), 'en');
  t.equal(substituteOf('de-u-nu-arab'), 'de');
  t.equal(formatterOf('zh-HK').date(date('2026-03-09'), 'short'), '9/3/2026');
  for (const tag of ['de_CH', 'e', 'en-', '', 'de-CH-', 'x-private', `en-${'a'.repeat(70)}`])
    t.notOk(isLanguageTag(tag), tag);
  for (const tag of ['de', 'de-CH-1996', 'en-x-twain', 'sl-rozaj-biske', 'zh-cmn-Hans-CN'])
    t.ok(isLanguageTag(tag), tag);
  t.end();
});
