// Creates stress sets: variables that show where a template breaks, made from the hotspots' own values. Pictures, and barcodes
// with their strict data, keep theirs.
import { givenTo, type HotspotField, hotspotFields, type Variables, variableNameOf } from '../../preview/hotspots.js';
import { listSamples } from './samples.js';

export type StressName = 'Long' | 'Empty' | 'Right to left' | 'CJK' | 'Emoji' | 'Numbers' | 'URLs';

export interface StressSet {
  readonly name: StressName;
  /** Describes what the set tests. */
  readonly description: string;
  readonly variables: Variables;
}

const LONG_WORDS = [
  'Donaudampfschifffahrtsgesellschaft',
  'incomprehensibilities',
  'Rindfleischetikettierungsgesetz',
  'counterrevolutionaries',
  'pneumonoultramicroscopicsilicovolcanoconiosis',
];

/** Texts in one script each; hotspots take turns. */
const RIGHT_TO_LEFT = [
  'افتتاح المعرض السنوي الكبير للفنون المعاصرة والتصميم يوم الخميس القادم في المدينة القديمة',
  'פתיחת התערוכה השנתית הגדולה לאמנות בת זמננו ולעיצוב ביום חמישי הקרוב בעיר העתיקה',
];
const CJK = [
  '现代艺术与设计年度大展将于下周四在老城区隆重开幕，欢迎各界朋友光临参观指导。',
  '現代アートとデザインの年次展覧会が、来週の木曜日に旧市街で開幕します。',
  '현대 미술과 디자인 연례 전시회가 다음 주 목요일 구시가지에서 개막합니다.',
];
/** Emoji with joined families, flags, key caps and skin tones. */
const EMOJI = '🎉 👩‍👩‍👧‍👦 ❤️‍🔥 🏳️‍🌈 👍🏽 🇯🇵 1️⃣ 🧑🏿‍🚀 ☕️ 🚀 ';
const LONG_URL =
  'https://www.example.com/collections/spring/products/a-very-long-product-name-that-never-ends?utm_source=newsletter&utm_medium=email&utm_campaign=spring-sale&ref=0123456789abcdef#reviews';
const LARGE_NUMBER = '-1234567890.99';

/** Length of the longest text below which a text counts as this long: shorter ones test little. */
const MIN_LONG = 12;

/** Price tags and counts: figures with signs and one mark before or behind. Dates and times count as texts. */
const NUMBER = /^([^\p{L}\d]{0,3}|\p{Lu}{3}\s)([-+]?\d[\d.,\u00a0\u202f\s]*)([^\d:/]{0,4})$/u;
const URL_START = /^(?:https?:\/\/|www\.)/i;

type Kind = 'text' | 'number' | 'url' | 'kept';

interface Slot {
  readonly field: HotspotField;
  readonly kind: Kind;
  /** The longest of the field's default and its samples. */
  readonly longest: string;
}

