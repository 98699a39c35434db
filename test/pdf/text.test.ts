// The text of PDF documents: copying it gives the source text, in every script. Poppler copies, where it is installed.
import t from 'tap';
import { brandFont } from '../fonts/brand-font.js';
import { copied, type Layers, pdfOf, readable, text } from './document.js';

async function copiedFrom(...layers: Layers): Promise<string[] | undefined> {
  return copied(await pdfOf([layers], {}, { width: 900, height: 1600, backgroundColor: '#fff' }));
}

const SAMPLES = [
  'Office affine waffle',
  'Здравствуй мир',
  'Γειά σου Κόσμε',
  'שלום עולם',
  'בְּרֵאשִׁית בָּרָא',
  'مرحبا بالعالم',
  'السَّلامُ عليكم',
  'नमस्ते दुनिया क्षत्रिय',
  'হ্যালো বিশ্ব ক্ষমা',
  'ਸਤ ਸ੍ਰੀ ਅਕਾਲ',
  'નમસ્તે વિશ્વ ક્ષત્રિય',
  'ନମସ୍କାର ବିଶ୍ୱ',
  'வணக்கம் உலகம் கொடு',
  'హలో ప్రపంచం క్ష్మి',
  'ಹಲೋ ಪ್ರಪಂಚ ಕ್ಷೇತ್ರ',
  'നമസ്കാരം ലോകം ക്ഷേമ',
  'හෙලෝ ලෝකය ශ්‍රී',
  'สวัสดีชาวโลก น้ำ',
  'ສະບາຍດີ ໂລກ ນ້ຳ',
  'မင်္ဂလာပါ ကမ္ဘာ',
  'សួស្តី ពិភពលោក ខ្មែរ',
  'ሰላም ልዑል',
  'Բարեւ աշխարհ',
  'გამარჯობა მსოფლიო',
  'こんにちは世界',
  '你好世界',
  '안녕하세요 세계',
  '😀 👩‍👩‍👧 🇩🇪 👍🏽',
];

t.test('copied text is the source text in every script', async (t) => {
  const lines = await copiedFrom(
    ...SAMPLES.map((sample, i) => text({ text: sample, y: 20 + 50 * i, height: 50, width: 860, fontSize: 28 })),
  );
  if (!lines) return t.pass('without poppler');
  t.strictSame(lines, SAMPLES);
});

t.test('hyphens of line breaks and ellipses are not copied', async (t) => {
  const broken = await copiedFrom(text({ text: 'extraordinary', width: 90, hyphens: 'auto', language: 'en' }));
  if (!broken) return t.pass('without poppler');
  t.ok(broken.length > 1);
  t.equal(broken.join(''), 'extraordinary');
  const cut = await copiedFrom(text({ text: 'one two three four five six seven', width: 150, maxLines: 1 }));
  t.match(cut, [/^one two( three?)?$/]);
  t.strictSame(await copiedFrom(text({ text: 'own hyphens - and … stay', width: 500 })), ['own hyphens - and … stay']);
});

t.test('text in spans, along paths, under gradients and in blurred layers is copied', async (t) => {
  const lines = await copiedFrom(
    text({ text: undefined, spans: [{ text: 'Two ' }, { text: 'styles', color: '#f00', fontWeight: 700 }] }),
    text({ y: 60, text: 'Along a path', textPath: 'M0 30 L300 30' }),
    text({ y: 110, text: 'Gradient', color: 'linear-gradient(90deg, red, blue)' }),
    text({ y: 160, text: 'Blurred', filter: 'blur(2px)' }),
    text({ y: 210, text: 'Multiplied', blendMode: 'plus-lighter' }),
  );
  if (!lines) return t.pass('without poppler');
  t.strictSame(lines, ['Two styles', 'Along a path', 'Gradient', 'Blurred', 'Multiplied']);
});

t.test('each face is one font, whose glyphs have the text of their first use', async (t) => {
  const pdf = readable(await pdfOf([[text({ text: 'abc' })], [text({ text: 'cba cba cba', width: 60, maxLines: 1 })]]));
  t.equal(pdf.split('/Subtype/Type0').length, 2);
  t.equal(pdf.split('beginbfchar').length, 2);
  t.match(pdf, '/ActualText<feff>', 'an ellipsis of layout has none');
});

t.test('a font that forbids embedding fails the render', async (t) => {
  const font = brandFont();
  const at = font.indexOf('OS/2');
  const fsType = font.readUInt32BE(at + 8) + 8;
  const layerOf = () => text({ text: 'A', customFontUrl: `data:font/ttf;base64,${font.toString('base64')}` });
  font.writeUInt16BE(2, fsType);
  await t.rejects(pdfOf([[layerOf()]]), { code: 'render_failed', message: /forbids to be embedded.*fsType 2/ });
  font.writeUInt16BE(8, fsType);
  await t.resolves(pdfOf([[layerOf()]]), 'editable embedding is embedding');
});
