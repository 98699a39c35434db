// Cards with one code each, good and bad ones: small, turned, pale, inverted, covered, with logos, on photographs.
import { PNG } from 'pngjs';
import { dice, pick, roll } from '../exhaustive.js';

type Random = () => number;

export interface Card {
  readonly payload: { readonly canvas: object; readonly layers: readonly object[] };
  /** The code's data, as scanners print it. */
  readonly data: string;
  /** The index of the code's layer. */
  readonly at: number;
  /** Unusual traits, for the report. */
  readonly traits: readonly string[];
}

const SYMBOLOGIES = ['qrcode', 'ean13', 'ean8', 'upca', 'code128', 'code39', 'itf14'] as const;
export type Symbology = (typeof SYMBOLOGIES)[number];

/** The card of a seed. `symbologies`: those that are drawn from. */
export function card(seed: number, symbologies: readonly Symbology[] = SYMBOLOGIES): Card {
  const random = dice(seed);
  const symbology = pick(random, symbologies);
  const traits: string[] = [symbology];
  const trait = (name: string, share: number): boolean => {
    const has = random() < share;
    if (has) traits.push(name);
    return has;
  };
  const canvas = { width: 360 + roll(random, 500), height: 320 + roll(random, 300), backgroundColor: '#ffffff' };
  const layers: object[] = [];
  if (trait('photograph', 0.3)) {
    const size = { width: canvas.width, height: canvas.height };
    layers.push({ type: 'image', url: photograph(random), fit: 'fill', x: 0, y: 0, ...size });
  } else canvas.backgroundColor = pick(random, ['#ffffff', '#ffffff', '#f4f1ea', '#c7d2fe', '#1e293b', '#16a34a']);

  const data = dataOf(symbology, random);
  const [columns, rows] = modulesOf(symbology, data);
  const margin = symbology === 'qrcode' ? pick(random, [0, 1, 2, 4, 4, 4]) : pick(random, [0, 4, 11, 11, 11]);
  const unit = trait('small', 0.25) ? 1.2 + 1.6 * random() : pick(random, [2, 3, 4, 2 + 2 * random()]);
  const width = Math.round((columns + 2 * margin) * unit);
  const height = symbology === 'qrcode' ? width : Math.round((rows + 2 * margin) * unit);
  const box = {
    x: roll(random, Math.max(1, canvas.width - width)),
    y: roll(random, Math.max(1, canvas.height - height)),
    width,
    height,
  };
  const rotation = trait('turned', 0.35) ? pick(random, [90, 180, 270, 5, -8, 15, 30, 45, roll(random, 360)]) : 0;
  const colours = coloursOf(random, trait);
  layers.push({
    type: symbology === 'qrcode' ? 'qrcode' : 'barcode',
    ...(symbology !== 'qrcode' && { symbology, showText: random() < 0.3 }),
    data,
    ...box,
    margin,
    rotation,
    ...colours,
    ...(symbology === 'qrcode' && { errorCorrectionLevel: pick(random, ['L', 'M', 'Q', 'H']) }),
    ...(trait('translucent', 0.1) && { opacity: 0.2 + 0.7 * random() }),
    ...(trait('shadow', 0.1) && { shadow: { blur: 8, offsetX: 3, offsetY: 3 } }),
  });
  const at = layers.length - 1;
  if (symbology === 'qrcode' && trait('logo', 0.2)) {
    const side = Math.round(width * (0.1 + 0.3 * random()));
    const middle = { x: box.x + (width - side) / 2, y: box.y + (height - side) / 2, width: side, height: side };
    layers.push({
      type: 'shape',
      shapeType: 'rounded_rectangle',
      fillColor: pick(random, ['#ffffff', '#dc2626', '#2563eb']),
      ...middle,
    });
  }
  if (trait('covered', 0.12)) {
    const size = { width: 4 + roll(random, 0.3 * width), height: 4 + roll(random, 0.3 * height) };
    const place = {
      x: box.x + roll(random, width) - size.width / 2,
      y: box.y + roll(random, height) - size.height / 2,
    };
    layers.push({
      type: 'shape',
      shapeType: pick(random, ['rectangle', 'circle']),
      fillColor: pick(random, ['#111827', '#ffffff', '#f97316']),
      ...place,
      ...size,
    });
  }
  return { payload: { canvas, layers }, data, at, traits };
}

