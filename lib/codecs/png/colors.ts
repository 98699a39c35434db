// The chunks of a PNG that say what its samples mean (PNG specification, third edition, section 11.3.2). Several may be
// there for readers of different ages: cICP comes before iCCP, that before sRGB, and that before gAMA and cHRM. What counts
// is measured in Chromium 156.
import { type DeclaredColors, MAX_PROFILE_BYTES } from '../profile/declared.js';

/** The bytes that each chunk must have. */
const LENGTHS = new Map([
  ['cICP', 4],
  ['sRGB', 1],
  ['gAMA', 4],
  ['cHRM', 32],
]);

/** A code point of ITU-T H.273. */
const UNSPECIFIED = 2;

/** A gamma alone that differs from 1 / 2.2 by less than this part means sRGB; gAMA holds 100,000 times the exponent. */
const GAMMA_TOLERANCE = 0.05;
const SCREEN_GAMMA = 2.2 / 100_000;

export class ColorChunks {
  readonly #bodies = new Map<string, Uint8Array>();

  /** Whether the chunk is one of colours, the first of its type, and of the right length. */
  needs(type: string, length: number): boolean {
    const fits = type === 'iCCP' ? length <= MAX_PROFILE_BYTES : LENGTHS.get(type) === length;
    return fits && !this.#bodies.has(type);
  }

  add(type: string, body: Uint8Array): void {
    this.#bodies.set(type, body);
  }

  /** The combined declarations of the chunks. */
  get colors(): DeclaredColors | undefined {
    const coded = this.#bodies.get('cICP');
    // all is specified, and it is RGB, not the narrow range of video
    const isUsable = coded && coded[0] !== UNSPECIFIED && coded[1] !== UNSPECIFIED && coded[2] === 0 && coded[3] === 1;
    if (isUsable) return { kind: 'coded', primaries: coded[0], transfer: coded[1] };
    const chunk = this.#bodies.get('iCCP');
    if (chunk) return { kind: 'iccp', chunk };
    if (this.#bodies.has('sRGB')) return undefined;
    const gamma = this.#numbers('gAMA')?.[0];
    const chromaticities = this.#numbers('cHRM');
    // chromaticities say nothing of the curve
    if (gamma === undefined) return undefined;
    if (chromaticities) return { kind: 'png', gamma, chromaticities };
    return Math.abs(gamma * SCREEN_GAMMA - 1) > GAMMA_TOLERANCE ? { kind: 'png', gamma } : undefined;
  }

  #numbers(type: string): number[] | undefined {
    const body = this.#bodies.get(type);
    if (!body) return undefined;
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    return Array.from({ length: body.length / 4 }, (_, i) => view.getUint32(4 * i));
  }
}
