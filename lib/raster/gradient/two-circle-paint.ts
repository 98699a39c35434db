// A radial gradient between two circles that are not concentric: it has colours where a circle between them or beyond them passes,
// the one farthest along the line where several do.
import type { Affine } from '../../geometry/affine.js';
import { compositeRun } from '../blend.js';
import type { Paint } from '../paint.js';
import { Pixmap } from '../pixmap.js';
import type { Spans } from '../spans.js';
import { sampleRamp } from './gradient-paint.js';
import type { Ramp } from './ramp.js';

/** Two circles by centre and radius. */
export interface Circles {
  readonly x0: number;
  readonly y0: number;
  readonly r0: number;
  readonly x1: number;
  readonly y1: number;
  readonly r1: number;
}

export class TwoCirclePaint implements Paint {
  private readonly samples: Uint32Array;
  private line = new Pixmap(1, 1);

  /** `map` maps the target's columns and rows to the circles' coordinates. */
  constructor(
    private readonly circles: Circles,
    private readonly ramp: Ramp,
    private readonly map: Affine,
  ) {
    this.samples = sampleRamp(ramp);
  }

  row(target: Pixmap, y: number, spans: Spans): void {
    if (this.line.width < target.width) this.line = new Pixmap(target.width, 1);
    for (let i = 0; i < spans.count; i++) {
      this.evaluate(y, spans.start[i], spans.end[i]);
      compositeRun(target, y * target.width, this.line, 0, spans, i, 255);
    }
  }

  /** Writes the pixels [start, end) of row `y` to `line`. */
  private evaluate(y: number, start: number, end: number): void {
    const { samples, map, ramp } = this;
    const { words } = this.line;
    const { x0, y0, r0, x1, y1, r1 } = this.circles;
    const [dx, dy, dr] = [x1 - x0, y1 - y0, r1 - r0];
    const a = dx * dx + dy * dy - dr * dr;
    const isLinear = Math.abs(a) < 1e-9 * (dx * dx + dy * dy);
    const cells = samples.length - 2;
    for (let x = start; x < end; x++) {
      const px = map.a * x + map.c * y + map.e - x0;
      const py = map.b * x + map.d * y + map.f - y0;
      // the circle at t passes (px, py): a·t² − 2·b·t + c = 0
      const b = px * dx + py * dy + r0 * dr;
      const c = px * px + py * py - r0 * r0;
      let t: number;
      if (isLinear) t = c / (2 * b);
      else {
        const root = Math.sqrt(b * b - a * c);
        t = (b + (a > 0 ? root : -root)) / a;
        if (!(r0 + t * dr >= 0)) t = (b - (a > 0 ? root : -root)) / a;
      }
      // also where t is not a number
      if (!(r0 + t * dr >= 0)) {
        words[x] = 0;
        continue;
      }
      let place = (t - ramp.first) / ramp.length;
      if (ramp.repeating) place -= Math.floor(place);
      words[x] = place < 0 ? samples[0] : place >= 1 ? samples[cells + 1] : samples[1 + Math.floor(place * cells)];
    }
  }
}
