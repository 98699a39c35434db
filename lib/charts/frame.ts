// The plot: where values and places lie in a chart with two axes, with its grid, its ticks and their texts.
import type { AxisFields, ChartFields } from '../contract/layers/expanded/chart.js';
import { type Drawing, type LabelBox, rounded } from './drawing.js';
import type { ChartParts } from './parts.js';
import { dateScale, extentOf, numberScale, type Scale, type ValueRange } from './scales.js';
import { cleanText, type DataPlaces, dateOf } from './table.js';
import type { Texts } from './texts.js';

export interface Plot extends LabelBox {
  /** Whether values go to the right. */
  readonly isSideways: boolean;
  readonly values: Scale;
  /** The pixel of a value along the axis of values. */
  valueAt(value: number): number;
  /** The pixel of the place of an entry along the other axis; undefined if it has none. */
  placeAt(index: number): number | undefined;
  /** The pixel of a place that is written in an annotation; undefined if the axis has no such place. */
  find(place: number | string): number | undefined;
  /** The pixels between two places; 0 where they are on a scale. */
  readonly step: number;
}

export interface FrameOptions extends ChartParts {
  /** Range of the values that are drawn, with those of annotations. */
  readonly extent: ValueRange | undefined;
  /** Whether each entry has a band of its own, as bars have. */
  readonly isBanded: boolean;
  readonly isSideways: boolean;
  /** The free part of the chart. */
  readonly area: LabelBox;
  /** Pixels that marks and their labels need beside the plot. */
  readonly room?: { readonly top?: number; readonly right?: number };
}

/** Pixels between the texts of an axis and the plot. */
const AXIS_GAP = 8;
/** Largest part of the chart that texts beside the plot take, and those beneath it. */
const [MAX_SIDE, MAX_BENEATH] = [0.4, 0.35];
/** Alpha of the lines of the grid, and of the line of zero. */
const [GRID_ALPHA, BASE_ALPHA] = [0.15, 0.55];
/** Largest part of the chart that half a text takes beside the plot. */
const MAX_OVERHANG = 0.15;
/** Pixels between turned texts and the title beneath them. */
const TITLE_GAP = 6;
/** The cosine of 45°. */
const DIAGONAL = Math.SQRT1_2;

/** Lays out the plot, and draws its grid and its axes. */
export function drawFrame(drawing: Drawing, options: FrameOptions): Plot {
  return options.isSideways ? sidewaysFrame(drawing, options) : uprightFrame(drawing, options);
}

/** Pixels between a plot and the texts beneath it: half a line of those beside it reaches as far. */
const gapBeneath = ({ lineHeight }: Drawing) => lineHeight / 2 + 1;

const isVisible = (axis: AxisFields | undefined) => axis?.visible ?? true;

/** DataPlaces as they are on an axis: on a scale, or one after the other. */
interface PlaceAxis {
  readonly ticks: readonly { readonly part: number; readonly text: string }[];
  readonly isScale: boolean;
  partOf(index: number): number | undefined;
  find(place: number | string): number | undefined;
}

function placeAxis({ chart, table, texts, isBanded }: FrameOptions, length: number, labelWidth: LabelWidth): PlaceAxis {
  const { places, count } = table;
  if (
    !isBanded &&
    (places.kind === 'number' || places.kind === 'date' || (chart.chart === 'scatter' && places.kind === 'index'))
  ) {
    return scaleAxis(places, chart, texts, length, labelWidth);
  }
  const labels = texts.places(places);
  const partOf = (index: number) =>
    isBanded ? (index + 0.5) / count : count === 1 ? 0.5 : index / Math.max(1, count - 1);
  return {
    isScale: false,
    ticks: labels.map((text, i) => ({ part: partOf(i), text })),
    partOf,
    find(place) {
      const index = places.values.findIndex((value, i) => {
        const written = typeof value === 'object' ? value?.text : value;
        return written === place || labels[i] === cleanText(String(place));
      });
      return index < 0 ? undefined : partOf(index);
    },
  };
}

type LabelWidth = (texts: readonly string[]) => number;

