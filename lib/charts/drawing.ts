// The layers of a chart while it is drawn: paths over the whole box, and texts that never overlap.

import { cos, sin } from '../geometry/math.js';
import type { Color } from '../raster/color.js';
import { hexOf, luminanceOf, mixColors } from '../raster/color-math.js';
import { graphemesOf } from '../unicode/graphemes.js';
import { familyWidth, textWidth } from './text-width.js';

export type RawLayer = Readonly<Record<string, unknown>>;

/** What is wrong with a chart's fields or data. */
export class ChartError extends Error {
  /** `field`: path within the chart, such as `data[3]`. */
  constructor(
    readonly field: string,
    message: string,
    readonly isLimit = false,
  ) {
    super(message);
  }
}

export interface ChartWarning {
  readonly code: 'labels_omitted' | 'values_ignored';
  readonly field: string;
  readonly message: string;
}

/** A box in pixels of the chart. */
export interface LabelBox {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Label extends LabelBox {
  readonly text: string;
  readonly align?: 'left' | 'center' | 'right';
  readonly color?: Color | undefined;
  readonly isBold?: boolean;
  /** Degrees clockwise about the centre of the box. */
  readonly rotation?: number;
  readonly size?: number;
}

export interface LineStyle {
  readonly color: Color;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly cap?: 'round';
}

/** Lengths of path data: a path has at most 500,000 characters. */
const MAX_PATH = 400_000;
/** Height of a line of text in ems. */
export const LINE_HEIGHT = 1.3;
/** Pixels between labels. */
const LABEL_GAP = 4;
/** Smallest text that a label shrinks to, relative to its size. */
const LEAST_SIZE = 0.6;

/** Luminances with a contrast of about 4.5 to a dark page, such as #0f172a, and to white. */
const [LEAST_ON_DARK, MOST_ON_LIGHT] = [0.21, 0.183];

/** Rounds to a thousandth of a pixel, so that all engines give the same digits. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000 + 0;

export class Drawing {
  readonly layers: RawLayer[] = [];
  readonly warnings: ChartWarning[] = [];
  readonly lineHeight: number;
  readonly #labels: TurnedBox[] = [];
  readonly #familyWidth: number;

  constructor(
    readonly width: number,
    readonly height: number,
    /** Font size of texts, in pixels. */
    readonly fontSize: number,
    readonly fontFamily: string,
    readonly color: Color,
  ) {
    this.lineHeight = rounded(fontSize * LINE_HEIGHT);
    this.#familyWidth = familyWidth(fontFamily);
  }

  /** The text colour with another alpha, for lines behind the marks. */
  faded(alpha: number): Color {
    return { ...this.color, a: this.color.a * alpha };
  }

  /** A colour for texts that is like another one, but as easy to read as the other texts on what is probably behind. */
  legible(color: Color): Color {
    const isOnDark = luminanceOf(this.color) > 0.4;
    for (const part of [0, 0.2, 0.4, 0.6]) {
      const mixed = part === 0 ? color : mixColors(color, this.color, part);
      const luminance = luminanceOf(mixed);
      if (isOnDark ? luminance >= LEAST_ON_DARK : luminance <= MOST_ON_LIGHT) return mixed;
    }
    return this.color;
  }

  /** The width of a text in pixels. */
  widthOf(text: string, { isBold = false, size = this.fontSize } = {}): number {
    return Math.ceil(textWidth(text, isBold) * this.#familyWidth * size);
  }

  /** The text, or as much of its beginning as fits the width, with an ellipsis. */
  shortened(text: string, width: number, isBold = false): string {
    if (this.widthOf(text, { isBold }) <= width) return text;
    const graphemes = graphemesOf(text);
    let [low, high] = [0, graphemes.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.widthOf(`${graphemes.slice(0, middle).join('')}…`, { isBold }) <= width) low = middle;
      else high = middle - 1;
    }
    return `${graphemes.slice(0, low).join('').trimEnd()}…`;
  }

  warn(code: ChartWarning['code'], field: string, message: string): void {
    if (!this.warnings.some((each) => each.code === code && each.field === field)) {
      this.warnings.push({ code, field, message });
    }
  }

  /** Draws figures, each with its path data, as one path, or as several where one would be too long. */
  path(figures: Iterable<string>, { fill, stroke }: { readonly fill?: Color; readonly stroke?: LineStyle }): void {
    let data = '';
    const flush = () => {
      if (data !== '') this.#addPath(data, fill, stroke);
      data = '';
    };
    for (const figure of figures) {
      if (data.length + figure.length > MAX_PATH) flush();
      data += figure;
    }
    flush();
  }

  #addPath(d: string, fill: Color | undefined, stroke: LineStyle | undefined): void {
    this.layers.push({
      type: 'shape',
      shapeType: 'path',
      ...this.#whole(),
      d,
      ...(fill && { fillColor: hexOf(fill) }),
      ...(stroke && {
        border: {
          color: hexOf(stroke.color),
          width: rounded(stroke.width),
          ...(stroke.cap && { cap: stroke.cap, join: 'round' }),
          ...(stroke.dash && { dash: stroke.dash }),
        },
      }),
    });
  }

  #whole(): LabelBox {
    return { x: 0, y: 0, width: this.width, height: this.height };
  }

  /** Writes a label if no other is there and it is inside the chart. Returns whether it is written. */
  tryLabel(label: Label): boolean {
    if (!this.#isFree(label)) return false;
    this.label(label);
    return true;
  }

  /** Writes a label whose place is its own. */
  label(label: Label): void {
    const { text, align = 'left', color = this.color, isBold = false, rotation = 0, size = this.fontSize } = label;
    if (text === '') return;
    const box = { x: label.x, y: label.y, width: label.width, height: label.height };
    this.#labels.push({ box, rotation });
    this.layers.push({
      type: 'text',
      text,
      x: rounded(box.x),
      y: rounded(box.y),
      width: rounded(box.width),
      height: rounded(box.height),
      ...(this.fontFamily !== 'Inter' && { fontFamily: this.fontFamily }),
      fontSize: rounded(size),
      ...(isBold && { fontWeight: 600 }),
      color: hexOf(color),
      ...(align !== 'left' && { textAlign: align }),
      verticalAlign: 'middle',
      ...(rotation !== 0 && { rotation }),
      maxLines: 1,
      autoFit: true,
      minFontSize: rounded(size * LEAST_SIZE),
    });
  }

  #isFree({ x, y, width, height, rotation = 0 }: Label): boolean {
    const edge = 0.5;
    const isInside = x >= -edge && y >= -edge && x + width <= this.width + edge && y + height <= this.height + edge;
    if (rotation === 0 && !isInside) return false;
    const box = { x: x - LABEL_GAP / 2, y, width: width + LABEL_GAP, height };
    return !this.#labels.some((other) => areTouching({ box, rotation }, other));
  }
}

