// The fuzz targets: for each kind of input its seeds, its mutations and the request that carries it.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseColor } from '../../lib/contract/css/parse-color.js';
import { parseJson } from '../../lib/contract/json/parse.js';
import { checkTemplate } from '../../lib/contract/template/parse.js';
import { mutateBytes } from './bytes.js';
import { csvRequest } from './csv.js';
import type { Container } from './parts.js';
import { GIF, ISOBMFF, JPEG, mutateFile, PNG, RIFF } from './pictures.js';
import { createRandom, type Random } from './random.js';
import { dataUrl, everyField, everySvg, json, smallPng } from './samples.js';
import { findSeeds, fontSeeds, type Seed, type SeedOptions } from './seeds.js';
import { SFNT, WOFF } from './sfnt.js';
import { mutateColor, mutateCsv, mutateJson, mutateSvg } from './texts.js';
import { makeVisuals, visualsRequest } from './visuals.js';

const box = { x: 4, y: 4, width: 40, height: 20 };
/** A template with placeholders in every kind of string, and with sizes. */
const SIZED = {
  template: {
    name: 'Ticket',
    width: 80,
    height: 60,
    placeholders: true,
    background: { color: '#123456' },
    layers: [
      { id: 'seat', type: 'text', ...box, text: 'Row {{row}}, \\{{seat}} {{seat|–}} {{price:number(2):upper|free}}' },
      {
        id: 'box',
        type: 'group',
        ...box,
        layers: [{ key: 'name', type: 'text', ...box, text: '{{Full name:lower}}' }],
      },
      { type: 'image', ...box, url: 'data:image/svg+xml,{{picture}}', fallbackColor: 'red' },
    ],
    hotspots: [{ key: 'code', label: 'Full name', type: 'qrcode', ...box, data: 'https://a.test/{{id:url}}' }],
    sizes: {
      story: {
        width: 40,
        height: 80,
        layers: { seat: { text: '{{seat}}', y: 40 }, name: { fontSize: 8 }, code: { y: 20 } },
      },
      square: { width: 40, height: 40, scale: 2, background: { color: null }, layers: { box: { visible: false } } },
    },
  },
  variables: { row: 'A', price: 12.345, 'Full name': 'Ada', id: '7 b', picture: '<svg/>' },
  size: 'story',
};

/** A posted body, with the stored template that it names. */
export interface Request {
  readonly body: Uint8Array;
  readonly record?: unknown;
}

export interface Target {
  readonly name: string;
  /** Extension of the files in the corpus. */
  readonly extension: string;
  seeds(options: SeedOptions): Seed[] | Promise<Seed[]>;
  mutate(random: Random, input: Uint8Array, others: readonly Uint8Array[]): Uint8Array;
  /** Throws RenderError for what the product refuses before there is a request. */
  request(input: Uint8Array): Request | Promise<Request>;
}

export const MAX_LAYERS = 500;

const FIXTURES = ['test/codecs/fixtures', 'test/golden', 'examples/pictures'];

const BOX = { x: 0, y: 0, width: 40, height: 40 };

function picture(name: string, container: Container, pattern: RegExp): Target {
  return {
    name,
    extension: name,
    seeds: (options) => findSeeds(options, FIXTURES, pattern),
    mutate: (random, input, others) => mutateFile(random, container, input, others),
    request: pictureRequest,
  };
}

function pictureRequest(bytes: Uint8Array): Request {
  const layers = [{ type: 'image', ...BOX, url: dataUrl(bytes) }];
  return { body: json({ canvas: { width: 40, height: 40 }, layers }) };
}

const SAMPLE = 'AVA fi \u00e9\u0301 שלום नमस्ते 1/2';

function font(name: string, container: Container | undefined, kind: 'sfnt' | 'woff' | 'woff2'): Target {
  return {
    name,
    extension: name,
    seeds: (options) => fontSeeds(options, kind),
    mutate: (random, input, others) =>
      container ? mutateFile(random, container, input, others) : mutateBytes(random, input, others, []),
    request(bytes) {
      const customFontUrl = dataUrl(bytes);
      const text = { type: 'text', ...BOX, width: 200, customFontUrl, text: SAMPLE, fontSize: 20 };
      const layers = [text, { ...text, y: 50, fontWeight: '700', autoFit: true, letterSpacing: 2 }];
      return { body: json({ canvas: { width: 200, height: 100 }, layers }) };
    },
  };
}

const COLOR_LINES = ['#336699', 'rgb(10 20 30 / 0.5)', 'hsl(120deg, 50%, 50%)', 'hwb(90 10% 10%)', 'rebeccapurple'];

