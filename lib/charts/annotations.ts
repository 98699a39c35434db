// Lines at values, each with a label.
import { formatReceived } from '../contract/json/describe.js';
import type { ChartFields } from '../contract/layers/expanded/chart.js';
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
/** Largest part of the width that labels beside the plot take. */
const MAX_BESIDE = 0.25;

/** `room`: pixels above the plot that values take. */
export function drawAnnotations(drawing: Drawing, plot: Plot, { annotations = [] }: ChartFields, room: number): void {
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
    const most = isLevel ? drawing.width * MAX_BESIDE - GAP : plot.width / 2;
    const text = drawing.shortened(cleanText(label), most, true);
    const width = drawing.widthOf(text, { isBold: true });
    const height = drawing.lineHeight;
    const places = isLevel
      ? besideLevel(plot, at, width, height)
      : besideUpright(plot, at, width, height, plot.y - room - height);
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
  readonly align: 'left' | 'center' | 'right';
}

/** At the end of the line, beyond the plot; else above the line and beneath it. */
function besideLevel(plot: Plot, at: number, width: number, height: number): Place[] {
  const [start, end] = [plot.x, plot.x + plot.width - width];
  const inside = [end, start, (start + end) / 2].flatMap((x): Place[] => {
    const align = x === end ? 'right' : 'left';
    return [
      { x, y: at - height - 1, align },
      { x, y: at + 2, align },
    ];
  });
  return [{ x: plot.x + plot.width + GAP, y: at - height / 2, align: 'left' }, ...inside];
}

/** At the top of the line, above the plot; else on either side of the line, from the top down. */
function besideUpright(plot: Plot, at: number, width: number, height: number, top: number): Place[] {
  const sides = (y: number): Place[] => [
    { x: at + GAP, y, align: 'left' },
    { x: at - GAP - width, y, align: 'right' },
  ];
  const above = at + width / 2 > plot.x + plot.width ? plot.x + plot.width - width : at - width / 2;
  return [
    { x: Math.max(0, above), y: top, align: above < at - width / 2 ? 'right' : 'center' },
    ...[0, 1, 2, 3].flatMap((row) => sides(plot.y + row * height)),
  ];
}

/** Pixels that labels need above the plot and on its right, so that none lies on a mark. */
export function roomForAnnotations(
  drawing: Drawing,
  { annotations = [] }: ChartFields,
  isSideways: boolean,
): { readonly top: number; readonly right: number } {
  const labels = annotations.flatMap(({ axis, label }) =>
    label ? [{ isLevel: (axis === 'y') !== isSideways, label }] : [],
  );
  const widths = labels.map(({ isLevel, label }) =>
    isLevel ? drawing.widthOf(cleanText(label), { isBold: true }) + GAP : 0,
  );
  return {
    top: labels.some(({ isLevel }) => !isLevel) ? drawing.lineHeight + 2 : 0,
    right: Math.min(Math.max(0, ...widths), drawing.width * MAX_BESIDE),
  };
}
