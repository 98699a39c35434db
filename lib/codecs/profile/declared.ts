// A file's declarations about the meaning of its samples. Read with the header, which allocates nothing: everything here is a
// number or a view of the file. `index.ts` reads the content of the views when the image is decoded.

/** An ICC profile, as the format stores it. */
export type StoredProfile =
  | { readonly kind: 'icc'; readonly bytes: Uint8Array }
  /** JPEG: the contents of the APP2 segments in file order, each after its signature (ICC.1:2022 annex B.4). */
  | { readonly kind: 'iccSegments'; readonly segments: readonly Uint8Array[] }
  /** PNG: the contents of the iCCP chunk. */
  | { readonly kind: 'iccp'; readonly chunk: Uint8Array };

/** Code points of ITU-T H.273, in PNG's cICP and AVIF's nclx. */
export interface CodedColors {
  readonly kind: 'coded';
  readonly primaries: number;
  readonly transfer: number;
}

/** PNG's gAMA and cHRM. */
export interface PngColors {
  readonly kind: 'png';
  /** The exponent that encodes light as samples, times 100,000. */
  readonly gamma: number;
  /** x and y of white, red, green and blue, times 100,000; by default those of sRGB. */
  readonly chromaticities?: readonly number[];
}

/** A file that declares nothing, or sRGB by name, has none. */
export type DeclaredColors = StoredProfile | CodedColors | PngColors;

/** The kind of the file's samples, which its profile must fit. */
export type SampleKind = 'gray' | 'rgb' | 'cmyk';

/** Maximum bytes of a profile. The largest in use, of printing presses, have 3 MB. */
export const MAX_PROFILE_BYTES = 2 ** 22;

/** Deflate can't compress by more (a match of 258 bytes takes two bits). */
const MAX_DEFLATE_RATIO = 1032;

/** Bytes that reading what the file declares takes beside the file, at most. */
export function profileBytes(declared: DeclaredColors | undefined): number {
  switch (declared?.kind) {
    case 'iccSegments':
      return Math.min(
        MAX_PROFILE_BYTES,
        declared.segments.reduce((sum, { length }) => sum + length, 0),
      );
    case 'iccp':
      return Math.min(MAX_PROFILE_BYTES, declared.chunk.length * MAX_DEFLATE_RATIO);
    default:
      return 0;
  }
}