export const TARGETS: readonly Target[] = [
  {
    name: 'json',
    extension: 'json',
    seeds: async (options) => [
      ...examples(options),
      ...(await visuals(options)),
      { name: 'every field', bytes: json(everyField()) },
    ],
    mutate: mutateJson,
    request: (body) => ({ body }),
  },
  {
    name: 'template',
    extension: 'json',
    seeds: (options) => [
      ...findSeeds(options, ['data/templates'], /\.json$/).map(({ name, bytes }) => ({
        name,
        bytes: json({ template: JSON.parse(local(bytes)), variables: { title: 'A title', link: 'https://a.test/' } }),
      })),
      { name: 'placeholders and sizes', bytes: json(SIZED) },
    ],
    mutate: mutateJson,
    request(input) {
      const { template, variables, size } = Object(parseJson(input)) as Record<string, unknown>;
      checkTemplate(template, { maxLayers: MAX_LAYERS });
      return { body: json({ templateId: 'fuzzed', variables, size, responseType: 'binary' }), record: template };
    },
  },
  picture('png', PNG, /\.png$/),
  picture('jpeg', JPEG, /\.jpe?g$/),
  picture('webp', RIFF, /\.webp$/),
  picture('avif', ISOBMFF, /\.avif$/),
  picture('gif', GIF, /\.gif$/),
  {
    name: 'colors',
    extension: 'txt',
    seeds: () => [{ name: 'colours', bytes: Buffer.from(COLOR_LINES.join('\x1e')) }],
    mutate: (random) =>
      Uint8Array.from(
        Buffer.from(Array.from({ length: 12 }, () => mutateColor(random, random.pick(COLOR_LINES))).join('\x1e')),
      ),
    request: colorRequest,
  },
  {
    name: 'visuals',
    extension: 'txt',
    seeds: () => [{ name: 'values in CSS syntax', bytes: makeVisuals(createRandom('visuals')) }],
    mutate: makeVisuals,
    request: visualsRequest,
  },
  {
    name: 'csv',
    extension: 'csv',
    seeds: (options) =>
      findSeeds(options, ['data/templates'], /\.(csv|jsonl)$/).map(({ name, bytes }) => ({
        name,
        bytes: Buffer.from(Buffer.from(bytes).toString().replaceAll('../../examples/', 'http://127.0.0.1:1/')),
      })),
    mutate: mutateCsv,
    request: csvRequest,
  },
  {
    name: 'svg',
    extension: 'svg',
    seeds: (options) => [
      { name: 'every element', bytes: Buffer.from(everySvg()) },
      ...findSeeds(options, FIXTURES, /\.svg$/, 16384),
    ],
    mutate: mutateSvg,
    request: pictureRequest,
  },
  font('sfnt', SFNT, 'sfnt'),
  font('woff', WOFF, 'woff'),
  font('woff2', undefined, 'woff2'),
];

/** Requests a colour. An accepted one must be valid; the others are refused, each in a separate layer. */
function colorRequest(input: Uint8Array): Request {
  const colors = Buffer.from(input).toString().split('\x1e');
  const taken = colors.filter((text) => {
    const color = parseColor(text);
    if (!color) return false;
    const { r, g, b, a } = color;
    const isColor = [r, g, b].every((part) => Number.isInteger(part) && part >= 0 && part <= 255) && a >= 0 && a <= 1;
    if (!isColor) throw new Error(`${JSON.stringify(text)} is taken for ${JSON.stringify(color)}`);
    return true;
  });
  const shape = { type: 'shape', shapeType: 'rectangle', ...BOX };
  const drawn = taken.length > 0 ? taken : colors;
  return { body: json({ canvas: BOX, layers: drawn.map((fillColor) => ({ ...shape, fillColor })) }) };
}

/** A seed's addresses lead nowhere, whatever a change makes of them, and its files are within it. */
function local(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString()
    .replace(/https?:\/\/[^/"]+/g, 'http://127.0.0.1:1')
    .replace(/"(url|customFontUrl)": *"(?!data:|http)[^"]*"/g, `"$1": "${dataUrl(smallPng())}"`);
}

function examples(options: SeedOptions): Seed[] {
  return findSeeds(options, ['examples', 'test/golden'], /\.json$/, 8192).map(({ name, bytes }) => ({
    name,
    bytes: Uint8Array.from(Buffer.from(small(local(bytes)))),
  }));
}

/** The payloads below the pictures of docs/. */
async function visuals({ root }: SeedOptions): Promise<Seed[]> {
  const { listVisuals } = await import(pathToFileURL(join(root, 'docs/visuals.mjs')).href);
  return (listVisuals() as { path: string; payload: object }[]).map(({ path, payload }) => ({
    name: path,
    bytes: Uint8Array.from(Buffer.from(small(local(json(payload))))),
  }));
}

/** Canvases that take no time: sizes are changed by the fuzzer, too. */
function small(text: string): string {
  return text.replace(/"(width|height)": *([89]\d\d|\d{4})\b/g, '"$1": 320');
}
