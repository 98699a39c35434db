// Reads an ICC profile of matrix and curves, or of one curve for gray (ICC.1:2022 sections 7 to 10; versions 2 and 4 are
// alike here). Profiles of tables and of inks are refused with the reason.
import { ProfileError, type ProfileSpace } from './color-space.js';
import { readCurve } from './curve.js';
import type { SampleKind } from './declared.js';

const HEADER_BYTES = 128;
const TAG_BYTES = 12;

/** Reads the profile of an image whose samples are of `kind`. Throws ProfileError. */
export function readIccProfile(bytes: Uint8Array, kind: SampleKind): ProfileSpace {
  if (bytes.length < HEADER_BYTES + 4) throw new ProfileError('it is truncated');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = (at: number) => String.fromCharCode(...bytes.subarray(at, at + 4));
  if (text(36) !== 'acsp') throw new ProfileError('it is no ICC profile');
  const length = view.getUint32(0);
  if (length > bytes.length) throw new ProfileError('it is truncated');
  const space = text(16);
  const connection = text(20);
  const tags = readTags(view, length, bytes);
  const has = (...names: readonly string[]) => names.every((name) => tags.has(name));

  if (space === 'GRAY' && kind === 'gray' && connection === 'XYZ ' && has('kTRC')) {
    return { kind: 'gray', curve: readCurve(tags.get('kTRC')!) };
  }
  if (space === 'RGB ' && kind !== 'cmyk' && connection === 'XYZ ' && has(...COLORANTS, ...CURVES)) {
    const [red, green, blue] = CURVES.map((name) => readCurve(tags.get(name)!));
    const columns = COLORANTS.map((name) => readXyz(tags.get(name)!));
    return { kind: 'rgb', curves: [red, green, blue], toXyz: [0, 1, 2].flatMap((row) => columns.map((c) => c[row])) };
  }
  throw new ProfileError(whyUnsupported(space, kind, has('A2B0') || has('A2B1')));
}

const COLORANTS = ['rXYZ', 'gXYZ', 'bXYZ'];
const CURVES = ['rTRC', 'gTRC', 'bTRC'];
const USED = new Set([...COLORANTS, ...CURVES, 'kTRC', 'A2B0', 'A2B1']);

const SPACES = new Map([
  ['GRAY', 'gray'],
  ['RGB ', 'RGB'],
  ['CMYK', 'CMYK'],
]);
const SAMPLES: Record<SampleKind, string> = { gray: 'gray', rgb: 'RGB', cmyk: 'CMYK' };

function whyUnsupported(space: string, kind: SampleKind, hasTables: boolean): string {
  const name = SPACES.get(space);
  if (name === undefined) return 'its colour space is not supported';
  const fits = name === SAMPLES[kind] || (kind === 'gray' && name === 'RGB');
  if (!fits) return `it is for ${name} and the samples are ${SAMPLES[kind]}`;
  if (hasTables || name === 'CMYK') return 'it consists of tables; only profiles of matrix and curves are supported';
  return 'it lacks its curves or its matrix';
}

/** The tags that are used here; the last one of each name. Throws ProfileError for one that is not within the profile. */
function readTags(view: DataView, length: number, bytes: Uint8Array): Map<string, Uint8Array> {
  const count = view.getUint32(HEADER_BYTES);
  if (HEADER_BYTES + 4 + TAG_BYTES * count > length) throw new ProfileError('its list of tags is truncated');
  const tags = new Map<string, Uint8Array>();
  for (let i = 0; i < count; i++) {
    const at = HEADER_BYTES + 4 + TAG_BYTES * i;
    const name = String.fromCharCode(...bytes.subarray(at, at + 4));
    if (!USED.has(name)) continue;
    const start = view.getUint32(at + 4);
    const end = start + view.getUint32(at + 8);
    if (end > length) throw new ProfileError(`its tag ${name} is truncated`);
    tags.set(name, bytes.subarray(start, end));
  }
  return tags;
}

/** The first triple of an XYZ tag. */
function readXyz(tag: Uint8Array): number[] {
  if (tag.length < 20 || String.fromCharCode(...tag.subarray(0, 4)) !== 'XYZ ')
    throw new ProfileError('its matrix is malformed');
  const view = new DataView(tag.buffer, tag.byteOffset, tag.byteLength);
  return [8, 12, 16].map((at) => view.getInt32(at) / 65536);
}
