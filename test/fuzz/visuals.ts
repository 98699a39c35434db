// Values in CSS syntax for every field that takes one: random valid values, with tokens inserted, doubled and cut.
import { parseLayer } from '../../lib/contract/layers/parse.js';
import type { Random } from './random.js';
import { clipPath, filters, gradient, markup, type Palette, pathData, spans, typesetting } from './random-visuals.js';
import { dataUrl, json, smallPng } from './samples.js';
import { COLOR_PIECES, NUMBERS, STRINGS } from './words.js';

const BOX = { x: 0, y: 0, width: 40, height: 40 };
const SHAPE = { type: 'shape', shapeType: 'rectangle', ...BOX };
const IMAGE = { type: 'image', ...BOX };

/** Effects that hold pictures while the layers in the group are drawn. */
const GROUP_EFFECTS = {
  opacity: 0.9,
  clip: true,
  clipPath: 'circle(90%)',
  maskImage: 'linear-gradient(red, transparent)',
  shadow: { offsetX: 9, blur: 4 },
};

/** A layer for a value of each field; `group`: a filter list of a group, which holds the layers after it. */
const LAYERS: Readonly<Record<string, (value: string) => object>> = {
  fillColor: (value) => ({ ...SHAPE, fillColor: value }),
  border: (value) => ({ ...SHAPE, border: { width: 4, color: value } }),
  color: (value) => ({ type: 'text', ...BOX, text: 'Ag', fontSize: 30, color: value }),
  filter: (value) => ({ ...SHAPE, filter: value }),
  backdropFilter: (value) => ({ ...SHAPE, fillColor: 'transparent', backdropFilter: value }),
  maskImage: (value) => ({ ...SHAPE, maskImage: value }),
  clipPath: (value) => ({ ...SHAPE, clipPath: value }),
  d: (value) => ({ ...SHAPE, shapeType: 'path', d: value, border: { width: 3, dash: [4, 1], cap: 'round' } }),
  group: (value) => ({ type: 'group', ...BOX, filter: value, ...GROUP_EFFECTS, layers: [] }),
  item: (value) => ({
    type: 'group',
    ...BOX,
    ...{ layout: 'row', wrapItems: true, gap: 1, alignItems: 'baseline' },
    layers: [
      { type: 'text', text: 'a b', width: 'auto', height: 'auto', ...itemOf(value) },
      { ...SHAPE, ...itemOf(value) },
      { ...IMAGE, url: dataUrl(smallPng()), width: 'auto', height: 'fill' },
    ],
  }),
  text: (value) => ({ type: 'text', ...BOX, backgroundColor: 'red', ...fieldsOf(value), autoFit: true }),
  itemText: (value) => ({
    type: 'group',
    ...BOX,
    ...{ layout: 'column', alignItems: 'baseline' },
    layers: [{ type: 'text', width: 'auto', height: 'auto', grow: 1, ...fieldsOf(value) }],
  }),
  position: (value) => ({ ...IMAGE, url: dataUrl(smallPng()), fit: 'none', position: value }),
};

/** The fields of a layer in a layout, from words of a name and a value each. */
function itemOf(value: string): object {
  const words = value.split(' ').map((word) => word.split(':'));
  return Object.fromEntries(
    words.flatMap(([name, given = '']) => {
      if (!ITEM_FIELDS.some(([known]) => known === name)) return [];
      return [[name, given === '' || Number.isNaN(Number(given)) ? given : Number(given)]];
    }),
  );
}

/** The fields of a text as JSON; none where it has become something else. */
function fieldsOf(value: string): object {
  try {
    const fields: unknown = JSON.parse(value);
    return { text: 'Ag', ...(typeof fields === 'object' && fields) };
  } catch {
    return { text: value };
  }
}

const SIZES = ['auto', 'fill', '50%', '1000%', '0', '7.3', '1e6'];
const ITEM_FIELDS: readonly (readonly [string, readonly string[]])[] = [
  ['width', SIZES],
  ['height', SIZES],
  ['minWidth', ['0', '90%', '1e6']],
  ['maxHeight', ['0', '10%', '33']],
  ['grow', ['0.2', '1e6']],
  ['shrink', ['0', '0.001', '1e6']],
  ['aspectRatio', ['0.001', '1', '1000']],
  ['margin', ['-1e6', '-3', '5', '1e6']],
  ['alignSelf', ['stretch', 'center', 'baseline']],
];