function scaleAxis(
  places: DataPlaces,
  chart: ChartFields,
  texts: Texts,
  length: number,
  labelWidth: LabelWidth,
): PlaceAxis {
  const axis = chart.axes?.x;
  const numbers = places.values.map((value, i) =>
    value === null ? null : typeof value === 'object' ? value.clock : typeof value === 'number' ? value : i,
  );
  const isDate = places.kind === 'date';
  const isNice = chart.chart === 'scatter';
  const scaleOf = (room: number): [Scale, string[]] => {
    const options = { axis, field: 'axes.x', length, room, isNice };
    if (isDate) {
      const dated = dateScale(extentOf(numbers), options);
      return [dated, texts.dates(dated)];
    }
    const scale = numberScale(extentOf(numbers), options);
    return [scale, texts.ticks('x', scale.ticks)];
  };
  let [scale, labels] = scaleOf(Infinity);
  for (let room = scale.ticks.length - 1; room > 1 && labelWidth(labels) * labels.length > length; room--) {
    [scale, labels] = scaleOf(room);
  }
  const inside = (part: number) => part >= -1e-9 && part <= 1 + 1e-9;
  const isWhole = places.kind === 'index' ? Number.isInteger : () => true;
  return {
    isScale: true,
    ticks: scale.ticks.flatMap((tick, i) =>
      inside(scale.at(tick)) && isWhole(tick) ? [{ part: scale.at(tick), text: labels[i] }] : [],
    ),
    partOf(index) {
      const number = numbers[index];
      return number === null || number === undefined ? undefined : scale.at(number);
    },
    find(place) {
      const number = typeof place === 'number' ? place : dateOf(place)?.clock;
      if (number === undefined) return undefined;
      const part = scale.at(number);
      return inside(part) ? part : undefined;
    },
  };
}

