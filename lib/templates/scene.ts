// A resolved payload: plain data that is checked once and sent to worker processes as it is.

import type { FileFormat } from '../codecs/codec.js';
import type { Canvas } from '../contract/layers/canvas.js';
import type { Layer } from '../contract/layers/index.js';
import type { LayerOrigin } from '../contract/messages/origins.js';
import type { DocumentFields } from '../contract/template/document.js';
import type { Warning } from '../errors.js';
import type { FamilyFile } from '../fonts/registry.js';

export interface Scene {
  readonly canvas: Canvas;
  /** The path of the object with the fields of the canvas: `canvas`, or '' in a template's record. */
  readonly canvasPath?: string | undefined;
  /** Valid, with every default applied; drawn in this order. */
  readonly layers: readonly Layer[];
  /** Each layer's place in the caller's payload. */
  readonly origins: readonly LayerOrigin[];
  /** Fonts of a workspace that lists of families name, for the weights and styles of the texts. */
  readonly familyFiles?: readonly FamilyFile[];
  /** The distinct URLs of all images and fonts. */
  readonly assetUrls: readonly string[];
  readonly format: FileFormat;
  /** 1–100. */
  readonly quality: number;
  /** Pixels per inch, noted in the file. */
  readonly dpi?: number | undefined;
  readonly lossless: boolean;
  /** For vector documents. */
  readonly document?: DocumentFields | undefined;
  /** The language of documents. */
  readonly locale?: string | undefined;
  /** What the picture shows, if the payload says so; empty for decoration. */
  readonly alt?: string | undefined;
  /** Warnings that are known before anything is loaded. */
  readonly warnings: readonly Warning[];
}

/** A scene whose layers are not parsed yet. */
export interface RawScene extends Pick<Scene, 'alt' | 'canvas' | 'canvasPath' | 'document' | 'origins' | 'warnings'> {
  readonly layers: readonly unknown[];
}
