// Reads a JPEG's markers up to the scan data (ITU T.81 annex B): size, components, colour model, EXIF orientation, ICC profile.
import { malformed, unsupported } from '../errors.js';
import type { Orientation } from '../orientation.js';
import { exifOrientation } from '../orientation.js';
import type { DeclaredColors } from '../profile/declared.js';
import { Reader } from '../reader.js';

export interface JpegComponent {
  readonly id: number;
  /** Sampling factors, horizontal and vertical: 1–4. */
  readonly horizontal: number;
  readonly vertical: number;
}

export interface JpegHeader {
  /** Width as stored, before orientation. */
  readonly width: number;
  readonly height: number;
  readonly components: readonly JpegComponent[];
  readonly isProgressive: boolean;
  readonly hasJfif: boolean;
  /** The colour transform of Adobe's APP14: 0 none (RGB or CMYK), 1 YCbCr, 2 YCCK. */
  readonly adobe?: { readonly transform: number; readonly transformAt: number };
  readonly orientation: Orientation;
  readonly colors?: DeclaredColors;
}

/** More scans than any encoder writes (about ten). */
const MAX_SCANS = 100;
/**
 * Each scan costs a pass over the entire image, whatever it contains. Large images may have fewer scans, but always at
 * least `ALWAYS_ALLOWED_SCANS`.
 */
const MAX_SCAN_PIXELS = 1e9;
const ALWAYS_ALLOWED_SCANS = 16;

/**
 * Maximum segments before the scan data. Real files have dozens, with large profiles a few thousand; 25 MB of small
 * ones took 1.5 s.
 */
const MAX_SEGMENTS = 2 ** 16;

/** Start of each segment of an ICC profile; its number and the number of all follow. */
const ICC_SIGNATURE = 'ICC_PROFILE\0';

const PROGRESSIVE = 0xc2;
const SCAN = 0xda;

/** Reads everything before the first scan. */
export function readJpegHeader(bytes: Uint8Array): JpegHeader {
  const reader = new Reader(bytes, 'jpeg');
  let frame: Pick<JpegHeader, 'width' | 'height' | 'components' | 'isProgressive'> | undefined;
  let hasJfif = false;
  let adobe: JpegHeader['adobe'];
  let orientation: Orientation | undefined;
  const profile: Uint8Array[] = [];
  let segments = 0;
  for (let at = 2; ; ) {
    const marker = reader.u8(at) === 0xff ? reader.u8(at + 1) : 0;
    if (marker === SCAN) break;
    if (marker === 0xd9) throw malformed('jpeg', 'it has no image data');
    if (++segments > MAX_SEGMENTS) throw malformed('jpeg', `it has more than ${MAX_SEGMENTS} segments`);
    if (hasNoLength(marker)) {
      // skip bytes outside segments up to the next marker, as libjpeg does
      const next = bytes.indexOf(0xff, at + (marker === 0xff || marker === 0 ? 1 : 2));
      if (next === -1) throw malformed('jpeg', 'it has no image data');
      at = next;
    } else {
      const length = reader.u16(at + 2);
      const start = at + 4;
      if (isFrame(marker)) {
        if (frame) throw malformed('jpeg', 'it has two frames');
        frame = readFrame(reader, marker, start);
      } else if (marker === 0xe0 && length >= 7 && reader.text(start, 5) === 'JFIF\0') hasJfif = true;
      else if (marker === 0xe1 && length > 8 && reader.text(start, 6) === 'Exif\0\0') {
        // the first non-empty EXIF segment applies, as in browsers: editors leave others after it
        orientation ??= exifOrientation(reader.slice(start + 6, length - 8));
      } else if (marker === 0xe2 && length >= 16 && reader.text(start, 12) === ICC_SIGNATURE) {
        profile.push(reader.slice(start + 12, length - 14));
      } else if (marker === 0xee && length >= 14 && reader.text(start, 5) === 'Adobe') {
        adobe = { transform: reader.u8(start + 11), transformAt: start + 11 };
      }
      at += 2 + Math.max(2, length);
    }
  }
  if (!frame) throw malformed('jpeg', 'it does not declare its image size');
  return {
    ...frame,
    hasJfif,
    orientation: orientation ?? 1,
    ...(adobe && { adobe }),
    ...(profile.length > 0 && { colors: { kind: 'iccSegments', segments: profile } }),
  };
}

export interface JpegScans {
  /** Whether the file has its end marker. */
  readonly isComplete: boolean;
  /** Offset of the end of the complete segments and scan data; excludes a truncated segment. */
  readonly end: number;
}

/**
 * Rejects files that would make a decoder work or allocate more than the header suggests: a second frame, or too many
 * scans.
 */
