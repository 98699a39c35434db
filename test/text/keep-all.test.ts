// `word-break: keep-all`: the lines that Chromium breaks random strings into.
import t from 'tap';
import { loadDictionaries } from '../../lib/fonts/dictionaries.js';
import { breakOpportunities, keepAll } from '../../lib/text/line-break.js';

/** Texts with a bar wherever Chromium breaks lines. */
const BROKEN = [
  '가００っ |9゙文b、|마0%）',
  '²々、|①０나ひ２라  |１',
  '๑๑がⅣก|라。|ら１゙',
  'ァ２々22 |́$·-…|글ーYッ글๑',
  '·กe、…|한々 |カな|「·|な글é',
  'e0、|㈠２中0|「ナゃっひ',
  'ゝ。|·๑ナ）|漢9ナ㈠e、|ー々|%0',
  '$文|$１한0ゝ라 |글글/々日',
  '² |日中글らe…|๑ |ea글ゝ',
  'か㈠」 |①０ナXก|か、|한',
  'ゝ́-  |e文タ๑ゃ…|๑ |々０字',
  '。 |漢한0$라|（①한๑$。',
  '½€-|ナッ字ら、 |½나0',
  '한ら마ゞ9²|（Ya',
  '①ナかゝ́、|っ１',
  '゙）|ひっ|「한ナ |カ글-々Ⅳ語0바ァ',
  'X-|a２|€½ |゙|が…-|語…|Y中마',
  '㈠e²|「日0、|漢々한/|文２마',
];

t.test('breaks lines where Chromium does', async (t) => {
  await loadDictionaries('ก');
  for (const broken of BROKEN) {
    const text = broken.replaceAll('|', '');
    const kept = keepAll(text, breakOpportunities(text));
    const found = Array.from(text, (_, i) => (kept[i] ? '|' : '') + text[i]).join('');
    t.equal(found, broken);
  }
});

t.test('letters outside of the first plane and letters with marks are kept together too', (t) => {
  for (const text of ['漢\u{20000}字', 'か\u3099か', '\u{20000}\u{20001}']) {
    t.notOk(keepAll(text, breakOpportunities(text)).includes(1), text);
  }
  t.end();
});

t.test('words of a script that a dictionary breaks still break', async (t) => {
  await loadDictionaries('ภาษาไทย');
  const text = 'ภาษาไทยไม่มีช่องว่าง';
  t.same(keepAll(text, breakOpportunities(text)), breakOpportunities(text));
});
