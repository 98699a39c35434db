// The transform to sRGB of a file that declares its colours, or why there is none.
import { concatBytes } from '../../bytes/bytes.js';
import { inflate } from '../../bytes/inflate.js';
import { codedSpace, pngSpace } from './coded.js';
import { ProfileError, type ProfileSpace } from './color-space.js';
import { type DeclaredColors, MAX_PROFILE_BYTES, type SampleKind, type StoredProfile } from './declared.js';
import { readIccProfile } from './icc.js';
import { type ColorTransform, transformToSrgb } from './transform.js';

export interface ReadColors {
  /** The transform; undefined if the samples are sRGB already, or count as sRGB. */
  readonly transform?: ColorTransform | undefined;
  /** Reason why the declaration is ignored; completes "its colour profile is ignored: …". */
  readonly ignored?: string;
}

/** Reads what a file with samples of `kind` declares. */
export function readColors(declared: DeclaredColors, kind: SampleKind): ReadColors {
  try {
    return { transform: transformToSrgb(spaceOf(declared, kind)) };
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return { ignored: error.message };
  }
}

function spaceOf(declared: DeclaredColors, kind: SampleKind): ProfileSpace {
  switch (declared.kind) {
    case 'coded':
      return codedSpace(declared);
    case 'png':
      return pngSpace(declared);
    default:
      return readIccProfile(profileOf(declared), kind);
  }
}

function profileOf(stored: StoredProfile): Uint8Array {
  switch (stored.kind) {
    case 'icc':
      return checkSize(stored.bytes);
    case 'iccSegments':
      return joinSegments(stored.segments);
    case 'iccp':
      return inflateChunk(stored.chunk);
  }
}

function checkSize(bytes: Uint8Array): Uint8Array {
  if (bytes.length > MAX_PROFILE_BYTES) throw tooLarge();
  return bytes;
}

const tooLarge = () => new ProfileError(`it has more than ${MAX_PROFILE_BYTES / 2 ** 20} MiB`);

/** Each segment begins with its number, from 1 on, and the number of all; they may come in any order. */
function joinSegments(segments: readonly Uint8Array[]): Uint8Array {
  const count = segments[0][1];
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for (const segment of segments) {
    const [number] = segment;
    if (segment[1] !== count || number < 1 || number > count || parts[number - 1])
      throw new ProfileError('its segments contradict each other');
    parts[number - 1] = segment.subarray(2);
    bytes += segment.length - 2;
  }
  if (segments.length < count) throw new ProfileError('one of its segments is missing');
  if (bytes > MAX_PROFILE_BYTES) throw tooLarge();
  return concatBytes(parts);
}

/** The longest name of a profile (PNG specification section 11.3.2.3). */
const MAX_NAME_BYTES = 79;

/** A name, a zero, the compression method 0, then a zlib stream. */
function inflateChunk(chunk: Uint8Array): Uint8Array {
  const end = chunk.subarray(0, MAX_NAME_BYTES + 1).indexOf(0);
  if (end === -1 || chunk[end + 1] !== 0) throw new ProfileError('its chunk is malformed');
  try {
    return inflate(chunk.subarray(end + 2), MAX_PROFILE_BYTES);
  } catch (cause) {
    throw new ProfileError('its data is corrupt or too large', { cause });
  }
}
