// Heatmaps: a cell for each number, in shades of one colour, or of two where numbers are negative. A path for each shade.
import { parseColor } from '../contract/css/parse-color.js';
import type { Color } from '../raster/color.js';
import { contrastTo } from '../raster/color-math.js';
import type { Drawing, LabelBox } from './drawing.js';
import { columnLabels, rowLabels } from './frame.js';
import { roundedBox } from './legend.js';
import type { PaletteParts } from './parts.js';
import { extentOf } from './scales.js';

/** Shades of a colour, and the alpha of the lightest. */
const [SHADES, MIN_ALPHA] = [9, 0.1];
/** Alpha of a cell without a number. */
const EMPTY_ALPHA = 0.05;
/** Alpha above which a text on a shade is in the colour that contrasts with it. */
const STRONG_ALPHA = 0.55;
/** Cells of this many pixels have gaps between them. */
const MIN_GAPPED_CELL = 7;
const LEGEND_SHADES = 5;

interface Shade {
  readonly level: number;
  readonly color: Color;
}

/** The shade of a value between the ends. */
function shadeOf(value: number, [min, max]: readonly [number, number], palette: readonly Color[]): Shade {
  const isNegative = value < 0;
  const most = min < 0 ? Math.max(-min, max) : max;
  const least = min < 0 ? 0 : min;
  const part = most === least ? 1 : (Math.abs(value) - least) / (most - least);
  const level = Math.max(0, Math.min(SHADES - 1, Math.floor(part * SHADES)));
  const base = isNegative ? (palette[1] ?? palette[0]) : palette[0];
  const alpha = MIN_ALPHA + ((1 - MIN_ALPHA) * level) / (SHADES - 1);
  return { level: isNegative ? -1 - level : level, color: { ...base, a: base.a * alpha } };
}

export function drawHeatmap(drawing: Drawing, whole: LabelBox, options: PaletteParts): void {
  const { chart, table, texts, palette } = options;
  const extent = extentOf(table.series.flatMap(({ values }) => values));
  const hasLegend = extent !== undefined && chart.legend !== 'none';
  const area = hasLegend ? drawScale(drawing, whole, extent, options) : whole;
  const { axes } = chart;
  const names = axes?.y?.visible === false ? [] : table.series.map(({ name }) => name);
  const places = axes?.x?.visible === false ? [] : texts.places(table.places);
  const columns = columnLabels(drawing, area, places, table.places.kind !== 'text');
  const rows = rowLabels(drawing, { ...area, height: area.height - columns.height }, names);
  const plot: LabelBox = {
    x: area.x + Math.max(rows.width, columns.overhang),
    y: area.y,
    width: Math.max(1, area.width - Math.max(rows.width, columns.overhang)),
    height: Math.max(1, area.height - columns.height),
  };
  const [width, height] = [plot.width / Math.max(1, table.count), plot.height / Math.max(1, table.series.length)];
  const gap = Math.min(width, height) < MIN_GAPPED_CELL ? 0 : 2;
  const shades = new Map<number, { readonly color: Color; readonly figures: string[] }>();
  const empty: string[] = [];
  const labels: (() => boolean)[] = [];
  table.series.forEach(({ values }, row) => {
    values.forEach((value, column) => {
      const cell = { x: plot.x + column * width, y: plot.y + row * height, width, height };
      const figure = roundedBox(cell.x, cell.y, Math.max(0.5, width - gap), Math.max(0.5, height - gap), gap);
      if (value === null || !extent) {
        empty.push(figure);
        return;
      }
      const { level, color } = shadeOf(value, extent, palette);
      const shade = shades.get(level) ?? { color, figures: [] };
      shade.figures.push(figure);
      shades.set(level, shade);
      if (chart.labels !== true) return;
      const text = texts.value(value);
      const strong = color.a > STRONG_ALPHA ? parseColor(contrastTo(color)) : undefined;
      const own = drawing.widthOf(text);
      const label = { text, x: cell.x + (width - gap - own) / 2, width: own, align: 'center' as const, color: strong };
      const y = cell.y + (height - gap - drawing.lineHeight) / 2;
      labels.push(() => own <= width && drawing.tryLabel({ ...label, y, height: drawing.lineHeight }));
    });
  });
  drawing.path(empty, { fill: drawing.faded(EMPTY_ALPHA) });
  for (const { color, figures } of shades.values()) drawing.path(figures, { fill: color });
  rows.write(plot);
  columns.write(plot);
  const written = labels.filter((write) => write());
  if (written.length < labels.length) {
    drawing.warn('labels_omitted', 'labels', 'leave out values that there is no room for');
  }
}

/** A row of shades with the least and the largest number. */
function drawScale(
  drawing: Drawing,
  area: LabelBox,
  extent: readonly [number, number],
  { chart, texts, palette }: PaletteParts,
): LabelBox {
  const { lineHeight, fontSize } = drawing;
  const [least, most] = extent.map((value) => texts.value(value));
  const [before, after] = [drawing.widthOf(least), drawing.widthOf(most)];
  const patch = fontSize * 1.4;
  const gap = fontSize * 0.5;
  const width = before + gap + patch * LEGEND_SHADES + gap + after;
  if (width > area.width || lineHeight * 3 > area.height) {
    drawing.warn('labels_omitted', 'legend', 'is left out, because it does not fit');
    return area;
  }
  const isBelow = chart.legend === 'bottom';
  const y = isBelow ? area.y + area.height - lineHeight : area.y;
  const x = area.x + area.width - width;
  drawing.label({ text: least, x, y, width: before, height: lineHeight, align: 'right' });
  const [min, max] = extent;
  const size = fontSize * 0.75;
  for (let i = 0; i < LEGEND_SHADES; i++) {
    const { color } = shadeOf(min + ((max - min) * i) / (LEGEND_SHADES - 1), extent, palette);
    const left = x + before + gap + i * patch;
    drawing.path([roundedBox(left, y + (lineHeight - size) / 2, patch, size, 0)], { fill: color });
  }
  drawing.label({ text: most, x: area.x + area.width - after, y, width: after, height: lineHeight });
  const taken = lineHeight + fontSize * 0.6;
  return { ...area, y: isBelow ? area.y : area.y + taken, height: Math.max(1, area.height - taken) };
}
