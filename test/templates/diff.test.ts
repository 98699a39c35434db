// The differences of two templates: fields and pixels.
import t from 'tap';
import { diffTemplates } from '../../lib/templates/diff.js';
import { diffPixels } from '../../lib/templates/pixel-diff.js';

const box = { x: 0, y: 0, width: 10, height: 10 };
const title = { key: 'title', label: 'Title', type: 'text', ...box, text: 'Hello' };
const logo = { id: 'logo', type: 'image', ...box, url: 'a.png' };
const rule = { type: 'shape', ...box, shapeType: 'line' };
const card = { name: 'Card', width: 100, height: 50, background: { color: 'red' } };

t.test('equal records have no differences', async (t) => {
  const whole = { ...card, layers: [rule, logo], hotspots: [title] };
  t.same(diffTemplates(whole, structuredClone(whole)), []);
  t.same(diffTemplates({ b: 1, a: { d: 1, c: [1] } }, { a: { c: [1], d: 1 }, b: 1 }), []);
});

t.test('fields that are changed, added and removed', async (t) => {
  const before = { ...card, layers: [rule], hotspots: [{ ...title, shadow: { blur: 1, offsetX: 2 } }] };
  const after = {
    ...card,
    width: 120,
    background: { url: 'b.png' },
    layers: [{ ...rule, x: 5 }],
    hotspots: [{ ...title, text: 'Bye', shadow: { blur: 3, offsetX: 2 }, 'a b': [1, 2] }],
  };
  t.strictSame(diffTemplates(before, after), [
    { path: 'width', before: 100, after: 120 },
    { path: 'background.color', before: 'red' },
    { path: 'background.url', after: 'b.png' },
    { path: 'layers[0].x', before: 0, after: 5 },
    { path: 'hotspots.title.text', before: 'Hello', after: 'Bye' },
    { path: 'hotspots.title.shadow.blur', before: 1, after: 3 },
    { path: 'hotspots.title["a b"]', after: [1, 2] },
  ]);
});

t.test('layers are matched by key and id; the others by their order', async (t) => {
  const photo = { ...logo, id: undefined, key: 'photo' };
  t.strictSame(diffTemplates({ ...card, layers: [rule, logo] }, { ...card, layers: [photo, logo, rule] }), [
    { path: 'hotspots.photo', after: { ...photo } },
    { path: 'order', before: ['layers[0]', 'layers.logo'], after: ['layers.logo', 'layers[0]'] },
  ]);
  t.strictSame(diffTemplates({ ...card, layers: [rule, rule] }, { ...card, layers: [rule] }), [
    { path: 'layers[1]', before: rule },
  ]);
  t.strictSame(diffTemplates({ ...card, hotspots: [title] }, { ...card, layers: [title] }), [
    { path: 'hotspots.title', before: 'in hotspots', after: 'in layers' },
  ]);
  const twins = [logo, { ...logo, x: 1 }];
  t.strictSame(diffTemplates({ layers: twins }, { layers: [logo, { ...logo, x: 2 }] }), [
    { path: 'layers[1].x', before: 1, after: 2 },
  ]);
});

t.test('layers that move into a group, out of it or into another', async (t) => {
  const group = (id: string | undefined, ...layers: object[]) => ({ ...(id && { id }), type: 'group', ...box, layers });
  const differences = (before: object[], after: object[]) =>
    diffTemplates({ ...card, layers: before }, { ...card, layers: after });
  t.strictSame(differences([group('a'), logo], [group('a', logo)]), [
    { path: 'layers.logo', before: 'in layers', after: 'in layers.a' },
  ]);
  t.strictSame(differences([group('a', title), group('b')], [group('a'), group('b', title)]), [
    { path: 'hotspots.title', before: 'in layers.a', after: 'in layers.b' },
    {
      path: 'order',
      before: ['layers.a', 'hotspots.title', 'layers.b'],
      after: ['layers.a', 'layers.b', 'hotspots.title'],
    },
  ]);
  t.strictSame(differences([group(undefined, logo)], [group(undefined), logo]), [
    { path: 'layers.logo', before: 'in layers[0]', after: 'in layers' },
  ]);
  const inner = group('inner', logo);
  t.strictSame(
    differences([group('a', inner)], [group('a'), inner]),
    [{ path: 'layers.inner', before: 'in layers.a', after: 'in layers' }],
    'what is in a group that moves stays in it',
  );
  t.strictSame(
    differences([group(undefined, logo)], [group('first'), group(undefined, logo)]),
    [{ path: 'layers.first', after: { id: 'first', type: 'group', ...box } }],
    'a group without an id is known by its order',
  );
});

t.test('long text is shortened, with a checksum that tells two texts apart', async (t) => {
  const url = (letter: string) => `data:image/png;base64,${letter.repeat(5000)}`;
  const [difference, ...others] = diffTemplates(
    { layers: [{ ...logo, url: url('A') }] },
    { layers: [{ ...logo, url: url('B') }] },
  );
  t.same(others, []);
  t.match(difference.before, /^data:image\/png;base64,A{18}… \(5022 characters, CRC-32 [0-9a-f]{8}\)$/);
  const checksum = (text: unknown) => /CRC-32 (\w+)/.exec(String(text))?.[1];
  t.not(checksum(difference.before), checksum(difference.after));
  const [{ after }] = diffTemplates({}, { layers: [{ ...logo, url: url('A') }] });
  t.equal((after as { url: string }).url, difference.before);
});

t.test('names that objects inherit are names like others', async (t) => {
  const after = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2, "layers": [{"key": "__proto__", "x": 1}]}');
  t.same(
    diffTemplates({}, after).map(({ path }) => path),
    ['__proto__', 'constructor', 'hotspots.__proto__'],
  );
});

t.test('pixels that differ are red on a faded copy', async (t) => {
  const pixels = (width: number, ...values: number[][]) => ({
    width,
    height: values.length / width,
    data: Uint8ClampedArray.from(values.flat()),
  });
  const black = [0, 0, 0, 255];
  const red = [255, 0, 0, 255];
  const before = pixels(2, black, black, [9, 9, 9, 0], [0, 0, 0, 128]);
  const after = pixels(2, black, [1, 0, 0, 255], [5, 5, 5, 0], [0, 0, 0, 128]);
  const { data, ...rest } = diffPixels(before, after);
  t.same(rest, { width: 2, height: 2, differing: 1 });
  t.same([...data], [191, 191, 191, 255, ...red, 255, 255, 255, 255, 223, 223, 223, 255]);
  t.equal(diffPixels(before, before).differing, 0);
  // pixels that only one image has differ; the corner that neither has is white
  const wide = diffPixels(pixels(2, black, black), pixels(1, black, black));
  t.same(
    { ...wide, data: [...wide.data] },
    {
      width: 2,
      height: 2,
      differing: 2,
      data: [191, 191, 191, 255, ...red, ...red, 255, 255, 255, 255],
    },
  );
});
