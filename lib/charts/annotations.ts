// Lines at values, each with a label.
import { formatReceived } from '../contract/json/describe.js';
import type { ChartFields } from '../contract/layers/chart.js';
import { ChartError, type Drawing } from './drawing.js';
import { lineAcross, lineAtPlace, type Plot } from './frame.js';
import { cleanText } from './table.js';

/** The numbers on the axis of values, which lie on it. Throws ChartError for other values. */
export function annotatedValues({ annotations = [] }: ChartFields): number[] {
  return annotations.flatMap(({ axis, value }, i) => {
    if (axis === 'x') return [];
    if (typeof value === 'number') return [value];
    throw new ChartError(`annotations[${i}].value`, `received ${formatReceived(value)}, expected a number`);
  });
}

const DASH = [5, 4];
const GAP = 6;

export function drawAnnotations(drawing: Drawing, plot: Plot, { annotations = [] }: ChartFields): void {
  annotations.forEach(({ axis, value, label, color = drawing.color }, i) => {
    const isValue = axis === 'y';
    const at = isValue ? valuePixel(plot, value) : plot.find(value);
    if (at === undefined) {
      const expected = isValue ? 'a value between the ends of the axis' : 'a place that the data has';
      const message = `received ${formatReceived(value)}, expected ${expected}; nothing is drawn`;
      drawing.warn('values_ignored', `annotations[${i}].value`, message);
      return;
    }
    const isLevel = isValue !== plot.isSideways;
    drawing.path([isValue ? lineAcross(plot, at) : lineAtPlace(plot, at)], {
      stroke: { color, width: 1.5, dash: DASH },
    });
    if (label === undefined || label === '') return;
    const most = isLevel ? plot.width : plot.width / 2;
    const text = drawing.shortened(cleanText(label), most, true);
    const width = drawing.widthOf(text, { isBold: true });
    const height = drawing.lineHeight;
    const places = isLevel ? besideLevel(plot, at, width, height) : besideUpright(plot, at, width, height);
    const isWritten = places.some((place) => drawing.tryLabel({ ...place, text, width, height, color, isBold: true }));
    if (!isWritten) {
      drawing.warn('labels_omitted', `annotations[${i}].label`, 'is left out, because there is no room for it');
    }
  });
}

function valuePixel(plot: Plot, value: number | string): number | undefined {
  const [min, max] = plot.values.domain;
  return typeof value === 'number' && value >= min && value <= max ? plot.valueAt(value) : undefined;
}

interface Place {
  readonly x: number;
  readonly y: number;
  readonly align: 'left' | 'right';
}

/** Above the line and beneath it, at its end, its start and its middle. */
function besideLevel(plot: Plot, at: number, width: number, height: number): Place[] {
  const [start, end] = [plot.x, plot.x + plot.width - width];
  return [end, start, (start + end) / 2].flatMap((x): Place[] => {
    const align = x === end ? 'right' : 'left';
    return [
      { x, y: at - height - 1, align },
      { x, y: at + 2, align },
    ];
  });
}

/** On either side of the line, from the top down. */
function besideUpright(plot: Plot, at: number, width: number, height: number): Place[] {
  return [0, 1, 2, 3].flatMap((row): Place[] => [
    { x: at + GAP, y: plot.y + row * height, align: 'left' },
    { x: at - GAP - width, y: plot.y + row * height, align: 'right' },
  ]);
}
