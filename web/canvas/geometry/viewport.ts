// The part of the canvas that the stage shows, and its zoom.
import type { Point } from './frames.js';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The point (x, y) of the stage shows the canvas's origin, enlarged by `zoom`. */
export interface Viewport extends Point {
  /** CSS pixels of the stage per pixel of the canvas. */
  readonly zoom: number;
}

export const MIN_ZOOM = 0.1;
export const MAX_ZOOM = 8;
/** Zoom from which on pixels appear as squares with a grid between them. */
export const PIXEL_GRID_ZOOM = 4;
/** Zooms at which **Zoom in** and **Zoom out** stop. */
const STEPS = [0.1, 0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 8];
/** Pixels of the stage that **Fit** leaves around the canvas. */
const FIT_MARGIN = 40;
/** Highest zoom of **Fit**, for small canvases: single pixels don't show yet. */
const MAX_FIT = 3;
/** Pixels of the canvas that always stay in sight. */
const KEPT_IN_SIGHT = 48;

const clamp = (value: number, min: number, max: number) => Math.max(min, Math.min(max, value));

export const toStage = ({ zoom, x, y }: Viewport, point: Point): Point => ({
  x: point.x * zoom + x,
  y: point.y * zoom + y,
});

export const toCanvas = ({ zoom, x, y }: Viewport, point: Point): Point => ({
  x: (point.x - x) / zoom,
  y: (point.y - y) / zoom,
});

/** Fits the whole canvas into the middle of the stage. `margin` is the space on each side of the stage. */
export function fit(canvas: Size, stage: Size, margin = FIT_MARGIN): Viewport {
  const zoom = Math.min((stage.width - 2 * margin) / canvas.width, (stage.height - 2 * margin) / canvas.height);
  return centred(canvas, stage, Number.isFinite(zoom) ? clamp(zoom, MIN_ZOOM, MAX_FIT) : 1);
}

function centred(canvas: Size, stage: Size, zoom: number): Viewport {
  // whole pixels of the stage keep the picture sharp
  return {
    zoom,
    x: Math.round((stage.width - canvas.width * zoom) / 2),
    y: Math.round((stage.height - canvas.height * zoom) / 2),
  };
}

/** Zooms so that the stage's point `at` still shows the same point of the canvas. */
export function zoomAt(viewport: Viewport, zoom: number, at: Point): Viewport {
  const next = clamp(zoom, MIN_ZOOM, MAX_ZOOM);
  const point = toCanvas(viewport, at);
  return { zoom: next, x: at.x - point.x * next, y: at.y - point.y * next };
}

/** Returns the next zoom step, larger or smaller. */
export function nextZoom(zoom: number, direction: 1 | -1): number {
  const slack = 1.001;
  return direction > 0
    ? (STEPS.find((step) => step > zoom * slack) ?? MAX_ZOOM)
    : (STEPS.findLast((step) => step < zoom / slack) ?? MIN_ZOOM);
}

export const pan = (viewport: Viewport, dx: number, dy: number): Viewport => ({
  ...viewport,
  x: viewport.x + dx,
  y: viewport.y + dy,
});

/** Keeps a part of the canvas in sight. */
export function clampViewport(viewport: Viewport, canvas: Size, stage: Size): Viewport {
  const within = (at: number, length: number, room: number) =>
    clamp(at, Math.min(KEPT_IN_SIGHT - length, 0), Math.max(room - KEPT_IN_SIGHT, 0));
  return {
    zoom: viewport.zoom,
    x: within(viewport.x, canvas.width * viewport.zoom, stage.width),
    y: within(viewport.y, canvas.height * viewport.zoom, stage.height),
  };
}

/** Scrolls as little as it takes to show the point, with some room around it. */
export function revealed(viewport: Viewport, point: Point, stage: Size, room = 24): Viewport {
  const { x, y } = toStage(viewport, point);
  const by = (at: number, length: number) => (at < room ? room - at : at > length - room ? length - room - at : 0);
  return pan(viewport, by(x, stage.width), by(y, stage.height));
}
