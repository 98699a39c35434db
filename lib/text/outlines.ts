// Glyph outlines, as HarfBuzz draws them: glyph id → path in font units, y up, at the font's variation settings.
// HarfBuzz has the font open for shaping anyway and fails soft on whatever a font file holds. opentype.js draws the same
// outlines (test/text/outlines.test.ts holds every bundled face to it) and just as fast once it is warm, but to import it
// takes 70 ms and to parse a face for its first 60 glyphs 55 ms, where HarfBuzz takes 8 ms: cold starts were spent there.
import * as hb from 'harfbuzzjs';
import { Path } from '../geometry/path.js';

export class Outlines {
  private path = new Path();
  private readonly functions = new hb.DrawFuncs();

  constructor(private readonly font: hb.Font) {
    this.functions.setMoveToFunc((x, y) => this.path.moveTo(x, y));
    this.functions.setLineToFunc((x, y) => this.path.lineTo(x, y));
    this.functions.setQuadraticToFunc((cx, cy, x, y) => this.path.quadTo(cx, cy, x, y));
    this.functions.setCubicToFunc((c1x, c1y, c2x, c2y, x, y) => this.path.cubicTo(c1x, c1y, c2x, c2y, x, y));
    this.functions.setClosePathFunc(() => this.path.close());
  }

  /** The glyph's outline; an empty path for one without ink or without a description. */
  outline(glyph: number): Path {
    this.path = new Path();
    this.font.drawGlyph(glyph, this.functions);
    return this.path;
  }
}