function uprightFrame(drawing: Drawing, options: FrameOptions): Plot {
  const { chart, extent, area, texts, table, isBanded, room = {} } = options;
  const { lineHeight, fontSize } = drawing;
  const [axisX, axisY] = [chart.axes?.x, chart.axes?.y];
  const titleY = axisY?.title === undefined || !isVisible(axisY) ? 0 : lineHeight * 1.25;
  const titleX = axisX?.title === undefined || !isVisible(axisX) ? 0 : lineHeight * 1.1;
  const top = area.y + titleY + Math.max(room.top ?? 0, Math.ceil(isVisible(axisY) ? lineHeight / 2 : 2));
  const beneath = isVisible(axisX) ? lineHeight + gapBeneath(drawing) : 2;
  const valuesOf = (height: number) => {
    const scale = numberScale(extent, {
      axis: axisY,
      field: 'axes.y',
      length: height,
      room: Math.max(2, Math.floor(height / lineHeight / 1.2)),
    });
    return { scale, labels: isVisible(axisY) ? texts.ticks('y', scale.ticks) : [] };
  };
  const sideOf = (labels: readonly string[]) =>
    labels.length === 0
      ? 2
      : Math.min(Math.max(...labels.map((text) => drawing.widthOf(text))), area.width * MAX_SIDE) + AXIS_GAP;
  const estimate = valuesOf(Math.max(lineHeight, area.y + area.height - top - beneath - titleX));
  let right = area.x + area.width - Math.max(2, room.right ?? 0);
  const labelWidth: LabelWidth = (labels) =>
    Math.max(0, ...labels.map((text) => drawing.widthOf(text))) + fontSize * 1.2;
  let left = area.x + sideOf(estimate.labels);
  const widthOf = () => Math.max(1, right - left);
  let axis = placeAxis(options, widthOf(), labelWidth);
  const shown = isVisible(axisX) ? axis.ticks : [];
  let fitted = fitBeneath(drawing, shown, widthOf(), area, axis.isScale || table.places.kind !== 'text');
  if (fitted.angle !== 0) {
    const overhang = fitted.labels.length === 0 ? 0 : fitted.width * DIAGONAL - fitted.labels[0].part * widthOf();
    left = Math.max(left, Math.min(area.x + overhang, area.x + area.width * 0.2));
    axis = placeAxis(options, widthOf(), labelWidth);
    fitted = fitBeneath(drawing, axis.ticks, widthOf(), area, false);
  }
  const last = fitted.labels[fitted.labels.length - 1];
  if (fitted.angle === 0 && !axis.isScale && last) {
    // half of the last text stands beside the plot
    const beside = last.width / 2 - (1 - last.part) * widthOf();
    const end = area.x + area.width - Math.min(beside, area.width * MAX_OVERHANG);
    if (end < right) {
      right = end;
      axis = placeAxis(options, widthOf(), labelWidth);
      fitted = fitBeneath(drawing, isVisible(axisX) ? axis.ticks : [], widthOf(), area, table.places.kind !== 'text');
    }
  }
  const titleGap = titleX > 0 && fitted.angle !== 0 ? TITLE_GAP : 0;
  const bottom = Math.max(
    top + 1,
    area.y + area.height - titleX - titleGap - (isVisible(axisX) ? gapBeneath(drawing) + fitted.height : 2),
  );
  const { scale, labels } = valuesOf(bottom - top);
  if (labels.length > 0) left = Math.max(left, area.x + sideOf(labels));
  const plot: Plot = {
    x: left,
    y: top,
    width: Math.max(1, right - left),
    height: bottom - top,
    isSideways: false,
    values: scale,
    valueAt: (value) => bottom - scale.at(value) * (bottom - top),
    placeAt: (index) => along(axis.partOf(index), left, right - left),
    find: (place) => along(axis.find(place), left, right - left),
    step: axis.isScale ? 0 : (right - left) / Math.max(1, isBanded ? table.count : table.count - 1),
  };
  grid(drawing, plot, chart, axis.isScale ? axis.ticks : fitted.labels);
  writeTitles(drawing, plot, area, titleY > 0 ? axisY?.title : undefined, titleX > 0 ? axisX?.title : undefined);
  scale.ticks.forEach((tick, i) => {
    if (labels[i] === undefined) return;
    const width = left - AXIS_GAP - area.x;
    const text = drawing.shortened(labels[i], width);
    if (text !== labels[i]) drawing.warn('labels_omitted', 'axes.y', SHORTENED);
    drawing.tryLabel({
      text,
      x: area.x,
      y: plot.valueAt(tick) - lineHeight / 2,
      width,
      height: lineHeight,
      align: 'right',
    });
  });
  const isWhole = writeBeneath(drawing, fitted, plot, area);
  if (!isWhole && table.places.kind === 'text') drawing.warn('labels_omitted', 'axes.x', NO_ROOM);
  return plot;
}

const along = (part: number | undefined, start: number, length: number) =>
  part === undefined ? undefined : start + part * length;

const NO_ROOM = 'has no room for some of the texts';
const SHORTENED = 'has texts that are shortened, because they don’t fit';

function writeTitles(
  drawing: Drawing,
  plot: Plot,
  area: LabelBox,
  top: string | undefined,
  beneath: string | undefined,
) {
  const { lineHeight } = drawing;
  const write = (title: string | undefined, field: string, box: { x: number; y: number; width: number }) => {
    if (title === undefined) return;
    const text = drawing.shortened(cleanText(title), box.width);
    if (text !== cleanText(title)) drawing.warn('labels_omitted', field, 'is shortened, because it does not fit');
    const align = field === 'axes.x.title' ? 'center' : 'left';
    if (drawing.tryLabel({ text, ...box, height: lineHeight, align })) return;
    drawing.warn('labels_omitted', field, 'is left out, because there is no room for it');
  };
  write(top, 'axes.y.title', { x: area.x, y: area.y, width: area.width });
  write(beneath, 'axes.x.title', { x: plot.x, y: area.y + area.height - lineHeight, width: plot.width });
}

/** The texts beneath a plot: in a row, or turned by 45°. */
interface FittedLabels {
  readonly labels: readonly { readonly part: number; readonly text: string; readonly width: number }[];
  readonly angle: 0 | -45;
  readonly width: number;
  readonly height: number;
}

