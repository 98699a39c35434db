// What a draw keeps for the next one while a payload is edited: what was made of each layer, and the pixels beneath the first
// step of painting that changed. The next draw makes and paints only what changed, and paints the same pixels.
import type { AssetFile } from '../assets/asset-file.js';
import type { Layer } from '../contract/layers/index.js';
import { intersect, isEmpty, type Rect, unite } from '../geometry/rect.js';
import type { PreparedLayer } from '../layers/composite.js';
import { NO_BOUNDS, type PaintStep } from '../layers/drawable.js';
import type { Space } from '../layers/frame.js';
import type { PaintedSize } from '../layers/picture.js';
import { Pixmap } from '../raster/pixmap.js';
import { Surface } from '../raster/surface.js';
import type { Readings } from '../scanner/verify.js';
import type { LoadedImage } from './inspect.js';
import { isEqual } from './is-equal.js';
import type { Report } from './report.js';

/** What was made of a layer, and from what. */
export interface KeptLayer {
  /** Laid out. */
  readonly layer: Layer;
  readonly space: Space;
  /** The pictures and faces that it has, and the layers in it. */
  readonly uses: readonly unknown[];
  readonly prepared: PreparedLayer;
  readonly report: Report;
}

interface KeptPicture {
  readonly picture: LoadedImage;
  /** At which it is painted, if that decides its pixels. */
  readonly size: PaintedSize | undefined;
}

interface Node {
  kept?: KeptLayer;
  /** By the field that names it. */
  readonly pictures: Map<string, KeptPicture>;
  readonly nested: Node[];
}

/** The place of one layer, from one draw to the next. */
export class RetainedLayer {
  /** What this draw keeps. */
  readonly next: Node = { pictures: new Map(), nested: [] };

  constructor(private readonly last: Node | undefined) {}

  /** The place of the layer in it with this index. */
  of(index: number): RetainedLayer {
    const nested = new RetainedLayer(this.last?.nested[index]);
    this.next.nested[index] = nested.next;
    return nested;
  }

  /** The picture of the last draw, if it is that of the file at the size. */
  async findPicture(field: string, file: AssetFile, size: PaintedSize | undefined): Promise<LoadedImage | undefined> {
    const known = this.last?.pictures.get(field);
    if (!known || !isEqual(known.size, size)) return undefined;
    const isSame = known.picture.file === file || (await known.picture.file.digest()) === (await file.digest());
    return isSame ? known.picture : undefined;
  }

  keepPicture(field: string, kept: KeptPicture): void {
    this.next.pictures.set(field, kept);
  }

  /** What the last draw made of a layer that is the same but for what it uses. */
  find(layer: Layer, space: Space, report: Report): KeptLayer | undefined {
    const { kept } = this.last ?? {};
    const isSame =
      kept && isEqual(kept.layer, layer, 'layers') && isEqual(kept.space, space) && kept.report.isPlacedAs(report);
    return isSame ? kept : undefined;
  }

  keep(made: KeptLayer): void {
    this.next.kept = made;
  }
}

/** Canvases with more bytes are painted from the start each time. */
const MAX_BYTES = 64 * 2 ** 20;

/** What a draw painted. */
export interface Repainted {
  /** Stays with the scene: callers must not modify it. */
  readonly pixmap: Pixmap;
  /** The pixels that may differ from those of the draw before: all of the canvas after none. */
  readonly changed: Rect;
}

/** Of the draws of one document, one after the other. */
export class RetainedScene {
  /** Of the codes in its pictures. */
  readonly readings: Readings = new WeakMap();
  private layers: Node | undefined;
  private canvas: unknown;
  private steps: readonly PaintStep[] = [];
  private painted: Pixmap | undefined;
  /** The pixels before the step `count`. */
  private below: { readonly count: number; readonly pixmap: Pixmap } | undefined;
  private count = 0;

  /** How many times it was painted. */
  get paintCount(): number {
    return this.count;
  }

  /** The place of the scene's layers in a draw. */
  begin(): RetainedLayer {
    return new RetainedLayer(this.layers);
  }

  /** Keeps the layers of a draw that are prepared. */
  commit({ next }: RetainedLayer): void {
    this.layers = next;
  }