interface TurnedBox {
  readonly box: LabelBox;
  readonly rotation: number;
}

/** Whether two boxes, each turned about its centre, overlap: no axis of either separates them. */
export function areTouching(a: TurnedBox, b: TurnedBox): boolean {
  if (a.rotation === 0 && b.rotation === 0) return areOverlapping(a.box, b.box);
  const axes = (a.rotation === b.rotation ? [a.rotation] : [a.rotation, b.rotation]).map((degrees) => {
    const angle = (degrees * Math.PI) / 180;
    return [cos(angle), sin(angle)] as const;
  });
  const [first, second] = [a, b].map(({ box, rotation }) => {
    const angle = (rotation * Math.PI) / 180;
    const [across, down] = [cos(angle), sin(angle)];
    return {
      x: box.x + box.width / 2,
      y: box.y + box.height / 2,
      reach: (dx: number, dy: number) =>
        (Math.abs(dx * across + dy * down) * box.width + Math.abs(dy * across - dx * down) * box.height) / 2,
    };
  });
  const touches = (dx: number, dy: number) =>
    Math.abs((first.x - second.x) * dx + (first.y - second.y) * dy) <
    first.reach(dx, dy) + second.reach(dx, dy) - LEAST_OVERLAP;
  return axes.every(([dx, dy]) => touches(dx, dy) && touches(-dy, dx));
}

/** Less is rounding. */
const LEAST_OVERLAP = 1e-6;

const areOverlapping = (a: LabelBox, b: LabelBox): boolean =>
  a.x + a.width - b.x > LEAST_OVERLAP &&
  b.x + b.width - a.x > LEAST_OVERLAP &&
  a.y + a.height - b.y > LEAST_OVERLAP &&
  b.y + b.height - a.y > LEAST_OVERLAP;
