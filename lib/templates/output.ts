// Overrides of a payload's output fields by a request, or by an option of the library or of the command line.
import type { FileFormat } from '../codecs/codec.js';
import { type ScaledSize, scaleIssue } from '../contract/layers/output-size.js';
import { issue } from '../contract/messages/issues.js';
import type { DocumentFields } from '../contract/template/document.js';
import { RenderError } from '../errors.js';
import type { Scene } from './scene.js';

export interface OutputOptions {
  readonly format?: FileFormat | undefined;
  /** 1–100. */
  readonly quality?: number | undefined;
  /** Pixels per inch, 1–2400. */
  readonly dpi?: number | undefined;
  readonly lossless?: boolean | undefined;
  /** Pixels of the image per pixel of the layers' coordinates, 0.1–8. */
  readonly scale?: number | undefined;
  /** Fields that replace those of the scene one by one. */
  readonly document?: DocumentFields | undefined;
  /** Replaces the scene's. */
  readonly alt?: string | undefined;
}

/** The scene with these options. Throws RenderError `invalid_request` for a scale that makes the image too large. */
export function withOutput(scene: Scene, options: OutputOptions): Scene {
  const { format = scene.format, quality = scene.quality, dpi = scene.dpi, lossless = scene.lossless } = options;
  const { alt = scene.alt } = options;
  checkScale(scene.canvas, options.scale);
  const canvas = options.scale === undefined ? scene.canvas : { ...scene.canvas, scale: options.scale };
  const document = { ...scene.document, ...options.document };
  return { ...scene, canvas, format, quality, dpi, lossless, document, alt };
}

/** Throws RenderError `invalid_request` for a scale, in place of the canvas's own, that makes the image too large. */
export function checkScale(canvas: ScaledSize, scale: number | undefined): void {
  const expected = scaleIssue({ ...canvas, scale: scale ?? canvas.scale });
  if (expected === undefined) return;
  const detail = issue('scale', scale, expected);
  throw new RenderError('invalid_request', `scale: ${detail.message}`, { details: [detail] });
}
