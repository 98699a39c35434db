// Expands payloads with charts, for tests.
import { RenderError } from '../../lib/errors.js';
import { loadDataFor } from '../../lib/load-data.js';
import { expand } from '../../lib/templates/expand.js';
import '../../lib/node-host.js';

export interface PlainLayer {
  readonly type: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text?: string;
  readonly d?: string;
  readonly fillColor?: string;
  readonly color?: string;
  readonly rotation?: number;
  readonly border?: { readonly color: string; readonly width: number; readonly dash?: readonly number[] };
  readonly layers?: readonly PlainLayer[];
}

export const CANVAS = { width: 600, height: 400, backgroundColor: '#ffffff' };

/** Loads what expanding charts needs. */
export const loadCharts = (): Promise<void> => loadDataFor({ canvas: CANVAS, layers: [{ type: 'chart' }] });

export function expandLayers(
  layers: readonly object[],
  payload: object = {},
): { readonly layers: readonly PlainLayer[]; readonly warnings: readonly { code: string; path: string }[] } {
  const { payload: plain, warnings } = expand({ canvas: CANVAS, ...payload, layers }, { maxLayers: 500 });
  return { layers: plain.layers as PlainLayer[], warnings };
}

/** The layers of the group that a chart of the canvas's size becomes, and the warnings. */
export function expandChart(chart: object, payload: object = {}) {
  const box = { x: 0, y: 0, width: CANVAS.width, height: CANVAS.height };
  const { layers, warnings } = expandLayers([{ type: 'chart', ...box, ...chart }], payload);
  const drawn = layers[0]?.layers ?? [];
  return {
    layers: drawn,
    warnings,
    texts: drawn.flatMap(({ text }) => text ?? []),
    labels: drawn.filter(({ type }) => type === 'text'),
    marks: drawn.filter(({ fillColor }) => fillColor !== undefined),
    strokes: drawn.filter(({ border }) => border !== undefined),
  };
}

/** The faults of a chart, `path: message`. */
export function chartFaults(chart: object, payload: object = {}): string[] {
  try {
    expandChart(chart, payload);
    return [];
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    return error.details.map(({ path, message }) => `${path}: ${message}`);
  }
}

/** The numbers of path data. */
export const numbersOf = (data = ''): number[] => (data.match(/-?\d+(?:\.\d+)?/g) ?? []).map(Number);