function fitBeneath(
  drawing: Drawing,
  ticks: PlaceAxis['ticks'],
  length: number,
  area: LabelBox,
  isContinuous: boolean,
): FittedLabels {
  const { lineHeight, fontSize } = drawing;
  const withWidths = (labels: PlaceAxis['ticks']) =>
    labels.map((label) => ({ ...label, width: drawing.widthOf(label.text) }));
  const all = withWidths(ticks.filter(({ text }) => text !== ''));
  const widest = Math.max(0, ...all.map(({ width }) => width));
  const row = { angle: 0, width: widest, height: lineHeight } as const;
  const step = ticks.length < 2 ? length : Math.abs(ticks[1].part - ticks[0].part) * length;
  const gap = fontSize * 0.6;
  if (widest + gap <= step || all.length < 2) {
    return { ...row, labels: all.map((label) => fitOne(drawing, label, Math.max(step - gap, fontSize))) };
  }
  const everyNth = (nth: number) => withWidths(ticks.filter((_, i) => i % nth === 0)).filter(({ text }) => text !== '');
  const nthInRow = Math.ceil((widest + gap) / step);
  if (isContinuous) return { ...row, labels: everyNth(nthInRow) };
  const nthTurned = Math.ceil((lineHeight * 1.15) / (step * DIAGONAL));
  if (nthInRow <= 1 || (nthTurned > 1 && nthInRow <= nthTurned * 2)) {
    omitted(drawing, nthInRow);
    return { ...row, labels: everyNth(nthInRow) };
  }
  omitted(drawing, nthTurned);
  const most = Math.max(fontSize * 2, (area.height * MAX_BENEATH - lineHeight * DIAGONAL) / DIAGONAL);
  const labels = everyNth(nthTurned).map((label) => fitOne(drawing, label, most));
  const width = Math.max(...labels.map((label) => label.width));
  return { labels, angle: -45, width, height: (width + lineHeight) * DIAGONAL };
}

function omitted(drawing: Drawing, nth: number): void {
  if (nth > 1) drawing.warn('labels_omitted', 'axes.x', `has room for one text of ${nth}; the others are left out`);
}

function fitOne<Fitting extends { readonly text: string; readonly width: number }>(
  drawing: Drawing,
  label: Fitting,
  most: number,
): Fitting {
  if (label.width <= most) return label;
  drawing.warn('labels_omitted', 'axes.x', SHORTENED);
  const text = drawing.shortened(label.text, most);
  return { ...label, text, width: Math.min(most, drawing.widthOf(text)) };
}

/** Writes the texts beneath a plot. Returns whether there was room for all. */
function writeBeneath(
  drawing: Drawing,
  { labels, angle }: FittedLabels,
  plot: LabelBox,
  area: LabelBox,
  gap = gapBeneath(drawing),
): boolean {
  const { lineHeight } = drawing;
  let isWhole = true;
  const top = plot.y + plot.height + gap;
  for (const { part, text, width } of labels) {
    const center = plot.x + part * plot.width;
    if (angle === 0) {
      // the texts of a scale's ends stay in the chart
      const x = Math.max(area.x, Math.min(center - width / 2, area.x + area.width - width));
      isWhole = drawing.tryLabel({ text, x, y: top, width, height: lineHeight, align: 'center' }) && isWhole;
      continue;
    }
    // the end of the text is beneath its place
    const least = Math.min(width, (center - area.x) / DIAGONAL);
    const shown = drawing.shortened(text, least);
    if (shown !== text) drawing.warn('labels_omitted', 'axes.x', SHORTENED);
    const own = Math.min(width, drawing.widthOf(shown));
    const [endX, endY] = [center + lineHeight * 0.2, top + lineHeight * 0.4];
    const isWritten = drawing.tryLabel({
      text: shown,
      x: endX - (own * DIAGONAL) / 2 - own / 2,
      y: endY + (own * DIAGONAL) / 2 - lineHeight / 2,
      width: own,
      height: lineHeight,
      align: 'right',
      rotation: angle,
    });
    isWhole &&= isWritten;
  }
  return isWhole;
}

