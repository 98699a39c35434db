// Where glyph outlines come from: one interface, two sources. opentype.js reads the bundled faces, which are known good;
// HarfBuzz draws what came from outside or varies along axes, because it fails soft on whatever a font file holds.
// Glyph ids are the same in both. Outlines are in font units, y up.
import * as hb from 'harfbuzzjs';
import opentype from 'opentype.js';
import { Path } from '../geometry/path.js';

export interface Outlines {
  /** The glyph's outline; an empty path for one without ink or without a description. */
  outline(glyph: number): Path;
}

/** Outlines of a trusted, static TrueType or CFF face. Parsing is put off until the first glyph is drawn. */
export class OpentypeOutlines implements Outlines {
  private font: opentype.Font | undefined;

  constructor(private readonly bytes: Uint8Array) {}

  outline(glyph: number): Path {
    const { buffer, byteOffset, byteLength } = this.bytes;
    this.font ??= opentype.parse(buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer);
    const path = new Path();
    // at a size of one em no scaling happens; getPath turns y down, so it is turned back
    for (const command of this.font.glyphs.get(glyph).getPath(0, 0, this.font.unitsPerEm).commands) {
      if (command.type === 'M') path.moveTo(command.x, -command.y);
      else if (command.type === 'L') path.lineTo(command.x, -command.y);
      else if (command.type === 'Q') path.quadTo(command.x1, -command.y1, command.x, -command.y);
      else if (command.type === 'C') {
        path.cubicTo(command.x1, -command.y1, command.x2, -command.y2, command.x, -command.y);
      } else path.close();
    }
    return path;
  }
}

/** Outlines as HarfBuzz draws them, at the font's variation settings. */
export class HarfbuzzOutlines implements Outlines {
  private path = new Path();
  private readonly functions = new hb.DrawFuncs();

  constructor(private readonly font: hb.Font) {
    this.functions.setMoveToFunc((x, y) => this.path.moveTo(x, y));
    this.functions.setLineToFunc((x, y) => this.path.lineTo(x, y));
    this.functions.setQuadraticToFunc((cx, cy, x, y) => this.path.quadTo(cx, cy, x, y));
    this.functions.setCubicToFunc((c1x, c1y, c2x, c2y, x, y) => this.path.cubicTo(c1x, c1y, c2x, c2y, x, y));
    this.functions.setClosePathFunc(() => this.path.close());
  }

  outline(glyph: number): Path {
    this.path = new Path();
    this.font.drawGlyph(glyph, this.functions);
    return this.path;
  }
}
