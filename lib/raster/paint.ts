// What coverage is filled with: a colour, or another picture. A paint composites one row of spans, source-over,
// in gamma space, as browsers do; coordinates are the target's. Nothing is allocated per row.
import type { Affine } from '../geometry/affine.js';
import { blendEdges, blendFlat, compositeRun, div255, type EdgeColor } from './blend.js';
import type { Color } from './color.js';
import { type Pixmap, packColor, packWord } from './pixmap.js';
import { PER_PIXEL, type Spans } from './spans.js';

export interface Paint {
  row(target: Pixmap, y: number, spans: Spans): void;
}

/** One colour everywhere. `table` (256 entries), when given, maps the coverage of pixels on edges before it is used. */
export class SolidPaint implements Paint, EdgeColor {
  readonly word: number;
  readonly opaque: number;
  readonly alpha: number;

  constructor(
    color: Color,
    readonly table?: Uint8Array,
  ) {
    this.word = packColor(color);
    this.opaque = packWord(color.r, color.g, color.b, 255);
    this.alpha = Math.round(color.a * 255);
  }

  row(target: Pixmap, y: number, spans: Spans): void {
    const line = y * target.width;
    for (let i = 0; i < spans.count; i++) {
      const start = spans.start[i];
      const end = spans.end[i];
      const cover = spans.cover[i];
      if (cover === PER_PIXEL) blendEdges(target.words, line, start, end, spans.alpha, this);
      else if (cover === 255 && this.alpha === 255) target.words.fill(this.word, line + start, line + end);
      else blendFlat(target.words, line + start, line + end, this.opaque, div255(this.alpha * cover));
    }
  }
}

/** Another picture, pixel on pixel: its (0, 0) lies on the target's (left, top). Spans must stay inside it. */
export class PixmapPaint implements Paint {
  private readonly alpha: number;

  constructor(
    private readonly source: Pixmap,
    private readonly left: number,
    private readonly top: number,
    opacity = 1,
  ) {
    this.alpha = Math.round(opacity * 255);
  }

  row(target: Pixmap, y: number, spans: Spans): void {
    const from = (y - this.top) * this.source.width - this.left;
    for (let i = 0; i < spans.count; i++) {
      compositeRun(target, y * target.width, this.source, from, spans, i, this.alpha);
    }
  }
}

/**
 * Another picture under a map, sampled bilinearly; beyond its edges the edge pixels go on. `toSource` takes points of
 * the target to points of the picture (pixel centres at halves). The picture should not be shrunk by the map to under
 * half its size: resample it first, or it aliases.
 */
export class MappedPaint implements Paint {
  private readonly line: Pixmap;

  constructor(
    private readonly source: Pixmap,
    private readonly toSource: Affine,
    private readonly opacity: number,
    line: Pixmap,
  ) {
    this.line = line;
  }

  row(target: Pixmap, y: number, spans: Spans): void {
    for (let i = 0; i < spans.count; i++) {
      this.sample(y, spans.start[i], spans.end[i]);
      compositeRun(target, y * target.width, this.line, 0, spans, i, Math.round(this.opacity * 255));
    }
  }

  /** Samples the pixels `start`…`end` of row `y` into the line buffer. */
  private sample(y: number, start: number, end: number): void {
    const { data, width, height } = this.source;
    const out = this.line.data;
    const { a, b, c, d, e, f } = this.toSource;
    let u = a * (start + 0.5) + c * (y + 0.5) + e - 0.5;
    let v = b * (start + 0.5) + d * (y + 0.5) + f - 0.5;
    for (let x = start; x < end; x++, u += a, v += b) {
      const u0 = Math.floor(u);
      const v0 = Math.floor(v);
      const right = u - u0;
      const lower = v - v0;
      const left = u0 < 0 ? 0 : u0 >= width ? width - 1 : u0;
      const next = u0 + 1 < 0 ? 0 : u0 + 1 >= width ? width - 1 : u0 + 1;
      const upperLine = (v0 < 0 ? 0 : v0 >= height ? height - 1 : v0) * width;
      const lowerLine = (v0 + 1 < 0 ? 0 : v0 + 1 >= height ? height - 1 : v0 + 1) * width;
      const p00 = (upperLine + left) * 4;
      const p10 = (upperLine + next) * 4;
      const p01 = (lowerLine + left) * 4;
      const p11 = (lowerLine + next) * 4;
      const w11 = right * lower;
      const w10 = right - w11;
      const w01 = lower - w11;
      const w00 = 1 - right - w01;
      const o = x * 4;
      out[o] = data[p00] * w00 + data[p10] * w10 + data[p01] * w01 + data[p11] * w11;
      out[o + 1] = data[p00 + 1] * w00 + data[p10 + 1] * w10 + data[p01 + 1] * w01 + data[p11 + 1] * w11;
      out[o + 2] = data[p00 + 2] * w00 + data[p10 + 2] * w10 + data[p01 + 2] * w01 + data[p11 + 2] * w11;
      out[o + 3] = data[p00 + 3] * w00 + data[p10 + 3] * w10 + data[p01 + 3] * w01 + data[p11 + 3] * w11;
    }
  }
}