export function checkJpegScans(bytes: Uint8Array): JpegScans {
  let scans = 0;
  let maxScans = MAX_SCANS;
  let frames = 0;
  let at = 2;
  // 0 or a restart marker follows 0xFF in scan data. Segments may contain anything, so they are skipped.
  while (at < bytes.length) {
    const marker = bytes[at] === 0xff ? bytes[at + 1] : 0;
    if (marker < 0xc0 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd8)) {
      const next = bytes.indexOf(0xff, at + 1);
      at = next === -1 ? bytes.length : next;
      continue;
    }
    if (marker === 0xd9) return { isComplete: true, end: at + 2 };
    const end = at + 2 + Math.max(2, (bytes[at + 2] << 8) | bytes[at + 3]);
    if (!(end <= bytes.length)) break;
    if (isFrame(marker)) {
      if (++frames > 1) throw malformed('jpeg', 'it has two frames');
      const pixels = ((bytes[at + 5] << 8) | bytes[at + 6]) * ((bytes[at + 7] << 8) | bytes[at + 8]);
      maxScans = Math.max(ALWAYS_ALLOWED_SCANS, Math.min(MAX_SCANS, Math.floor(MAX_SCAN_PIXELS / pixels)));
    }
    if (marker === SCAN && ++scans > maxScans) throw unsupported('jpeg', `it has more than ${maxScans} scans`);
    at = end;
  }
  if (scans === 0) throw malformed('jpeg', 'its image data is truncated');
  return { isComplete: false, end: at };
}

/** Maximum blocks per MCU (annex B.2.3). */
const MAX_BLOCKS_PER_MCU = 10;

/** Whether libjpeg, and therefore browsers, reject the sampling factors; the fallback decoder accepts such files. */
export function isUnusuallySampled({ components }: Pick<JpegHeader, 'components'>): boolean {
  const maxH = Math.max(...components.map(({ horizontal }) => horizontal));
  const maxV = Math.max(...components.map(({ vertical }) => vertical));
  const blocks = components.reduce((sum, { horizontal, vertical }) => sum + horizontal * vertical, 0);
  const isFractional = components.some(({ horizontal, vertical }) => maxH % horizontal !== 0 || maxV % vertical !== 0);
  return components.length > 1 && (isFractional || blocks > MAX_BLOCKS_PER_MCU);
}

/** Whether it is no marker, padding before one, or a marker without a length: TEM and the restart markers. */
function hasNoLength(marker: number): boolean {
  return marker <= 1 || marker === 0xff || (marker >= 0xd0 && marker <= 0xd7);
}

/** SOF0–SOF15, except 0xC4, 0xC8 and 0xCC, which are other markers. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function readFrame(reader: Reader, marker: number, start: number) {
  if (marker > 0xc2) {
    const kind = marker >= 0xc9 ? 'arithmetic coding' : marker === 0xc3 ? 'lossless coding' : 'hierarchical coding';
    throw unsupported('jpeg', `it uses ${kind}`);
  }
  const depth = reader.u8(start);
  if (depth !== 8) throw unsupported('jpeg', `it has ${depth} bits per sample instead of 8`);
  const height = reader.u16(start + 1);
  const width = reader.u16(start + 3);
  if (width === 0 || height === 0) throw malformed('jpeg', `its size is ${width} × ${height}`);
  const count = reader.u8(start + 5);
  if (count !== 1 && count !== 3 && count !== 4) throw unsupported('jpeg', `it has ${count} colour components`);
  const components = Array.from({ length: count }, (_, i): JpegComponent => {
    const at = start + 6 + i * 3;
    const sampling = reader.u8(at + 1);
    const horizontal = sampling >> 4;
    const vertical = sampling & 15;
    if (horizontal < 1 || horizontal > 4 || vertical < 1 || vertical > 4) {
      throw malformed('jpeg', `a component has the sampling factors ${horizontal} × ${vertical}`);
    }
    return { id: reader.u8(at), horizontal, vertical };
  });
  return { width, height, components, isProgressive: marker === PROGRESSIVE };
}

/**
 * libjpeg's colour model rules. Three components: JFIF means YCbCr; else Adobe's marker decides; else the ids "RGB"
 * mean RGB, any others YCbCr. Four components: Adobe's marker decides.
 */
export function isYCbCr({ hasJfif, adobe, components }: JpegHeader): boolean {
  if (components.length === 4) return adobe !== undefined && adobe.transform !== 0;
  if (hasJfif) return true;
  if (adobe) return adobe.transform !== 0;
  return String.fromCharCode(...components.map((component) => component.id)) !== 'RGB';
}