/** Returns the sets for a record; none if it has no variables. */
export function stressSets(record: unknown): StressSet[] {
  const fields = hotspotFields(record);
  if (fields.length === 0) return [];
  const samples = listSamples(record).map(({ variables }) => variables);
  const slots = fields.flatMap((field): Slot[] => (field.main ? [slotOf(fields, field, samples)] : []));
  // a hotspot without a value in the record may need a sample's
  const base = samples[0] ?? {};
  const set = (name: StressName, description: string, fill: (slot: Slot, index: number) => string | undefined) => {
    const variables: Record<string, unknown> = { ...base };
    for (const [index, slot] of slots.entries()) {
      const value = fill(slot, index);
      if (value === undefined) continue;
      const before = variableNameOf(fields, slot.field, variables);
      if (before !== undefined && before !== slot.field.key) delete variables[before];
      variables[slot.field.key] = value;
    }
    return { name, description, variables };
  };
  const sets = [
    set('Long', 'three times the longest text, with long words', longOf),
    set('Empty', 'no text at all', ({ kind }) => (kind === 'text' ? '' : undefined)),
    set('Right to left', 'Arabic and Hebrew', ({ kind, field, longest }, index) => {
      if (kind === 'text') return sized(RIGHT_TO_LEFT[index % RIGHT_TO_LEFT.length]!, longest.length, ' ');
      // formats accept only English figures
      return kind === 'number' && !field.content ? withFigures(longest, ARABIC_FIGURES) : undefined;
    }),
    set('CJK', 'Chinese, Japanese and Korean', ({ kind, longest }, index) =>
      // an ideograph is about as wide as two letters
      kind === 'text' ? sized(CJK[index % CJK.length]!, Math.ceil(longest.length / 2), '') : undefined,
    ),
    set('Emoji', 'joined emoji, flags and skin tones', ({ kind, longest }) =>
      kind === 'text' ? sized(EMOJI, Math.max(MIN_LONG, longest.length), '') : undefined,
    ),
  ];
  const has = (kind: Kind) => slots.some((slot) => slot.kind === kind);
  if (has('number')) {
    sets.push(
      set('Numbers', 'large and negative numbers', ({ kind, field, longest }) => {
        if (kind !== 'number') return undefined;
        return field.content === 'number' ? LARGE_NUMBER : withNumber(longest, '-1,234,567,890.99');
      }),
    );
  }
  if (has('url')) sets.push(set('URLs', 'a long address', ({ kind }) => (kind === 'url' ? LONG_URL : undefined)));
  return sets;
}

function slotOf(fields: readonly HotspotField[], field: HotspotField, samples: readonly Variables[]): Slot {
  const main = field.main!;
  const values = samples.map((variables) => givenTo(fields, field, variables)[main.field]);
  const texts = [main.standard, ...values.filter((value) => value !== undefined && value !== null).map(String)];
  const longest = texts.reduce((a, b) => (b.length > a.length ? b : a));
  return { field, longest, kind: kindOf(field, longest) };
}

function kindOf({ type, content }: HotspotField, longest: string): Kind {
  if (type === 'qrcode') return URL_START.test(longest) ? 'url' : 'kept';
  if (content === 'number') return 'number';
  if ((type !== 'text' && type !== 'placeholder') || content !== undefined) return 'kept';
  if (URL_START.test(longest)) return 'url';
  return NUMBER.test(longest) ? 'number' : 'text';
}

function longOf({ kind, field, longest }: Slot, index: number): string | undefined {
  if (kind === 'url') return LONG_URL;
  if (kind === 'number') return field.content === 'number' ? '9876543210.99' : withNumber(longest, '9,876,543,210.99');
  if (kind === 'kept') return undefined;
  const wanted = 3 * Math.max(MIN_LONG, longest.length);
  const text = longest === '' ? field.label : longest;
  let long = text;
  for (let i = 0; long.length < wanted; i++) {
    long += ` ${i % 2 === 0 ? LONG_WORDS[(index + i / 2) % LONG_WORDS.length]! : text}`;
  }
  return long;
}

/** Repeats the phrase to about `length` characters, in whole words if it has any. */
function sized(phrase: string, length: number, separator: string): string {
  const wanted = Math.max(4, length);
  let repeated = phrase;
  while (repeated.length < wanted) repeated += separator + phrase;
  const end = repeated.indexOf(' ', wanted);
  if (phrase.includes(' ')) return (end < 0 ? repeated : repeated.slice(0, end)).trim();
  return repeated.slice(0, wanted);
}

const withNumber = (text: string, number: string): string =>
  text.replace(NUMBER, (_, before: string, figures: string, after: string) => {
    const space = /\s*$/.exec(figures)![0];
    return `${before}${number}${space}${after}`;
  });

const ARABIC_FIGURES = '٠١٢٣٤٥٦٧٨٩';
const withFigures = (text: string, figures: string): string => text.replace(/\d/g, (digit) => figures[Number(digit)]!);
