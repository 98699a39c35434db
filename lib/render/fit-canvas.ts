// Finds the canvas of a picture that ends where its layers do (autoWidth and autoHeight). The payload's width and height are
// upper bounds; admission, memory and price go by them.
import type { Canvas } from '../contract/layers/canvas.js';
import type { Layer } from '../contract/layers/index.js';
import { isFitted } from '../contract/layers/output-size.js';
import { joinPath } from '../contract/messages/issues.js';
import type { Warning } from '../errors.js';
import { mapRect, type Rect } from '../geometry/rect.js';
import { CANVAS_SPACE, frameOf, type Space } from '../layers/frame.js';
import { groupSpace } from '../layers/group.js';
import type { Scene } from '../templates/scene.js';
import type { Report } from './report.js';

/** Computes the area in which layers are laid out: an automatic width minus its padding. */
export function layoutArea({ width, height, autoWidth = false, padding = 0 }: Canvas): {
  readonly width: number;
  readonly height: number;
} {
  return { width: autoWidth ? Math.max(1, width - padding) : width, height };
}

interface Fitted {
  readonly canvas: Canvas;
  readonly layers: readonly Layer[];
  /** Warnings about layers that the picture cuts off. */
  readonly warnings: readonly Warning[];
}

/**
 * Computes the canvas's final size, and resizes the layers that fill it. `layers` are the scene's layers after layout;
 * `reports` has one report for each.
 */
export function fitCanvas(scene: Scene, layers: readonly Layer[], reports: readonly Report[]): Fitted {
  const { canvas, origins } = scene;
  if (!isFitted(canvas)) return { canvas, layers, warnings: [] };
  const boxes = layers.flatMap((layer, i) =>
    origins[i].fillsCanvas ? [] : [...boxesOf(layer, CANVAS_SPACE, reports[i])],
  );
  const horizontal = fitAxis(scene, 'width', boxes);
  const vertical = fitAxis(scene, 'height', boxes);
  const size = { width: horizontal.length, height: vertical.length };
  return {
    canvas: { ...canvas, ...size },
    layers: layers.map((layer, i) => (origins[i].fillsCanvas ? { ...layer, ...size } : layer)),
    warnings: [...horizontal.warnings, ...vertical.warnings],
  };
}

interface LayerBox {
  /** The bounds of the layer after rotation, in pixels of the payload. */
  readonly rect: Rect;
  readonly report: Report;
}

/** Yields the boxes of a layer and of its nested layers; for a group that clips, only the group's box. */
function* boxesOf(layer: Layer, space: Space, report: Report): Generator<LayerBox> {
  if (!layer.visible) return;
  const frame = frameOf(layer, space);
  yield { rect: mapRect(frame.unsnapped, frame.toCanvas), report };
  if (layer.type !== 'group' || layer.clip) return;
  const inner = groupSpace(frame);
  for (const [index, each] of layer.layers.entries()) yield* boxesOf(each, inner, report.of(each, index));
}

/** Layout counts in 64ths of a pixel: an excess below that doesn't need another pixel. */
const TOLERANCE = 1 / 64;

const AXES = {
  width: { auto: 'autoWidth', end: 'right' },
  height: { auto: 'autoHeight', end: 'bottom' },
} as const;

function fitAxis(
  { canvas, canvasPath = '' }: Scene,
  side: 'width' | 'height',
  boxes: readonly LayerBox[],
): { readonly length: number; readonly warnings: readonly Warning[] } {
  const { auto, end } = AXES[side];
  const most = canvas[side];
  if (!canvas[auto]) return { length: most, warnings: [] };
  const { padding = 0 } = canvas;
  const edge = boxes.reduce((far, { rect }) => Math.max(far, rect[end]), 0);
  const length = Math.min(most, Math.max(1, Math.ceil(edge + padding - TOLERANCE)));
  const cut = boxes.filter(({ rect }) => rect[end] - TOLERANCE > most);
  if (cut.length > 0) {
    const warnings = cut.map(({ rect, report }) => {
      const message = `is cut off: it ends at ${rounded(rect[end])} px, and the canvas's ${side} is at most ${most}`;
      return report.locate({ code: 'canvas_too_small', field: '', message });
    });
    return { length, warnings };
  }
  const left = most - edge;
  if (left + TOLERANCE >= padding) return { length, warnings: [] };
  const message = `is cut off: ${rounded(left)} px are left of it, since the canvas's ${side} is at most ${most}`;
  return { length, warnings: [{ code: 'canvas_too_small', path: joinPath(canvasPath, 'padding'), message }] };
}

function rounded(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
