// The content of a text layer as spans: typing, formatting, and that plain texts stay plain.

import fc from 'fast-check';
import t from 'tap';
import { isEqual } from '../../../web/document/document.js';
import type { Json } from '../../../web/document/json.js';
import {
  mapFields,
  plainText,
  type RichText,
  replaceRange,
  richTextOf,
  slice,
  typeText,
  withContent,
} from '../../../web/document/rich-text.js';
import { hasStyle, type StyleChange, sharedStyle, withStyle } from '../../../web/document/text-style.js';

const BOLD = { fontWeight: 'bold' };
const plain = { type: 'text', text: 'Hello world', color: '#111111' };
const mixed = { type: 'text', spans: [{ text: 'Hello ' }, { text: 'bold', ...BOLD }, { text: ' end' }] };

t.test('a text without fields of its own stays text, and becomes text again', async (t) => {
  const typed = withContent(plain, typeText(richTextOf(plain), 5, 5, ','));
  t.same(typed, { ...plain, text: 'Hello, world' });
  const bold = withStyle(plain, { start: 0, end: 5 }, { toggle: 'bold', isOn: true });
  t.same(bold, { type: 'text', color: '#111111', spans: [{ text: 'Hello', ...BOLD }, { text: ' world' }] });
  const back = withStyle(bold, { start: 0, end: 5 }, { toggle: 'bold', isOn: false });
  t.same(back, plain);
  t.equal(withContent(plain, richTextOf(plain)), plain, 'no change');
});

t.test('what is typed looks like the character before it', async (t) => {
  const content = richTextOf(mixed);
  t.same(typeText(content, 10, 10, '!')[1], { text: 'bold!', fields: BOLD }, 'behind bold');
  t.same(typeText(content, 6, 6, 'not ')[0], { text: 'Hello not ', fields: {} }, 'before bold');
  t.same(typeText(content, 6, 10, 'new')[1], { text: 'new', fields: BOLD }, 'over bold');
  const leading = richTextOf({ spans: [{ text: 'b', ...BOLD }, { text: 'c' }] });
  t.same(typeText(leading, 0, 0, 'a')[0], { text: 'ab', fields: BOLD }, 'at the start, like what follows');
});

t.test('line ends are those of text fields, and what is no text counts as none', async (t) => {
  t.equal(plainText(richTextOf({ text: 'a\r\nb\rc' })), 'a\nb\nc');
  t.same(richTextOf({ text: 5 }), []);
  t.same(richTextOf({ spans: [{ text: 'a' }, null, { text: null, color: 'red' }] }), [{ text: 'a', fields: {} }]);
});

t.test('what all of a text gets is a field of the layer', async (t) => {
  const all = { start: 0, end: 14 };
  const red = withStyle(mixed, all, { field: 'color', value: '#ff0000' });
  t.same(red, { ...mixed, color: '#ff0000' });
  const bold = withStyle(mixed, all, { toggle: 'bold', isOn: true });
  t.same(bold, { type: 'text', text: 'Hello bold end', ...BOLD });
  t.same(withStyle(bold, all, { toggle: 'bold', isOn: false }), { type: 'text', text: 'Hello bold end' });
});

t.test('a part of a bold or italic text is made regular', async (t) => {
  const layer = { type: 'text', text: 'abc', fontWeight: '800', fontStyle: 'italic' };
  const part = { start: 1, end: 2 };
  t.ok(hasStyle(layer, part, 'bold'));
  const regular = withStyle(layer, part, { toggle: 'bold', isOn: false });
  t.same(regular.spans, [{ text: 'a' }, { text: 'b', fontWeight: 'normal' }, { text: 'c' }]);
  t.notOk(hasStyle(regular, part, 'bold'));
  t.same(withStyle(regular, part, { toggle: 'bold', isOn: true }), { ...layer }, 'and bold as the layer is');
  const upright = withStyle(layer, part, { toggle: 'italic', isOn: false });
  t.same((upright.spans as Json[])[1], { text: 'b', fontStyle: 'normal' });
});

t.test('lines go on and off beside each other, also those of the layer', async (t) => {
  const layer = { type: 'text', text: 'abc' };
  const part = { start: 1, end: 2 };
  const both = (['underline', 'strike'] as const).reduce<Json>(
    (raw, toggle) => withStyle(raw, part, { toggle, isOn: true }),
    layer,
  );
  t.same((both.spans as Json[])[1], { text: 'b', textDecoration: 'underline line-through' });
  const struck = withStyle(both, part, { toggle: 'underline', isOn: false });
  t.same((struck.spans as Json[])[1], { text: 'b', textDecoration: 'line-through' });
  const wavy = { type: 'text', text: 'abc', textDecoration: { line: 'underline', style: 'wavy' } };
  const partly = withStyle(wavy, part, { toggle: 'underline', isOn: false });
  const line = { line: 'underline', style: 'wavy' };
  const spans = [{ text: 'a', textDecoration: line }, { text: 'b' }, { text: 'c', textDecoration: line }];
  t.same(partly, { type: 'text', spans });
  t.notOk(hasStyle(partly, part, 'underline'));
});