  /**
   * Paints the steps. `canvas`: what else the pixels depend on. `createCanvas`: gives it before the first of them.
   * Where only the steps from one on changed, paints those that reach what changed, over the pixels beneath them.
   */
  paint(canvas: unknown, steps: readonly PaintStep[], createCanvas: () => Pixmap, check: () => void): Repainted {
    const isSameCanvas = isEqual(canvas, this.canvas);
    const same = isSameCanvas ? countSame(this.steps, steps) : 0;
    const before = isSameCanvas ? this.painted : undefined;
    const changed = before && changedPart(this.steps, steps, same, boundsOf(before));
    if (!isSameCanvas || (this.below && this.below.count > same)) this.below = undefined;
    // a draw that fails leaves a part of its pixels
    this.painted = undefined;
    const pixmap =
      before && changed && this.below?.count === same
        ? paintPart(before, this.below.pixmap, changed, steps.slice(same), check)
        : this.paintFrom(steps, same, createCanvas, check);
    this.canvas = canvas;
    this.steps = steps;
    this.count++;
    if (pixmap.data.byteLength <= MAX_BYTES) this.painted = pixmap;
    return { pixmap, changed: changed ?? boundsOf(pixmap) };
  }

  /** Paints all steps but those that are in the pixels below, and keeps the pixels before the first that changed. */
  private paintFrom(steps: readonly PaintStep[], same: number, createCanvas: () => Pixmap, check: () => void): Pixmap {
    const start = this.below?.count ?? 0;
    const pixmap = this.below ? copyOf(this.below.pixmap) : createCanvas();
    const surface = new Surface(boundsOf(pixmap), pixmap);
    steps.forEach((step, index) => {
      if (index < start) return;
      check();
      if (index === same && index > start && pixmap.data.byteLength <= MAX_BYTES) {
        this.below = { count: index, pixmap: copyOf(pixmap) };
      }
      step.draw(surface);
    });
    return pixmap;
  }
}

/** Paints the steps that reach `part` onto `pixmap`, where it is first as `below`. None of them is cut by the part. */
function paintPart(pixmap: Pixmap, below: Pixmap, part: Rect, steps: readonly PaintStep[], check: () => void): Pixmap {
  for (let y = part.top; y < part.bottom; y++) {
    const from = y * pixmap.width;
    pixmap.words.set(below.words.subarray(from + part.left, from + part.right), from + part.left);
  }
  const surface = new Surface(boundsOf(pixmap), pixmap);
  for (const step of steps) {
    check();
    if (!isEmpty(intersect(step.bounds(), part))) step.draw(surface);
  }
  return pixmap;
}

/**
 * The pixels that differ between two rows of steps, of which the first `same` are the same, at most: those of the steps that
 * differ, and of all later ones that reach them.
 */
function changedPart(one: readonly PaintStep[], other: readonly PaintStep[], same: number, canvas: Rect): Rect {
  let last = 0;
  const most = Math.min(one.length, other.length) - same;
  while (last < most && one.at(-1 - last)?.source === other.at(-1 - last)?.source) last++;
  const boundsIn = (step: PaintStep) => intersect(step.bounds(), canvas);
  const differing = [...one.slice(same, one.length - last), ...other.slice(same, other.length - last)];
  let part = differing.map(boundsIn).reduce(unite, NO_BOUNDS);
  let rest = other.slice(same).map(boundsIn);
  for (;;) {
    const reached = rest.filter((bounds) => !isEmpty(intersect(bounds, part)));
    if (reached.length === 0) return part;
    part = reached.reduce(unite, part);
    rest = rest.filter((bounds) => !reached.includes(bounds));
  }
}

const boundsOf = ({ width, height }: Pixmap): Rect => ({ left: 0, top: 0, right: width, bottom: height });

function copyOf({ width, height, data }: Pixmap): Pixmap {
  return new Pixmap(width, height, data.slice());
}

/** How many steps at the start are from the same source. */
function countSame(one: readonly PaintStep[], other: readonly PaintStep[]): number {
  const changed = other.findIndex(({ source }, index) => one[index]?.source !== source);
  return changed < 0 ? other.length : changed;
}
