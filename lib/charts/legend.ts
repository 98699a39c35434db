// The legend: a patch of colour and a name for each series, in rows above or beneath, or in a column beside the plot.
import type { Color } from '../raster/color.js';
import { type Drawing, type LabelBox, rounded } from './drawing.js';

export interface LegendEntry {
  readonly name: string;
  readonly color: Color;
  /** Stands at the end of the entry's line, in a column. */
  readonly value?: string;
}

/** Rows above or beneath a plot, and the part of the width that a column takes. */
const [MAX_ROWS, MAX_COLUMN] = [3, 0.4];

/** Draws the legend, and returns the part of the area that it leaves free. */
export function drawLegend(
  drawing: Drawing,
  area: LabelBox,
  entries: readonly LegendEntry[],
  side: 'top' | 'right' | 'bottom',
): LabelBox {
  const named = entries.filter(({ name }) => name !== '');
  if (named.length === 0) return area;
  return side === 'right' ? drawColumn(drawing, area, named) : drawRows(drawing, area, named, side);
}

function measures({ fontSize, lineHeight }: Drawing) {
  return { patch: rounded(fontSize * 0.75), gap: fontSize * 0.45, between: fontSize * 1.3, line: lineHeight * 1.15 };
}

function drawRows(drawing: Drawing, area: LabelBox, entries: readonly LegendEntry[], side: 'top' | 'bottom'): LabelBox {
  const { patch, gap, between, line } = measures(drawing);
  const most = area.width - patch - gap;
  const rows: { entry: LegendEntry; text: string; x: number; width: number }[][] = [];
  let x = Infinity;
  let left = 0;
  const maxRows = Math.max(1, Math.min(MAX_ROWS, Math.floor(area.height / 3 / line)));
  for (const [i, entry] of entries.entries()) {
    const text = drawing.shortened(entry.name, most);
    if (text !== entry.name) drawing.warn('labels_omitted', 'legend', 'has names that are shortened');
    const width = drawing.widthOf(text);
    if (x + patch + gap + width > area.x + area.width) {
      if (rows.length === maxRows) {
        left = entries.length - i;
        break;
      }
      rows.push([]);
      x = area.x;
    }
    rows[rows.length - 1].push({ entry, text, x, width });
    x += patch + gap + width + between;
  }
  if (left > 0) warnLeftOut(drawing, left);
  const height = rows.length * line;
  const space = height + drawing.fontSize * 0.6;
  const top = side === 'top' ? area.y : area.y + area.height - height;
  rows.forEach((row, i) => {
    for (const { entry, text, x: start, width } of row) {
      drawEntry(drawing, { entry, text, x: start, y: top + i * line, width, patch, gap });
    }
  });
  return { ...area, y: side === 'top' ? area.y + space : area.y, height: Math.max(1, area.height - space) };
}

function drawColumn(drawing: Drawing, area: LabelBox, entries: readonly LegendEntry[]): LabelBox {
  const { patch, gap, between, line } = measures(drawing);
  const rows = Math.max(1, Math.floor(area.height / line));
  const shown = entries.length > rows ? entries.slice(0, Math.max(1, rows - 1)) : entries;
  if (shown.length < entries.length) warnLeftOut(drawing, entries.length - shown.length);
  const values = Math.max(0, ...shown.map(({ value = '' }) => (value === '' ? 0 : drawing.widthOf(value))));
  const room = area.width * MAX_COLUMN - patch - gap - (values > 0 ? values + between : 0);
  const texts = shown.map(({ name }) => drawing.shortened(name, Math.max(drawing.fontSize * 2, room)));
  if (texts.some((text, i) => text !== shown[i].name)) {
    drawing.warn('labels_omitted', 'legend', 'has names that are shortened');
  }
  const names = Math.max(...texts.map((text) => drawing.widthOf(text)));
  const width = patch + gap + names + (values > 0 ? between + values : 0);
  const left = area.x + area.width - width;
  const top = area.y + Math.max(0, (area.height - shown.length * line) / 2);
  shown.forEach((entry, i) => {
    drawEntry(drawing, { entry, text: texts[i], x: left, y: top + i * line, width: names, patch, gap });
    if (!entry.value) return;
    const x = area.x + area.width - values;
    const label = { text: entry.value, x, y: top + i * line, width: values, height: drawing.lineHeight };
    drawing.label({ ...label, align: 'right', isBold: false });
  });
  return { ...area, width: Math.max(1, area.width - width - between) };
}

interface DrawnEntry {
  readonly entry: LegendEntry;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly patch: number;
  readonly gap: number;
}

function drawEntry(drawing: Drawing, { entry, text, x, y, width, patch, gap }: DrawnEntry): void {
  const top = y + (drawing.lineHeight - patch) / 2;
  drawing.path([roundedBox(x, top, patch, patch, Math.min(3, patch / 4))], { fill: entry.color });
  drawing.label({ text, x: x + patch + gap, y, width, height: drawing.lineHeight });
}

/** The path data of a box with round corners. */
export function roundedBox(x: number, y: number, width: number, height: number, radius: number): string {
  const r = rounded(Math.max(0, Math.min(radius, width / 2, height / 2)));
  const [left, top, right, bottom] = [x, y, x + width, y + height].map(rounded);
  const arc = (endX: number, endY: number) => (r === 0 ? '' : `A${r} ${r} 0 0 1 ${rounded(endX)} ${rounded(endY)}`);
  return (
    `M${rounded(left + r)} ${top}H${rounded(right - r)}${arc(right, top + r)}V${rounded(bottom - r)}` +
    `${arc(right - r, bottom)}H${rounded(left + r)}${arc(left, bottom - r)}V${rounded(top + r)}${arc(left + r, top)}Z`
  );
}

function warnLeftOut(drawing: Drawing, count: number): void {
  drawing.warn('labels_omitted', 'legend', `has no room for ${count} of the names`);
}
