// What a payload of any shape is resolved to: plain data, checked once, that crosses to a worker process as it is.
import type { Layer } from '../contract/layers.js';
import type { LayerOrigin } from '../contract/origins.js';
import type { CanvasRequest } from '../contract/request.js';
import type { Warning } from '../errors.js';

export interface Scene {
  readonly canvas: CanvasRequest['canvas'];
  /** Valid, with every default applied; drawn in this order. */
  readonly layers: readonly Layer[];
  /** For each layer, where the caller wrote it. */
  readonly origins: readonly LayerOrigin[];
  /** The URLs of all images and fonts that the layers name, each once. */
  readonly assetUrls: readonly string[];
  readonly format: CanvasRequest['format'];
  /** 1–100. */
  readonly quality: number;
  /** What is doubtful about the payload before anything is loaded. */
  readonly warnings: readonly Warning[];
}

/** A scene whose layers are as they were written. */
export interface RawScene extends Pick<Scene, 'canvas' | 'origins' | 'warnings'> {
  readonly layers: readonly Readonly<Record<string, unknown>>[];
}