function sidewaysFrame(drawing: Drawing, options: FrameOptions): Plot {
  const { chart, extent, area, texts, table, room = {} } = options;
  const { lineHeight, fontSize } = drawing;
  const [axisX, axisY] = [chart.axes?.x, chart.axes?.y];
  const titleX = axisX?.title === undefined || !isVisible(axisX) ? 0 : lineHeight * 1.25;
  const titleY = axisY?.title === undefined || !isVisible(axisY) ? 0 : lineHeight * 1.1;
  const beneath = isVisible(axisY) ? lineHeight + gapBeneath(drawing) : 2;
  const top = area.y + titleX + (room.top ?? 0);
  const bottom = Math.max(top + 1, area.y + area.height - beneath - titleY);
  const axis = placeAxis(options, bottom - top, () => lineHeight);
  const shown = isVisible(axisX) ? axis.ticks.filter(({ text }) => text !== '') : [];
  const widest = Math.max(0, ...shown.map(({ text }) => drawing.widthOf(text)));
  const side = shown.length === 0 ? 2 : Math.min(widest, area.width * MAX_SIDE) + AXIS_GAP;
  const left = area.x + side;
  const outer = area.x + area.width;
  const scaleTo = (end: number): Scale => {
    const scaled = (most: number) =>
      numberScale(extent, { axis: axisY, field: 'axes.y', length: Math.max(1, end - left), room: most });
    let scale = scaled(Infinity);
    for (let most = scale.ticks.length - 1; most > 1; most--) {
      const widths = texts.ticks('y', scale.ticks).map((text) => drawing.widthOf(text) + fontSize);
      if (Math.max(0, ...widths) * scale.ticks.length <= end - left + fontSize) break;
      scale = scaled(most);
    }
    return scale;
  };
  const ends = texts.ticks('y', scaleTo(outer).ticks);
  const overhang = isVisible(axisY) && ends.length > 0 ? drawing.widthOf(ends[ends.length - 1]) / 2 : 2;
  const right = Math.max(left + 1, outer - Math.max(room.right ?? 0, overhang));
  const scale = scaleTo(right);
  const plot: Plot = {
    x: left,
    y: top,
    width: right - left,
    height: bottom - top,
    isSideways: true,
    values: scale,
    valueAt: (value) => left + scale.at(value) * (right - left),
    placeAt: (index) => along(axis.partOf(index), top, bottom - top),
    find: (place) => along(axis.find(place), top, bottom - top),
    step: (bottom - top) / Math.max(1, table.count),
  };
  grid(drawing, plot, chart, axis.ticks);
  writeTitles(drawing, plot, area, titleX > 0 ? axisX?.title : undefined, titleY > 0 ? axisY?.title : undefined);
  const nth = Math.max(1, Math.ceil((lineHeight * 1.05) / plot.step));
  if (shown.length > 1 && table.places.kind === 'text') omitted(drawing, nth);
  for (const { part, text } of axis.ticks.filter((_, i) => i % nth === 0)) {
    if (!isVisible(axisX)) break;
    const label = drawing.shortened(text, side - AXIS_GAP);
    if (label !== text) drawing.warn('labels_omitted', 'axes.x', SHORTENED);
    const y = top + part * (bottom - top) - lineHeight / 2;
    drawing.tryLabel({ text: label, x: area.x, y, width: side - AXIS_GAP, height: lineHeight, align: 'right' });
  }
  if (isVisible(axisY)) {
    const labels = texts.ticks('y', scale.ticks);
    scale.ticks.forEach((tick, i) => {
      const width = drawing.widthOf(labels[i]);
      const x = Math.max(area.x, Math.min(plot.valueAt(tick) - width / 2, outer - width));
      drawing.tryLabel({
        text: labels[i],
        x,
        y: bottom + gapBeneath(drawing),
        width,
        height: lineHeight,
        align: 'center',
      });
    });
  }
  return plot;
}

