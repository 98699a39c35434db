// Checks a file that is to be stored as an asset: it must decode or load as in a render, within the same limits. The work is
// that of untrusted bytes, so the service and the command run it in a render process (workers/inspect-asset.ts).
import type { InputFormat } from '../codecs/codec.js';
import { describe } from '../codecs/sniff.js';
import { RenderError } from '../errors.js';
import type { Typeface } from '../fonts/typeface.js';
import type { RunDecode } from '../stage-budget.js';
import { AssetFile } from './asset-file.js';
import { createAssets } from './loader.js';

/** The description of an asset from its file. */
export type AssetDescription = ImageDescription | FontDescription;

export interface ImageDescription {
  readonly kind: 'image';
  readonly mimeType: string;
  /** Pixels as displayed: after the EXIF orientation. An SVG's own size is rounded. */
  readonly width: number;
  readonly height: number;
}

export interface FontDescription {
  readonly kind: 'font';
  readonly mimeType: string;
  readonly family: string;
  /** CSS weight, 1–1000. */
  readonly weight: number;
  readonly style: 'normal' | 'italic';
  readonly typeface: Typeface;
}

const IMAGE_TYPES: Record<InputFormat, string> = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  avif: 'image/avif',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** Font types by the first four bytes. */
const FONT_TYPES = new Map([
  ['\0\x01\0\0', 'font/ttf'],
  ['true', 'font/ttf'],
  ['OTTO', 'font/otf'],
  ['ttcf', 'font/collection'],
  ['wOFF', 'font/woff'],
  ['wOF2', 'font/woff2'],
]);

/**
 * Describes an image or a font after decoding it, with images of up to `maxPixels`. Throws RenderError `invalid_request` for
 * anything else, and for a file that a render would reject. `runDecode`: as in a render; its `render_timeout` is passed on.
 */
export async function inspectAsset(
  bytes: Uint8Array,
  maxPixels: number,
  runDecode?: RunDecode,
): Promise<AssetDescription> {
  const file = new AssetFile(bytes);
  const type = sniffAsset(file);
  if (type === undefined) throw invalidFile(unknownAsset(bytes));
  try {
    if (file.format !== undefined) return await inspectImage(file, type, maxPixels, runDecode);
    return await (runDecode ? runDecode('font', () => inspectFont(bytes, type)) : inspectFont(bytes, type));
  } catch (cause) {
    if (!(cause instanceof RenderError) || cause.code === 'render_timeout') throw cause;
    throw invalidFile(cause.message, cause);
  }
}

/** The media type of an image or a font by its first bytes, which are not decoded; undefined for anything else. */
export function sniffAsset({ bytes, format }: AssetFile): string | undefined {
  if (format !== undefined) return IMAGE_TYPES[format];
  return FONT_TYPES.get(String.fromCharCode(...bytes.subarray(0, 4)));
}

/** The message about bytes that are neither an image nor a font. */
export function unknownAsset(bytes: Uint8Array): string {
  const expected = 'expected a PNG, JPEG, WebP, AVIF, GIF or SVG image, or a TTF, OTF, WOFF or WOFF2 font';
  return `received ${describe(bytes)}, ${expected}`;
}

/** The details of a request's body have the path ''. */
function invalidFile(message: string, cause?: RenderError): RenderError {
  return new RenderError('invalid_request', message, {
    details: [{ code: 'invalid_value', path: '', message }],
    cause,
  });
}

/** Decodes the image as a render does. */
async function inspectImage(
  file: AssetFile,
  mimeType: string,
  maxPixels: number,
  runDecode: RunDecode | undefined,
): Promise<ImageDescription> {
  const url = 'asset:';
  const prefetched = new Map([[url, { file, digest: await file.digest() }]]);
  await createAssets({ timeoutMs: 0, maxBytes: 0, maxPixels, prefetched }).image(url, { runDecode });
  const [width, height] = [file.header.width, file.header.height].map((side) => Math.max(1, Math.round(side)));
  return { kind: 'image', mimeType, width, height };
}

async function inspectFont(bytes: Uint8Array, mimeType: string): Promise<FontDescription> {
  // imported on first use: few processes check fonts
  const { loadUserFont } = await import('../fonts/user-fonts.js');
  const { describeTypeface } = await import('../fonts/typeface.js');
  const { family, weight, style, bytes: sfnt } = await loadUserFont({ data: bytes });
  const typeface = await describeTypeface(family, sfnt);
  return { kind: 'font', mimeType, family, weight, style, typeface };
}
