// The search of the documentation site: which sections a query finds, and in which order.
import t from 'tap';
import { type Section, search } from '../../../web/guide/search.js';

const SECTIONS: readonly Section[] = [
  ['text.html', 'spans', 'Text', 'Spans', 'Parts of a text in fonts of their own.', '{ "fontSize": 32 }'],
  ['payload.html', 'text', 'Payload', 'text', 'fontSize is the size of the text. minFontSize is the smallest.', ''],
  ['visuals.html', 'shadows', 'Visuals', 'Shadows', 'A shadow lies below its layer: blur, offsets, colour.', ''],
  ['visuals.html', 'filter', 'Visuals', 'filter', 'blur() and drop-shadow() take a standard deviation.', ''],
  ['limits.html', 'limits', 'Limits', 'Limits', 'Żółć, Ελλάδα and 日本語 are words too.', ''],
];
const found = (query: string) => search(SECTIONS, query).map(({ url }) => url);

t.test('puts headings before texts, and these before code', async (t) => {
  t.same(found('shadow'), ['visuals.html#shadows', 'visuals.html#filter']);
  t.same(found('FontSize'), ['payload.html#text', 'text.html#spans']);
});

t.test('needs every word of the query, wherever it is', async (t) => {
  t.same(found('blur deviation'), ['visuals.html#filter']);
  t.same(found('visuals colour'), ['visuals.html#shadows'], 'one is in the title of the page');
  t.same(found('blur zebra'), []);
  t.same(found('  '), []);
});

t.test('finds words of every script, and the middle of words', async (t) => {
  for (const word of ['żółć', 'ελλάδα', '日本語']) t.same(found(word), ['limits.html#limits'], word);
  t.same(found('viation'), ['visuals.html#filter']);
});

t.test('shows the text around the word, and never more than 20 sections', async (t) => {
  const long = `${'before '.repeat(50)}needle ${'after '.repeat(50)}`;
  const many = Array.from({ length: 30 }, (_, i): Section => ['a.html', `s${i}`, 'A', `S${i}`, long, '']);
  const hits = search(many, 'needle');
  t.equal(hits.length, 20);
  t.match(hits[0]!.excerpt, /^… (before )+needle (after )+/);
  t.ok(hits[0]!.excerpt.length < 200);
  t.match(search(SECTIONS, 'fontsize')[1]!.excerpt, '"fontSize": 32', 'of the code, if only that has the word');
});
