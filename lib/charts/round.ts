// Pies and donuts: a path for each slice, and values in or beside them.
import { pie } from 'd3-shape';
import { parseColor } from '../contract/css/parse-color.js';
import { atan2, cos, hypot, sin } from '../geometry/math.js';
import type { Color } from '../raster/color.js';
import { contrastTo } from '../raster/color-math.js';
import { ChartError, type Drawing, type LabelBox, rounded } from './drawing.js';
import { columnWidth, drawLegend, type LegendEntry } from './legend.js';
import { colorAt, SHADES } from './palette.js';
import type { PaletteParts } from './parts.js';

interface Slice {
  readonly name: string;
  readonly value: number;
  readonly color: Color;
}

/** The hole of a donut, as a part of the radius. */
const HOLE = 0.6;
/** Pixels between slices, and between a slice and a value beside it. */
const [SLICE_GAP, LABEL_GAP] = [2, 6];
/** Largest part of the width that values beside slices take on one side. */
const MAX_BESIDE = 0.22;
/** Width of a circle with values beside it, as a part of its height. */
const MAX_ROUND = 1.25;
/** Part of the whole from which a slice has a value beside it. */
const MIN_LABELLED = 0.012;
const EMPTY_ALPHA = 0.12;
/** Width of a box, as a part of its height, below which the legend is beneath the circle. */
const NARROW = 0.9;
/** How many gaps wide a slice is that has them. */
const MIN_GAPPED = 4;
const TURN = 2 * Math.PI;

export function drawRound(drawing: Drawing, whole: LabelBox, options: PaletteParts): void {
  const { chart, texts } = options;
  const slices = slicesOf(options);
  // beside a circle in a narrow box, names would leave little of it
  const isNarrow = whole.width < whole.height * NARROW;
  const side = chart.legend === 'auto' ? (isNarrow ? 'bottom' : 'right') : chart.legend;
  const entries = slices.map(({ name, color }) => ({ name, color }));
  const area =
    side === 'none' ? whole : drawLegend(drawing, besideCircle(drawing, whole, entries, side), entries, side, whole);
  const shown = slices.filter(({ value }) => value > 0);
  const hasLabels = chart.labels !== false;
  const labels = shown.map(({ value }) => texts.value(value));
  const angles = pie<Slice>()
    .sort(null)
    .value(({ value }) => value)(shown);
  let circle = circleIn(area, 0, chart.chart === 'donut');
  const isInside = () => angles.map((angle, i) => hasLabels && fitsInside(drawing, circle, angle, labels[i]));
  const fitting = isInside();
  const beside = labels.filter((_, i) => !fitting[i]);
  if (hasLabels && beside.length > 0) {
    const room = Math.max(...beside.map((text) => drawing.widthOf(text))) + LABEL_GAP;
    circle = circleIn(area, Math.min(room, area.width * MAX_BESIDE), chart.chart === 'donut', drawing.lineHeight);
  }
  if (shown.length === 0) {
    drawing.path([ring(circle, { startAngle: 0, endAngle: TURN })], { fill: drawing.faded(EMPTY_ALPHA) });
  }
  // slices of one colour are one path, since there may be thousands
  const figures = new Map<Color, string[]>();
  angles.forEach((angle, i) => {
    const { color } = shown[i];
    const own = figures.get(color) ?? [];
    own.push(ring(circle, angle));
    figures.set(color, own);
  });
  for (const [color, own] of figures) drawing.path(own, { fill: color });
  if (!hasLabels) return;
  const inside = isInside();
  angles.forEach((angle, i) => {
    const text = labels[i];
    const [width, height] = [drawing.widthOf(text), drawing.lineHeight];
    const middle = (angle.startAngle + angle.endAngle) / 2;
    const isWritten = inside[i]
      ? drawing.tryLabel({
          ...insideBox(circle, middle, width, height),
          text,
          align: 'center',
          color: textOn(shown[i].color),
        })
      : (angle.endAngle - angle.startAngle) / TURN >= MIN_LABELLED &&
        drawing.tryLabel({ ...besideBox(circle, middle, width, height), text });
    if (!isWritten) drawing.warn('labels_omitted', 'labels', 'leave out values that there is no room for');
  });
}

/** The middle of the chart that a circle and the column of names beside it take. */
function besideCircle(
  drawing: Drawing,
  whole: LabelBox,
  entries: readonly LegendEntry[],
  side: 'top' | 'right' | 'bottom',
): LabelBox {
  if (side !== 'right') return whole;
  const beside = columnWidth(drawing, whole, entries);
  const width = Math.min(whole.width, Math.min(whole.height, whole.width - beside) * MAX_ROUND + beside);
  return { ...whole, x: whole.x + (whole.width - width) / 2, width };
}

const textOn = (color: Color) => parseColor(contrastTo(color));

