// Values in CSS syntax for every field that takes one: random valid values, with tokens inserted, doubled and cut.
import { parseLayer } from '../../lib/contract/parse-layers.js';
import type { Random } from './random.js';
import { clipPath, filters, gradient, type Palette, pathData } from './random-visuals.js';
import { dataUrl, json, smallPng } from './samples.js';
import { COLOR_PIECES, NUMBERS } from './words.js';

const BOX = { x: 0, y: 0, width: 40, height: 40 };
const SHAPE = { type: 'shape', shapeType: 'rectangle', ...BOX };
const IMAGE = { type: 'image', ...BOX };

/** A layer for a value of each field. */
const LAYERS: Readonly<Record<string, (value: string) => object>> = {
  fillColor: (value) => ({ ...SHAPE, fillColor: value }),
  border: (value) => ({ ...SHAPE, border: { width: 4, color: value } }),
  color: (value) => ({ type: 'text', ...BOX, text: 'Ag', fontSize: 30, color: value }),
  filter: (value) => ({ ...SHAPE, filter: value }),
  backdropFilter: (value) => ({ ...SHAPE, fillColor: 'transparent', backdropFilter: value }),
  maskImage: (value) => ({ ...SHAPE, maskImage: value }),
  clipPath: (value) => ({ ...SHAPE, clipPath: value }),
  d: (value) => ({ ...SHAPE, shapeType: 'path', d: value, border: { width: 3, dash: [4, 1], cap: 'round' } }),
  position: (value) => ({ ...IMAGE, url: dataUrl(smallPng()), fit: 'none', position: value }),
};

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
  if (field === 'filter' || field === 'backdropFilter') return filters(palette);
  if (field === 'clipPath') return clipPath(palette);
  if (field === 'd') return pathData(palette);
  if (field === 'position') return random.pick(['top', '10% -20px', 'right 3px bottom 10%', 'smart', 'center']);
  return gradient(palette);
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
  return { body: json({ canvas: BOX, layers: accepted.length > 0 ? accepted : layers }) };
}
