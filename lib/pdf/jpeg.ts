// JPEG files in a document: the coded data as it came, without metadata (ISO 32000-1, 7.4.8). Colour profiles become colour
// spaces.

import { concatBytes } from '../bytes/bytes.js';
import { checkJpegScans, isUnusuallySampled, isYCbCr, type JpegHeader, readJpegHeader } from '../codecs/jpeg/header.js';
import { withoutMetadata } from '../codecs/jpeg/without-metadata.js';

export interface Jpeg {
  readonly data: Uint8Array;
  /** The size as stored. */
  readonly width: number;
  readonly height: number;
  readonly components: number;
  readonly space: string;
  readonly profile: Uint8Array | undefined;
  /** More entries of the picture's dictionary. */
  readonly parameters: string;
}

const SPACES: Readonly<Record<number, string>> = { 1: '/DeviceGray', 3: '/DeviceRGB', 4: '/DeviceCMYK' };

const known = new WeakMap<Uint8Array, { readonly jpeg: Jpeg | undefined }>();

/** The picture of a JPEG file; undefined for other files, and for those that viewers may not decode. */
export function readJpeg(file: Uint8Array): Jpeg | undefined {
  let found = known.get(file);
  if (!found) {
    found = { jpeg: file[0] === 0xff && file[1] === 0xd8 ? parse(file) : undefined };
    known.set(file, found);
  }
  return found.jpeg;
}

function parse(file: Uint8Array): Jpeg | undefined {
  const header = readJpegHeader(file);
  const { width, height, components, adobe } = header;
  const { isComplete, end } = checkJpegScans(file);
  if (!isComplete || isUnusuallySampled(header)) return undefined;
  // Adobe's programs store inverted CMYK, and say so by their marker alone
  const isInverted = components.length === 4 && adobe !== undefined;
  const parameters = components.length === 3 && !isYCbCr(header) ? '/DecodeParms<</ColorTransform 0>>' : '';
  return {
    data: withoutMetadata(file.subarray(0, end)),
    width,
    height,
    components: components.length,
    space: SPACES[components.length],
    profile: profileOf(header),
    parameters: isInverted ? '/Decode[1 0 1 0 1 0 1 0]' : parameters,
  };
}

/** The ICC profile, if it is complete and of the picture's kind of colours. */
function profileOf({ colors, components }: JpegHeader): Uint8Array | undefined {
  if (colors?.kind !== 'iccSegments') return undefined;
  // a segment begins with its number, and the number of all
  const parts = [...colors.segments].sort((p, q) => p[0] - q[0]);
  if (parts.some((part, i) => part[0] !== i + 1 || part[1] !== parts.length)) return undefined;
  const profile = concatBytes(parts.map((part) => part.slice(2)));
  const space = String.fromCharCode(...profile.subarray(16, 20));
  return space === { 1: 'GRAY', 3: 'RGB ', 4: 'CMYK' }[components.length] ? profile : undefined;
}
