// What either shape of a request comes to, before its layers are checked: a canvas, raw layers in drawing order, and a way
// to say where a finding about one of them belongs in what the caller sent.
import type { Place } from '../contract/parse.js';
import type { CanvasRequest } from '../contract/request.js';
import type { Warning } from '../errors.js';

export interface Scene {
  readonly canvas: CanvasRequest['canvas'];
  /** As written: defaults are applied when they are checked (contract/parse.ts). */
  readonly layers: readonly Readonly<Record<string, unknown>>[];
  readonly place: Place;
  /** What is doubtful before any layer is looked at. */
  readonly warnings: readonly Warning[];
}

/** A scene, and how its picture is to be written. */
export interface Resolved extends Scene {
  readonly format: CanvasRequest['format'];
  /** 1–100. */
  readonly quality: number;
}