/** The lines behind the marks: thin at the ticks, stronger at zero or at the foot of the plot. */
function grid(
  drawing: Drawing,
  plot: Plot,
  { axes, chart }: ChartFields,
  ticks: readonly { readonly part: number }[],
): void {
  const lines: string[] = [];
  const hasBase = plot.values.domain[0] <= 0 && plot.values.domain[1] >= 0;
  const base = hasBase ? 0 : plot.values.domain[0];
  if (axes?.y?.grid ?? isVisible(axes?.y)) {
    for (const tick of plot.values.ticks) if (tick !== base) lines.push(lineAcross(plot, plot.valueAt(tick)));
  }
  if (axes?.x?.grid ?? (chart === 'scatter' && isVisible(axes?.x))) {
    for (const { part } of ticks) lines.push(lineAlong(plot, part));
  }
  const thin = { color: drawing.faded(GRID_ALPHA), width: 1 };
  if (lines.length > 0) drawing.path(lines, { stroke: thin });
  if (isVisible(axes?.x)) {
    drawing.path([lineAcross(plot, plot.valueAt(base))], { stroke: { color: drawing.faded(BASE_ALPHA), width: 1 } });
  }
}

/** Lines of one pixel are sharp in the middle of a pixel. */
const crisp = (value: number): number => Math.floor(value) + 0.5;

/** The path data of a line at a pixel of the values' axis. */
export function lineAcross(plot: Plot, at: number): string {
  const { x, y, width, height, isSideways } = plot;
  return isSideways
    ? `M${crisp(at)} ${rounded(y)}V${rounded(y + height)}`
    : `M${rounded(x)} ${crisp(at)}H${rounded(x + width)}`;
}

function lineAlong(plot: Plot, part: number): string {
  const { x, y, width, height, isSideways } = plot;
  return isSideways
    ? `M${rounded(x)} ${crisp(y + part * height)}H${rounded(x + width)}`
    : `M${crisp(x + part * width)} ${rounded(y)}V${rounded(y + height)}`;
}

/** The path data of a line at a pixel of the places' axis. */
export function lineAtPlace(plot: Plot, at: number): string {
  return lineAlong(plot, plot.isSideways ? (at - plot.y) / plot.height : (at - plot.x) / plot.width);
}

/** The texts beneath the cells of a heatmap. */
export function columnLabels(drawing: Drawing, area: LabelBox, names: readonly string[], isContinuous: boolean) {
  if (names.length === 0) return { height: 0, overhang: 0, write() {} };
  const ticks = names.map((text, i) => ({ part: (i + 0.5) / names.length, text }));
  const fitted = fitBeneath(drawing, ticks, area.width * (1 - MAX_SIDE / 2), area, isContinuous);
  const first = fitted.labels[0];
  const overhang = fitted.angle === 0 || !first ? 0 : fitted.width * DIAGONAL - first.part * area.width;
  return {
    height: fitted.height + COLUMN_GAP,
    overhang: Math.max(0, Math.min(overhang, area.width * 0.2)),
    write: (plot: LabelBox) => writeBeneath(drawing, fitted, plot, area, COLUMN_GAP),
  };
}

/** The texts beside the rows of a heatmap. */
export function rowLabels(drawing: Drawing, area: LabelBox, names: readonly string[]) {
  const widest = Math.max(0, ...names.map((name) => drawing.widthOf(name)));
  if (widest === 0) return { width: 0, write() {} };
  const width = Math.min(widest, area.width * MAX_SIDE);
  return {
    width: width + AXIS_GAP,
    write(plot: LabelBox) {
      const { lineHeight } = drawing;
      const step = plot.height / names.length;
      const nth = Math.max(1, Math.ceil((lineHeight * 1.05) / step));
      if (nth > 1) drawing.warn('labels_omitted', 'axes.y', `has room for one text of ${nth}; the others are left out`);
      names.forEach((name, i) => {
        if (i % nth !== 0) return;
        const text = drawing.shortened(name, width);
        if (text !== name) drawing.warn('labels_omitted', 'axes.y', SHORTENED);
        const y = plot.y + (i + 0.5) * step - lineHeight / 2;
        drawing.tryLabel({ text, x: area.x, y, width, height: lineHeight, align: 'right' });
      });
    },
  };
}

/** Pixels between the cells of a heatmap and the texts beneath them. */
const COLUMN_GAP = 4;
