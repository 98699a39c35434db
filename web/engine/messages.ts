// Messages between the pages and the engine's worker: the jobs of a job queue (lib/web-worker).
import type { FileFormat } from '../../lib/codecs/codec.js';
import type { Warning } from '../../lib/errors.js';
import type { Rect } from '../../lib/geometry/rect.js';
import type { Inspected } from '../../lib/render/inspected.js';

export type { InspectedLayer, TextCarets } from '../../lib/render/inspected.js';

export type { Warning };

/** Settings that the worker gets before its first job. */
export interface EngineSettings {
  readonly workspaceId: string;
  /** Text drawn over the image, as the service does for free workspaces. */
  readonly watermark?: string | undefined;
  readonly maxLayers: number;
  readonly timeoutMs: number;
}

/** A version of a saved template; without `version`, the published one. */
export interface SavedTemplate {
  readonly id: string;
  readonly version?: number | undefined;
}

/** A payload to draw. */
export interface Source {
  /** A body of `POST /v1/render`, or a template's record. */
  readonly payload: unknown;
  /** Values for the hotspots of a record. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Name of a record's size that replaces the record's own size. */
  readonly size?: string | undefined;
}

export interface DrawJob extends Source {
  /** The text whose carets to return, by its `path` or `recordPath` among the layers of a picture. */
  readonly carets?: string | undefined;
  /** Whether to return the whole picture instead of the area that changed since the last one. */
  readonly isWhole?: boolean | undefined;
}

export interface EncodeJob extends Source {
  readonly format: FileFormat;
  /** 1–100; overrides the payload's quality. */
  readonly quality?: number | undefined;
}

export interface ThumbnailJob {
  /** A saved template, or a payload. */
  readonly source: SavedTemplate | Source;
  /** Bounds in pixels: a larger picture is scaled down to fit into them. */
  readonly maxWidth: number;
  readonly maxHeight: number;
}

/**
 * The jobs by their kind. A job replaces a waiting job of the same kind, so drawings for a hash, each format and each use of an
 * encoded file have separate kinds.
 */
export interface Jobs {
  readonly draw: DrawJob;
  /** Draws the payload and hashes its pixels. */
  readonly digest: Source;
  readonly validate: Source;
  readonly thumbnail: ThumbnailJob;
  readonly [encode: `encode ${string}`]: EncodeJob;
}

/** Fields that every job has. */
export interface WithAssets {
  /** Changes with the workspace's assets, which makes the worker ask for them again. */
  readonly assetsVersion: number;
}

/** `check` covers parsing and templates; the others are those of the service's timings. */
export type PictureStage = 'check' | 'load' | 'layout' | 'paint' | 'encode';

export interface Pixels {
  /** RGBA with straight alpha, row by row, as in `ImageData`. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
}

/** A picture. Jobs of the kind `draw` fill `layers`, `carets`, `serial` and `part`. */
export interface Picture extends Pixels, Inspected {
  /** One more than the serial of the previous picture. */
  readonly serial: number;
  /** The area of `data` if it holds only what changed since the previous picture. */
  readonly part?: Rect;
  readonly warnings: readonly Warning[];
  /** Milliseconds by stage, in the order of the stages. */
  readonly timings: Readonly<Partial<Record<PictureStage, number>>>;
  /** The format that the payload names for an encoded picture. */
  readonly format: FileFormat;
  readonly quality: number;
  /** SHA-256 of `data` in hexadecimal, if asked for; `verify` answers the same for the same picture. */
  readonly pixelsSha256?: string;
}

export interface EncodedPicture {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: FileFormat;
  readonly mimeType: string;
  readonly width: number;
  readonly height: number;
  /** Milliseconds that encoding took. */
  readonly encodeMs: number;
}

export interface Thumbnail extends Pixels {
  /** Width of the whole picture. */
  readonly fullWidth: number;
  readonly fullHeight: number;
  readonly warnings: readonly Warning[];
}
