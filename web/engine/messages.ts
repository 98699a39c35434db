// What the pages and the engine's worker send each other: the jobs of a job queue (lib/web-worker).
import type { OutputFormat } from '../../lib/codecs/codec.js';
import type { Warning } from '../../lib/errors.js';
import type { Rect } from '../../lib/geometry/rect.js';
import type { Inspected } from '../../lib/render/inspected.js';

export type { InspectedLayer, TextCarets } from '../../lib/render/inspected.js';

export type { Warning };

/** What the worker gets before its first job. */
export interface EngineSettings {
  readonly workspaceId: string;
  /** Text drawn over the image, as the service does for free workspaces. */
  readonly watermark?: string | undefined;
  readonly maxLayers: number;
  readonly timeoutMs: number;
}

/** A version of a saved template; the published one without `version`. */
export interface SavedTemplate {
  readonly id: string;
  readonly version?: number | undefined;
}

/** What is drawn. */
export interface Source {
  /** As `POST /v1/render` takes it, or a template's record. */
  readonly payload: unknown;
  /** What fills the hotspots of a record. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** One of the sizes of a record, in place of its own. */
  readonly size?: string | undefined;
}

export interface DrawJob extends Source {
  /** The text whose carets are wanted: its `path` or `recordPath` among the layers of a picture. */
  readonly carets?: string | undefined;
  /** Whether all of the picture is wanted, not only what changed since the last one. */
  readonly isWhole?: boolean | undefined;
}

export interface EncodeJob extends Source {
  readonly format: OutputFormat;
  /** 1–100, instead of the payload's. */
  readonly quality?: number | undefined;
}

export interface ThumbnailJob {
  /** A saved template, or a payload. */
  readonly source: SavedTemplate | Source;
  /** Pixels that the picture is scaled down to fit, never up. */
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/**
 * The jobs by their kind. A job takes the place of one that waits and has the same kind, so what is drawn to be hashed, each
 * format and each use of an encoded file has a kind of its own.
 */
export interface Jobs {
  readonly draw: DrawJob;
  /** Draws, and hashes the pixels. */
  readonly digest: Source;
  readonly validate: Source;
  readonly thumbnail: ThumbnailJob;
  readonly [encode: `encode ${string}`]: EncodeJob;
}

/** What every job carries. */
export interface WithAssets {
  /** Changes with the workspace's assets: what is known of earlier ones is asked for again. */
  readonly assetsVersion: number;
}

/** `check`: parsing and templates; the others as in the service's timings. */
export type PictureStage = 'check' | 'load' | 'layout' | 'paint' | 'encode';

export interface Pixels {
  /** RGBA with straight alpha, row by row, as `ImageData` has them. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** `layers`, `carets`, `serial` and `part`: of jobs of the kind `draw`. */
export interface Picture extends Pixels, Inspected {
  /** One more than that of the picture before. */
  readonly serial: number;
  /** Where `data` belongs, if it is only what changed since the picture before. */
  readonly part?: Rect;
  readonly warnings: readonly Warning[];
  /** Milliseconds by stage, in the order of the stages. */
  readonly timings: Readonly<Partial<Record<PictureStage, number>>>;
  /** What the payload names, for an encoded picture. */
  readonly format: OutputFormat;
  readonly quality: number;
  /** SHA-256 of `data` in hex, if asked for: what `verify` answers for the same picture. */
  readonly pixelsSha256?: string;
}

export interface EncodedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: OutputFormat;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  /** Milliseconds that encoding took. */
  readonly encodeMs: number;
}

export interface Thumbnail extends Pixels {
  /** Of the whole picture. */
  readonly fullWidth: number;
  readonly fullHeight: number;
  readonly warnings: readonly Warning[];
}