/** A slice for each entry; for each field where there is one entry with several. */
function slicesOf({ chart, table, texts, palette }: PaletteParts): Slice[] {
  const isAcross = table.count === 1 && table.series.length > 1;
  const names = isAcross ? table.series.map(({ name }) => name) : texts.places(table.places);
  const values = isAcross ? table.series.map((series) => series.values[0]) : (table.series[0]?.values ?? []);
  const colors = Array.from({ length: Math.min(values.length, palette.length * SHADES) }, (_, i) =>
    colorAt(palette, i),
  );
  return values.map((value, i) => {
    if (value !== null && value < 0) {
      const name = isAcross ? table.series[i].name : table.series[0].name;
      const path = `data[${isAcross ? 0 : i}]${name === '' ? '' : `.${name}`}`;
      throw new ChartError(path, `received ${value}, expected a number of at least 0 in a ${chart.chart}`);
    }
    return { name: names[i], value: value ?? 0, color: colors[i % colors.length] };
  });
}

interface Circle {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly hole: number;
}

function circleIn(area: LabelBox, beside: number, hasHole: boolean, above = beside): Circle {
  const room = beside === 0 ? 0 : Math.min(above, area.height / 6);
  const radius = Math.max(1, Math.min(area.width / 2 - beside, area.height / 2 - room) - 1);
  return { x: area.x + area.width / 2, y: area.y + area.height / 2, radius, hole: hasHole ? radius * HOLE : 0 };
}

interface Angles {
  readonly startAngle: number;
  readonly endAngle: number;
}

/** The point at an angle clockwise from the top. */
const pointAt = ({ x, y }: Pick<Circle, 'x' | 'y'>, angle: number, radius: number) =>
  `${rounded(x + radius * sin(angle))} ${rounded(y - radius * cos(angle))}`;

/** The path data of a slice, or of a part of a ring, with half a gap at either side. */
export function ring(circle: Circle, { startAngle, endAngle }: Angles, gap = SLICE_GAP): string {
  const { radius, hole } = circle;
  const span = endAngle - startAngle;
  const arc = (r: number, angle: number, isLarge: boolean, isClockwise: boolean) =>
    `A${rounded(r)} ${rounded(r)} 0 ${isLarge ? 1 : 0} ${isClockwise ? 1 : 0} ${pointAt(circle, angle, r)}`;
  if (span > TURN - 1e-6) {
    const full = (r: number, isClockwise: boolean) =>
      r === 0
        ? ''
        : `M${pointAt(circle, 0, r)}${arc(r, TURN / 2, false, isClockwise)}${arc(r, TURN, false, isClockwise)}Z`;
    return full(radius, true) + full(hole, false);
  }
  // thin slices touch each other
  const cut = (r: number) => (span * radius < MIN_GAPPED * gap ? 0 : Math.min(gap / 2 / r, span / 4));
  const [outer, inner] = [cut(radius), hole === 0 ? 0 : cut(hole)];
  const isLarge = (offset: number) => span - 2 * offset > Math.PI;
  const start = `M${pointAt(circle, startAngle + outer, radius)}${arc(radius, endAngle - outer, isLarge(outer), true)}`;
  if (hole > 0) {
    const back = arc(hole, startAngle + inner, isLarge(inner), false);
    return `${start}L${pointAt(circle, endAngle - inner, hole)}${back}Z`;
  }
  const apex = outer === 0 ? 0 : span >= Math.PI ? gap / 2 : Math.min(gap / 2 / sin(span / 2), radius * 0.3);
  return `${start}L${pointAt(circle, (startAngle + endAngle) / 2, apex)}Z`;
}

function insideBox({ x, y, radius, hole }: Circle, angle: number, width: number, height: number): LabelBox {
  const at = hole > 0 ? (radius + hole) / 2 : radius * 0.64;
  return { x: x + at * sin(angle) - width / 2, y: y - at * cos(angle) - height / 2, width, height };
}

/** A box that touches the circle with the side or the corner that is nearest. */
function besideBox({ x, y, radius }: Circle, angle: number, width: number, height: number): LabelBox {
  const [across, down] = [sin(angle), -cos(angle)];
  const [atX, atY] = [x + (radius + LABEL_GAP) * across, y + (radius + LABEL_GAP / 2) * down];
  return { x: atX + (across - 1) * (width / 2), y: atY + (down - 1) * (height / 2), width, height };
}

/** Whether a text lies inside of its slice with all of its corners. */
function fitsInside(drawing: Drawing, circle: Circle, { startAngle, endAngle }: Angles, text: string): boolean {
  const [width, height] = [drawing.widthOf(text), drawing.lineHeight * 0.8];
  const box = insideBox(circle, (startAngle + endAngle) / 2, width, height);
  const isWhole = endAngle - startAngle > TURN - 1e-6;
  return [0, 1].every((right) =>
    [0, 1].every((bottom) => {
      const [dx, dy] = [box.x + right * width - circle.x, box.y + bottom * height - circle.y];
      const distance = hypot(dx, dy);
      const angle = (atan2(dx, -dy) + TURN) % TURN;
      const isInAngle = isWhole || (angle >= startAngle && angle <= endAngle);
      return isInAngle && distance <= circle.radius - 2 && distance >= circle.hole + 1;
    }),
  );
}
