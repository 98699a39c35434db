// A target that writes down what layers paint: tests read it, and docs/paint.md shows it as an example.
import type { Rect } from '../../lib/geometry/rect.js';
import type { FillStyle, GlyphRun, GroupEffects, PaintTarget, PlacedPicture } from '../../lib/paint/target.js';
import { isGradient } from '../../lib/raster/fill.js';

export class Recorder implements PaintTarget {
  readonly lines: string[] = [];

  constructor(
    readonly bounds: Rect,
    private readonly depth = 0,
  ) {}

  fillPath(path: { readonly verbs: ArrayLike<number> }, _map: object, style: FillStyle): void {
    this.write(`path of ${path.verbs.length} verbs, ${named(style)}`);
  }

  fillPolygon(polygon: { readonly starts: ArrayLike<number> }, style: FillStyle): void {
    this.write(`polygon of ${polygon.starts.length} contours, ${named(style)}`);
  }

  fillRects(rects: readonly Rect[], style: FillStyle): void {
    const places = rects.map(({ left, top, right, bottom }) => [left, top, right, bottom].join(' '));
    this.write(`rectangle ${places.join(', ')}, ${named(style)}`);
  }

  drawGlyphs(run: GlyphRun): void {
    this.write(`${run.glyphs().length} glyphs, ${named(run.style)}`);
  }

  drawPicture({ source, opacity }: PlacedPicture): void {
    this.write(`picture of ${source.width} × ${source.height}, opacity ${opacity}`);
  }

  drawGroup(
    { bounds, opacity = 1, blendMode = 'normal', ...edges }: GroupEffects,
    draw: (on: PaintTarget) => void,
  ): void {
    const inner = new Recorder(bounds, this.depth + 1);
    draw(inner);
    this.write(['group', `opacity ${opacity}`, blendMode, ...Object.keys(edges)].join(', '));
    this.lines.push(...inner.lines);
  }

  drawPixels({ left, top, right, bottom }: Rect): void {
    this.write(`pixels in ${[left, top, right, bottom].join(' ')}`);
  }

  private write(line: string): void {
    this.lines.push('  '.repeat(this.depth) + line);
  }
}

function named({ fill, opacity }: FillStyle): string {
  if (isGradient(fill)) return `${fill.kind} gradient, opacity ${opacity}`;
  const { r, g, b, a } = fill;
  return `rgb(${r} ${g} ${b} / ${a * opacity})`;
}
