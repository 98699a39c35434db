// Line break opportunities: Unicode's test cases, then the additions of browsers and dictionaries.
import fc from 'fast-check';
import t from 'tap';
import { loadDictionaries } from '../../lib/fonts/dictionaries.js';
import { breakOpportunities, lineBreaks } from '../../lib/text/line-break.js';
import { graphemesOf } from '../../lib/unicode/graphemes.js';
import { breakCase, unicodeLines, versionOf, withoutUnicode } from '../unicode/files.js';

const LINE_BREAK = 'auxiliary/LineBreakTest.txt';

await loadDictionaries('ไລខမ');

const indices = (allowed: Uint8Array) => [...allowed].flatMap((one, index) => (one ? [index] : []));

/** The text with | at every break opportunity. */
function parted(text: string): string {
  const allowed = breakOpportunities(text);
  return Array.from({ length: text.length }, (_, i) => (allowed[i] ? '|' : '') + text[i]).join('');
}

/**
 * Changes to UAX #14 from Unicode 15.1 to 17, as they show in the cases of version 15.0, and the number of cases that each
 * affects.
 */
const SINCE_15_0: readonly { rule: string; pattern: RegExp; cases: number }[] = [
  { rule: 'LB20a: no break after a hyphen at a word’s start', pattern: /^× 002D (× 0308 )?÷ /, cases: 10 },
  { rule: 'LB21a: a break before a Hebrew letter after a hyphen', pattern: /^× 05D0 × 002D × 05D0 ÷$/, cases: 1 },
  { rule: 'LB25: no break before a digit after a comma', pattern: /^× 002C (× 0308 )?÷ 0030 ÷$/, cases: 2 },
  { rule: 'LB25: no break before a digit after a full stop', pattern: /00(61|41) × 002E ÷ 003[0-9]/, cases: 11 },
  { rule: 'LB15: gone for straight quotes', pattern: /^× 0022 (× 0308 )?× 0020 × (2329|0028) ÷$/, cases: 4 },
  { rule: 'LB15a, LB15b: French quotes', pattern: /× 00AB × 0020 /, cases: 4 },
  { rule: 'LB15c: a break before a decimal point after a blank', pattern: /× 0020 × 002E ÷ 0033 × 0035/, cases: 1 },
];

// fault: 65
t.test('LineBreakTest', { skip: withoutUnicode(LINE_BREAK) }, (t) => {
  const lines = unicodeLines(LINE_BREAK);
  const wrong = lines.filter((line) => {
    const { text, breaks } = breakCase(line);
    return indices(lineBreaks(text)).join() !== breaks.join();
  });
  t.ok(lines.length > 7000, `${lines.length} cases`);
  const unexplained = wrong.filter((line) => !SINCE_15_0.some(({ pattern }) => pattern.test(line)));
  t.same(unexplained, [], 'every case but those that a newer Unicode changed');
  if (versionOf(LINE_BREAK) === '15.0.0') {
    for (const { rule, pattern, cases } of SINCE_15_0) {
      t.equal(wrong.filter((line) => pattern.test(line)).length, cases, rule);
    }
  }
  t.end();
});

t.test('applies rules newer than the test file', (t) => {
  for (const text of ['-5', 'x |−5', '.5', 'a.2', '(1,5)', '—-|x', '«\u00a0a\u00a0»', '« a »']) {
    const whole = text.replaceAll('|', '');
    t.equal(parted(whole), text);
  }
  t.equal(parted('2024-05-17'), '2024-05-17');
  t.equal(parted('你“好”吗'), '你|“好”|吗');
  t.equal(parted('a“b”c'), 'a“b”c');
  t.equal(parted('e-mail and -x'), 'e-|mail |and |-x');
  t.equal(parted('ᬅᬓ᭄ᬱᬭ'), 'ᬅ|ᬓ᭄ᬱ|ᬭ', 'Balinese aksaras hold together');
  t.end();
});

t.test('breaks everyday text as browsers do', (t) => {
  for (const text of [
    'https://|example.com/|some/|path?|a=b&c=d#e',
    'and/|or, |(all) |of |50% |at |$100',
    'soft\u00ad|hyphen, |no\u00a0break, |word\u2060joiner, |zero\u200b|width',
    'em|—|dash, |em |— |dash, |a…|b',
    '日|本|語|と|English|が、|す|る。|「引|用」|で|す',
    'フ|ァ|イ|ル',
    '1,234.56 |€ |and |¥1,200',
    '👨‍👩‍👧‍👦|👍🏽|🇫🇷|🇩🇪|❤️|1️⃣',
    'שלום-|עולם |עולם',
    'hello\t|world',
    '한|국|어 |글',
  ]) {
    t.equal(parted(text.replaceAll('|', '')), text);
  }
  t.end();
});

t.test('breaks between dictionary words in scripts without spaces', (t) => {
  t.equal(parted('ภาษาไทยไม่มีช่องว่าง'), 'ภาษา|ไทย|ไม่มี|ช่อง|ว่าง');
  t.equal(parted('ไทยabc๑๒ฯ'), 'ไทยabc๑๒ฯ', 'none towards Latin, digits and signs');
  t.equal(parted('“ไทย”'), '“ไทย”');
  t.ok(parted('ສະບາຍດີຊາວໂລກ').includes('|'), 'Lao');
  t.ok(parted('សួស្តីពិភពលោក').includes('|'), 'Khmer');
  t.ok(parted('မင်္ဂလာပါကမ္ဘာလောက').includes('|'), 'Burmese');
  t.equal(parted('ខ្ញុំស្រឡាញ់ភាសា'), 'ខ្ញុំ|ស្រឡាញ់|ភាសា');
  t.equal(parted('ພາສາລາວຫຼາຍ'), 'ພາສາ|ລາວ|ຫຼາຍ');
  t.equal(parted('မြန်မာစာသည်'), 'မြန်မာ|စာ|သည်');
  t.equal(parted('ไทย\u200cสวย'), 'ไทย\u200cสวย', 'none at a joiner within a word');
  t.equal(parted('သူများ။ ၁၂၃'), 'သူများ။ |၁၂၃');
  t.equal(parted('নাম বড়। শেষ'), 'নাম |বড়। |শেষ', 'blanks part the other Indic scripts');
  t.equal(parted('የሰው፡ልጅ'), 'የሰው፡|ልጅ', 'the Ethiopic word space');
  t.end();
});

t.test('never breaks inside a grapheme, at either end or between surrogates', (t) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
      const allowed = breakOpportunities(text);
      const within = indices(allowed).filter((index) => {
        const code = text.charCodeAt(index);
        return (
          index === 0 ||
          index === text.length ||
          (code >= 0xdc00 && code < 0xe000 && text.codePointAt(index - 1)! > 0xffff)
        );
      });
      return allowed.length === text.length + 1 && within.length === 0;
    }),
    { seed: 14 },
  );
  for (const emoji of ['👩🏽‍🚀', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '👁️‍🗨️', '#️⃣', '🧑‍🤝‍🧑']) {
    t.equal(graphemesOf(emoji).length, 1);
    t.same(indices(breakOpportunities(emoji)), [], emoji);
  }
  t.end();
});