const PIECES = [
  ...COLOR_PIECES,
  ...NUMBERS.map(String),
  ...[
    'linear-gradient(',
    'repeating-conic-gradient(',
    'in oklch longer hue',
    'at',
    'from',
    'to',
    'circle',
    'px',
    '1e30px',
  ],
  ...[
    'blur(',
    'drop-shadow(',
    'polygon(',
    'evenodd',
    'inset(',
    'round',
    "path('",
    'center',
    'left',
    'a',
    'z',
    'A0 0 0 0 0',
  ],
];

const SEPARATOR = '\x1e';
const ASSIGNMENT = '\x1f';

function valid(random: Random, field: string): string {
  const palette: Palette = {
    random,
    color: () => random.pick(['red', '#1234', 'rgb(1 2 3 / 40%)', 'hsl(20 90% 50%)', 'transparent']),
    between: (low, high) => low + (high - low) * (random.below(1000) / 1000),
    pictures: [],
  };
  if (field === 'group' && random.oneIn(3)) return 'drop-shadow(9000px -7000px 300px red) blur(900px)';
  if (field === 'filter' || field === 'backdropFilter' || field === 'group') return filters(palette);
  if (field === 'clipPath') return clipPath(palette);
  if (field === 'd') return pathData(palette).repeat(random.oneIn(6) ? 2000 : 1);
  if (field === 'text' || field === 'itemText') return JSON.stringify(textFields(palette));
  if (field === 'item') {
    return Array.from({ length: 4 }, () => {
      const [name, values] = random.pick(ITEM_FIELDS);
      return `${name}:${random.pick(values)}`;
    }).join(' ');
  }
  if (field === 'position') return random.pick(['top', '10% -20px', 'right 3px bottom 10%', 'smart', 'center']);
  return gradient(palette);
}

function textFields(palette: Palette): object {
  const { random } = palette;
  const text = random.pick([random.pick(STRINGS), 'Ag fi **b** _c_', 'a b ==c d== ~~e~~', 'שלום Ag 12', 'a\nb\tc']);
  const content = random.oneIn(2) ? { spans: spans(palette, text, []) } : markup(palette, text, []);
  // the library for browsers cannot hyphenate: the payloads that are compared with it don't ask for it
  const hyphens = random.oneIn(6) && { hyphens: 'auto', language: random.pick(['en', 'de', 'fr-CA', 'x']) };
  return { fontSize: random.pick([1, 9, 40, 1000]), ...content, ...typesetting(palette), ...hyphens };
}

/** Lines of a field and a value each. */
export function makeVisuals(random: Random): Uint8Array {
  const lines = Array.from({ length: 10 }, () => {
    const field = random.pick(Object.keys(LAYERS));
    let value = valid(random, field);
    for (let left = random.below(3); left > 0; left--) {
      const at = random.below(value.length + 1);
      const piece = random.oneIn(4)
        ? value.slice(random.below(at + 1), at).repeat(random.below(60))
        : random.pick(PIECES);
      value = value.slice(0, at) + piece + value.slice(at + random.below(4));
    }
    return field + ASSIGNMENT + value;
  });
  return Uint8Array.from(Buffer.from(lines.join(SEPARATOR)));
}

/** A canvas with the layers whose values are valid; with all of them if none is. */
export function visualsRequest(input: Uint8Array): { readonly body: Uint8Array } {
  const layers = Buffer.from(input)
    .toString()
    .split(SEPARATOR)
    .flatMap((line) => {
      const [field, value = ''] = line.split(ASSIGNMENT);
      return Object.hasOwn(LAYERS, field) ? [LAYERS[field](value)] : [];
    });
  const accepted = layers.filter((layer) => parseLayer(layer, '').layer);
  return { body: json({ canvas: BOX, layers: nested(accepted.length > 0 ? accepted : layers) }) };
}

/** The layers, those after a group inside it. */
function nested(layers: readonly object[]): object[] {
  const outer: object[] = [];
  let list = outer;
  for (const layer of layers) {
    const inside: object[] = [];
    const isGroup = 'layers' in layer && !('layout' in layer);
    list.push(isGroup ? { ...layer, layers: inside } : layer);
    if (isGroup) list = inside;
  }
  return outer;
}