t.test('a style that its parts do not share is unknown', async (t) => {
  const red = withStyle(plain, { start: 0, end: 5 }, { field: 'color', value: '#ff0000' });
  t.equal(sharedStyle(red, { start: 0, end: 5 }, 'color'), '#ff0000');
  t.equal(sharedStyle(red, { start: 6, end: 8 }, 'color'), '#111111');
  t.equal(sharedStyle(red, { start: 3, end: 8 }, 'color'), undefined);
  const back = withStyle(red, { start: 0, end: 5 }, { field: 'color', value: '#111111' });
  t.same(back, plain, 'the colour of the layer is no field of a span');
});

const fields = fc.constantFrom<Json>({}, BOLD, { color: 'red' }, { ...BOLD, color: 'red' }, { fontSize: 9 });
const content: fc.Arbitrary<RichText> = fc
  .array(fc.record({ text: fc.string({ maxLength: 5 }), fields }), { maxLength: 6 })
  .map((spans) => replaceRange([], 0, 0, spans));
const offsets = fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) }));

function isNormal(rich: RichText): boolean {
  return rich.every(({ text, fields }, i) => text !== '' && !(i > 0 && isEqual(rich[i - 1]!.fields, fields)));
}

/** The fields of each UTF-16 unit. */
const unitsOf = (rich: RichText) => rich.flatMap(({ text, fields }) => [...text.split('')].map(() => fields));

t.test('changes of spans do to the text what they do to a string, and leave the rest as it is', async () => {
  fc.assert(
    fc.property(content, offsets, content, (rich, { start, end }, inserted) => {
      const text = plainText(rich);
      const next = replaceRange(rich, start, end, inserted);
      const expected = text.slice(0, start) + plainText(inserted) + text.slice(end);
      const units = [...unitsOf(rich).slice(0, start), ...unitsOf(inserted), ...unitsOf(rich).slice(end)];
      return isNormal(next) && plainText(next) === expected && isEqual(unitsOf(next), units);
    }),
  );
  fc.assert(
    fc.property(content, offsets, (rich, { start, end }) => {
      const next = mapFields(rich, start, end, (each) => ({ ...each, letterSpacing: 2 }));
      const isRight = unitsOf(next).every((each, i) => (each.letterSpacing === 2) === (i >= start && i < end));
      return isNormal(next) && plainText(next) === plainText(rich) && isRight;
    }),
  );
  fc.assert(
    fc.property(content, offsets, (rich, { start, end }) => {
      const raw = withContent({ type: 'text', text: 'x' }, rich);
      const parts = [slice(rich, 0, start), slice(rich, start, end), slice(rich, end, Infinity)].flat();
      return isEqual(richTextOf(raw), rich) && isEqual(replaceRange([], 0, 0, parts), rich);
    }),
  );
});

const change: fc.Arbitrary<StyleChange> = fc.oneof(
  fc.record({
    toggle: fc.constantFrom('bold' as const, 'italic' as const, 'underline' as const, 'strike' as const),
    isOn: fc.boolean(),
  }),
  fc.record({ field: fc.constant('color' as const), value: fc.constantFrom('red', '#111111') }),
);

t.test('after any styles, a range has the style that it got last, and the text is the same', async () => {
  const layer = fc.constantFrom<Json>(plain, { ...plain, fontWeight: 'bold', textDecoration: 'underline' });
  fc.assert(
    fc.property(layer, fc.array(fc.tuple(offsets, change), { minLength: 1, maxLength: 8 }), (raw, steps) => {
      let styled: Json = raw;
      for (const [range, each] of steps) {
        const inText = { start: Math.min(range.start, 11), end: Math.min(range.end, 11) };
        styled = withStyle(styled, inText, each);
        if (plainText(richTextOf(styled)) !== 'Hello world') return false;
        if (inText.start === inText.end) continue;
        if ('toggle' in each && hasStyle(styled, inText, each.toggle) !== each.isOn) return false;
        if ('field' in each && sharedStyle(styled, inText, each.field) !== each.value) return false;
      }
      return true;
    }),
  );
});