type Trait = (name: string, share: number) => boolean;

function coloursOf(random: Random, trait: Trait): object {
  const grey = (value: number) => `rgb(${value}, ${value}, ${value})`;
  if (trait('pale', 0.2)) {
    const light = 60 + roll(random, 190);
    return { colorLight: grey(light), colorDark: grey(Math.max(0, light - 5 - roll(random, 110))) };
  }
  if (trait('inverted', 0.05)) return { colorDark: '#ffffff', colorLight: '#0f172a' };
  if (trait('no ground', 0.1)) return { colorLight: 'transparent' };
  return pick(random, [
    {},
    {},
    { colorDark: '#1e3a8a', colorLight: '#fef3c7' },
    { colorDark: '#b91c1c' },
    { colorDark: '#ea580c', colorLight: '#fff7ed' },
    { colorDark: '#65a30d', colorLight: '#ecfccb' },
  ]);
}

const digits = (random: Random, count: number) => Array.from({ length: count }, () => roll(random, 10)).join('');
const letters = (random: Random, from: string, count: number) =>
  Array.from({ length: count }, () => from[roll(random, from.length)]).join('');

/** The check digit of EAN, UPC and ITF-14 (GS1 General Specifications, section 7.9). */
function withCheckDigit(number: string): string {
  const sum = [...number].reverse().reduce((total, digit, i) => total + Number(digit) * (i % 2 === 0 ? 3 : 1), 0);
  return `${number}${(10 - (sum % 10)) % 10}`;
}

function dataOf(symbology: Symbology, random: Random): string {
  switch (symbology) {
    case 'qrcode':
      return pick(random, [
        `https://example.com/t/${roll(random, 1e9)}`,
        letters(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 abcdefghijklmnop.-', 1 + roll(random, 200)),
        digits(random, 4 + roll(random, 60)),
        `Grüße Nr. ${roll(random, 1e6)}`,
      ]);
    case 'ean13':
      return withCheckDigit(`${1 + roll(random, 9)}${digits(random, 11)}`);
    case 'ean8':
      return withCheckDigit(digits(random, 7));
    case 'upca':
      return withCheckDigit(digits(random, 11));
    case 'itf14':
      return withCheckDigit(digits(random, 13));
    case 'code39':
      return `A${letters(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789', 3 + roll(random, 8))}`;
    case 'code128':
      return `A${letters(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789abcdefghijklm-', 4 + roll(random, 12))}`;
  }
}

/** About how many modules the code has, from side to side and from top to bottom. */
function modulesOf(symbology: Symbology, data: string): readonly [columns: number, rows: number] {
  switch (symbology) {
    case 'qrcode': {
      const side = data.length < 40 ? 29 : data.length < 100 ? 41 : 57;
      return [side, side];
    }
    case 'ean8':
      return [67, 40];
    case 'itf14':
      return [139, 50];
    case 'code39':
      return [16 * (data.length + 2), 50];
    case 'code128':
      return [11 * data.length + 35, 50];
    default:
      return [95, 60];
  }
}

/** A picture of soft colours, edges and grain, as a PNG. */
function photograph(random: Random): string {
  const [width, height] = [160, 120];
  const png = new PNG({ width, height });
  const waves = Array.from({ length: 6 }, () => ({
    x: (random() - 0.5) / 6,
    y: (random() - 0.5) / 6,
    phase: 7 * random(),
    tint: [random(), random(), random()],
  }));
  const brightness = 60 + 130 * random();
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 4) {
      const grain = 24 * (random() - 0.5);
      const colour = [brightness + grain, brightness + grain, brightness + grain];
      for (const wave of waves) {
        const level = 30 * Math.sin(x * wave.x + y * wave.y + wave.phase);
        for (let channel = 0; channel < 3; channel++) colour[channel] += level * wave.tint[channel];
      }
      for (let channel = 0; channel < 3; channel++) png.data[i + channel] = Math.max(0, Math.min(255, colour[channel]));
      png.data[i + 3] = 255;
    }
  }
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`;
}
