// The ICC profile of sRGB (ICC.1:2004-10 and IEC 61966-2-1), by which documents for archives say what their colours are.
import { latin1 } from './syntax.js';

const HEADER_BYTES = 128;
const ENTRY_BYTES = 12;

/** The white of profiles: D50. */
const WHITE = [0.9642, 1, 0.8249];
/** Maps colours under D65, the white of sRGB, to those under D50 (Bradford). */
const ADAPTATION = [
  1.0478112, 0.0228866, -0.050127, 0.0295424, 0.9904844, -0.0170491, -0.0092345, 0.0150436, 0.7521316,
];
const PRIMARIES = {
  rXYZ: [0.4360747, 0.2225045, 0.0139322],
  gXYZ: [0.3850649, 0.7168786, 0.0971045],
  bXYZ: [0.1430804, 0.0606169, 0.7141733],
};
/** The curve of sRGB: (a x + b) to the power of g above d, c x below. */
const CURVE = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045];

export function srgbProfile(): Uint8Array {
  const curve = `para\0\0\0\0${uint16(3)}\0\0${CURVE.map(fixed).join('')}`;
  const tags: readonly (readonly [string, string])[] = [
    ['desc', localized('sRGB')],
    ['cprt', localized('No copyright, use freely')],
    ['wtpt', `XYZ \0\0\0\0${WHITE.map(fixed).join('')}`],
    ['chad', `sf32\0\0\0\0${ADAPTATION.map(fixed).join('')}`],
    ...Object.entries(PRIMARIES).map(([tag, values]) => [tag, `XYZ \0\0\0\0${values.map(fixed).join('')}`] as const),
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ];
  const places = new Map<string, number>();
  let data = '';
  let table = uint32(tags.length);
  const start = HEADER_BYTES + 4 + ENTRY_BYTES * tags.length;
  for (const [tag, value] of tags) {
    if (!places.has(value)) {
      places.set(value, start + data.length);
      data += value.padEnd(Math.ceil(value.length / 4) * 4, '\0');
    }
    table += tag + uint32(places.get(value) as number) + uint32(value.length);
  }
  const version = uint32(0x04200000);
  const date = [2026, 1, 1, 0, 0, 0].map(uint16).join('');
  const head = `\0\0\0\0${version}mntrRGB XYZ ${date}acsp${'\0'.repeat(28)}${WHITE.map(fixed).join('')}`;
  const rest = head.padEnd(HEADER_BYTES - 4, '\0') + table + data;
  return latin1(uint32(rest.length + 4) + rest);
}

/** A text in English. */
function localized(text: string): string {
  const utf16 = [...text].map((character) => uint16(character.charCodeAt(0))).join('');
  return `mluc\0\0\0\0${uint32(1)}${uint32(12)}enUS${uint32(utf16.length)}${uint32(28)}${utf16}`;
}

/** A number with 16 bits behind the point. */
function fixed(value: number): string {
  return uint32(Math.round(value * 65_536) >>> 0);
}

function uint32(value: number): string {
  return uint16(value >>> 16) + uint16(value & 0xffff);
}

function uint16(value: number): string {
  return String.fromCharCode(value >> 8, value & 255);
}
