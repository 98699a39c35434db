// The legend: a patch of colour and a name for each series, in rows above or beneath, or in a column beside the plot.
import type { Color } from '../raster/color.js';
import { type Drawing, type LabelBox, rounded } from './drawing.js';

export interface LegendEntry {
  readonly name: string;
  readonly color: Color;
}

/** Rows above or beneath a plot, and the part of the width that a column takes. */
const [MAX_ROWS, MAX_COLUMN] = [3, 0.4];

/** Draws the legend, and returns the part of the area that it leaves free. `whole`: what a column takes its part of. */
export function drawLegend(
  drawing: Drawing,
  area: LabelBox,
  entries: readonly LegendEntry[],
  side: 'top' | 'right' | 'bottom',
  whole = area,
): LabelBox {
  const named = entries.filter(({ name }) => name !== '');
  if (named.length === 0) return area;
  return side === 'right' ? drawColumn(drawing, area, named, whole) : drawRows(drawing, area, named, side);
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

/** The names of a column, as many as there is room for, and its width. */
function fitColumn(drawing: Drawing, area: LabelBox, entries: readonly LegendEntry[]) {
  const { patch, gap, line } = measures(drawing);
  const rows = Math.max(1, Math.floor(area.height / line));
  const shown = entries.length > rows ? entries.slice(0, Math.max(1, rows - 1)) : entries;
  const room = Math.max(drawing.fontSize * 2, area.width * MAX_COLUMN - patch - gap);
  const texts = shown.map(({ name }) => drawing.shortened(name, room));
  const names = Math.max(0, ...texts.map((text) => drawing.widthOf(text)));
  return { shown, texts, names, width: patch + gap + names };
}

/** The pixels that a column of names takes, with those between it and the plot. */
export function columnWidth(drawing: Drawing, area: LabelBox, entries: readonly LegendEntry[]): number {
  const named = entries.filter(({ name }) => name !== '');
  return named.length === 0 ? 0 : fitColumn(drawing, area, named).width + measures(drawing).between;
}

function drawColumn(drawing: Drawing, area: LabelBox, entries: readonly LegendEntry[], whole: LabelBox): LabelBox {
  const { patch, gap, between, line } = measures(drawing);
  const { shown, texts, names, width } = fitColumn(drawing, whole, entries);
  if (shown.length < entries.length) warnLeftOut(drawing, entries.length - shown.length);
  if (texts.some((text, i) => text !== shown[i].name)) {
    drawing.warn('labels_omitted', 'legend', 'has names that are shortened');
  }
  const x = area.x + area.width - width;
  const top = area.y + Math.max(0, (area.height - shown.length * line) / 2);
  shown.forEach((entry, i) => {
    drawEntry(drawing, { entry, text: texts[i], x, y: top + i * line, width: names, patch, gap });
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
  if (drawing.tryLabel({ text, x: x + patch + gap, y, width, height: drawing.lineHeight })) {
    drawing.path([roundedBox(x, top, patch, patch, Math.min(3, patch / 4))], { fill: entry.color });
  } else drawing.warn('labels_omitted', 'legend', 'has no room for some of the names');
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
