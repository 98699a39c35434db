// The target that takes only the text of what is painted, and what it means: a picture of it gets these without ink.
import type { Rect } from '../geometry/rect.js';
import type { GlyphRun, GroupEffects, Meaning, PaintTarget, PixelSource } from './target.js';

export class TextOnlyTarget implements PaintTarget {
  constructor(
    readonly bounds: Rect,
    private readonly take: (run: GlyphRun) => void,
    private readonly mark: (meaning: Meaning, draw: () => void) => void,
  ) {}

  drawGlyphs(run: GlyphRun): void {
    if (run.glyphs().length > 0) this.take(run);
  }

  drawGroup({ opacity }: GroupEffects, draw: (target: PaintTarget) => void): void {
    if (opacity !== 0) draw(this);
  }

  drawPixels(_bounds: Rect, _draw: unknown, { exact, origin }: PixelSource = {}): void {
    (exact ?? origin)?.(this);
  }

  annotate(meaning: Meaning, draw: (target: PaintTarget) => void): void {
    this.mark(meaning, () => draw(this));
  }

  fillPath(): void {}
  fillPolygon(): void {}
  fillRects(): void {}
  drawPicture(): void {}
}
