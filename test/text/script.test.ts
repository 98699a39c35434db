// Script resolution: characters shared by several scripts take their neighbours' script.
import t from 'tap';
import { OTHER, resolveScripts } from '../../lib/text/script.js';
import { graphemesOf } from '../../lib/unicode/graphemes.js';

/** The paragraph's runs as `script text`. */
function runsOf(text: string): string[] {
  const clusters = graphemesOf(text);
  const runs: { script: string | undefined; text: string }[] = [];
  resolveScripts(clusters).forEach((script, i) => {
    const last = runs.at(-1);
    if (last && last.script === script) last.text += clusters[i];
    else runs.push({ script, text: clusters[i] });
  });
  return runs.map((run) => `${run.script ?? 'none'} ${run.text}`);
}

for (const [text, expected] of [
  ['Hello, world 123!', ['Latn Hello, world 123!']],
  ['123 — 456', ['none 123 — 456']],
  ['123 abc', ['Latn 123 abc']],
  ['abc дом', ['Latn abc ', 'Cyrl дом']],
  ['العربية، نص؛ ١٢٣ ٪', ['Arab العربية، نص؛ ١٢٣ ٪']],
  ['، نص', ['Arab ، نص']],
  ['नमस्ते। १२३॥', ['Deva नमस्ते। १२३॥']],
  ['বাংলা।', ['Beng বাংলা।']],
  ['カタカナとひらがなー・。', ['Hira カタカナとひらがなー・。']],
  ['漢字とカナ', ['Hani 漢字', 'Hira とカナ']],
  ['日本語「引用」です', ['Hani 日本語「引用」', 'Hira です']],
  ['e\u0301 и\u0306', ['Latn e\u0301 ', 'Cyrl и\u0306']],
  ['\u25cc\u094d', ['Deva \u25cc\u094d']],
  ['שלום (abc) עולם', ['Hebr שלום (', 'Latn abc', 'Hebr ) עולם']],
  ['שלום [(abc]) עולם', ['Hebr שלום [(', 'Latn abc', 'Hebr ]) עולם']],
  ['(abc) שלום', ['Latn (abc) ', 'Hebr שלום']],
  ['abc (שלום) abc', ['Latn abc (', 'Hebr שלום', 'Latn ) abc']],
  ['ꦗꦮ abc', [`${OTHER} ꦗꦮ `, 'Latn abc']],
  ['👍 ok', ['Latn 👍 ok']],
  ['', []],
] as const) {
  t.same(runsOf(text), expected, text);
}

t.same(resolveScripts(new Array(5000).fill('(')), new Array(5000).fill(undefined), 'brackets without end');

t.test('the fast path for basic Latin gives the same scripts as the lookup', (t) => {
  for (const text of ['(abc) [d', '12, 3', ' a', ']}({ 1 Z', '\tx\u0001y', 'plain words, and more.']) {
    const clusters = text.split('');
    // a Latin letter beyond basic Latin forces the lookup
    const long = resolveScripts([...clusters, 'é']).slice(0, -1);
    const short = resolveScripts(clusters);
    t.same(short, /[a-z]/i.test(text) ? long : clusters.fill('').map(() => undefined), JSON.stringify(text));
  }
  t.end();
});
