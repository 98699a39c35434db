// State that a draw keeps for the next one while a payload is edited: the prepared layers, and the pixels beneath the first
// paint step that changed. The next draw prepares and paints only what changed, and gives the same pixels as a fresh draw.
import type { AssetFile } from '../assets/asset-file.js';
import type { Layer } from '../contract/layers/index.js';
import { intersect, isEmpty, type Rect, unite } from '../geometry/rect.js';
import type { PreparedLayer } from '../layers/composite.js';
import { NO_BOUNDS, type PaintStep } from '../layers/drawable.js';
import type { Space } from '../layers/frame.js';
import type { PaintedSize } from '../layers/picture.js';
import { RasterTarget } from '../paint/raster-target.js';
import { Pixmap } from '../raster/pixmap.js';
import { Surface } from '../raster/surface.js';
import type { Readings } from '../scanner/verify.js';
import type { LoadedImage } from './inspect.js';
import { isEqual } from './is-equal.js';
import type { Report } from './report.js';

/** A prepared layer, and the inputs that it was prepared from. */
export interface KeptLayer {
  /** The layer after layout. */
  readonly layer: Layer;
  readonly space: Space;
  /** The pictures, font faces and nested layers that it uses. */
  readonly uses: readonly unknown[];
  readonly prepared: PreparedLayer;
  readonly report: Report;
}

interface KeptPicture {
  readonly picture: LoadedImage;
  /** The size at which it is painted, if the size decides its pixels. */
  readonly size: PaintedSize | undefined;
}

interface Node {
  cachedLayer?: KeptLayer;
  /** Pictures by the field that names them. */
  readonly pictures: Map<string, KeptPicture>;
  readonly nested: Node[];
}

/** The state of one layer from one draw to the next. */
export class RetainedLayer {
  /** The state that this draw keeps. */
  readonly next: Node = { pictures: new Map(), nested: [] };

  constructor(private readonly last: Node | undefined) {}

  /** The state of nested layer `index`. */
  of(index: number): RetainedLayer {
    const nested = new RetainedLayer(this.last?.nested[index]);
    this.next.nested[index] = nested.next;
    return nested;
  }

  /** The picture of the last draw, if it came from the same file at the same size. */
  async findPicture(field: string, file: AssetFile, size: PaintedSize | undefined): Promise<LoadedImage | undefined> {
    const known = this.last?.pictures.get(field);
    if (!known || !isEqual(known.size, size)) return undefined;
    const isSame = known.picture.file === file || (await known.picture.file.digest()) === (await file.digest());
    return isSame ? known.picture : undefined;
  }

  keepPicture(field: string, picture: KeptPicture): void {
    this.next.pictures.set(field, picture);
  }

  /** Finds the last draw's preparation of a layer that may differ only in the objects that it uses. */
  find(layer: Layer, space: Space, report: Report): KeptLayer | undefined {
    const { cachedLayer: cached } = this.last ?? {};
    const isSame =
      cached &&
      isEqual(cached.layer, layer, 'layers') &&
      isEqual(cached.space, space) &&
      cached.report.isPlacedAs(report);
    return isSame ? cached : undefined;
  }

  keep(made: KeptLayer): void {
    this.next.cachedLayer = made;
  }
}

/** Canvases with more bytes are painted from the start each time. */
const MAX_BYTES = 64 * 2 ** 20;

/** The result of one draw. */
export interface Repainted {
  /** Belongs to the scene: callers must not modify it. */
  readonly pixmap: Pixmap;
  /** The pixels that may differ from the previous draw; the whole canvas on the first. */
  readonly changed: Rect;
}

/** State kept between draws of one document. */
export class RetainedScene {
  /** The readings of the codes in its pictures. */
  readonly readings: Readings = new WeakMap();
  private layers: Node | undefined;
  private canvas: unknown;
  private steps: readonly PaintStep[] = [];
  private painted: Pixmap | undefined;
  /** The pixels before the step at index `count`. */
  private below: { readonly count: number; readonly pixmap: Pixmap } | undefined;
  private count = 0;

  /** Number of times it was painted. */
  get paintCount(): number {
    return this.count;
  }

  /** Starts a draw and returns the state of the scene's layers. */
  begin(): RetainedLayer {
    return new RetainedLayer(this.layers);
  }

  /** Keeps the prepared layers of a draw. */
  commit({ next }: RetainedLayer): void {
    this.layers = next;
  }

  /**
   * Paints the steps. `canvas` holds the other inputs that the pixels depend on; `createCanvas` creates the canvas before the
   * first step. If only the steps from some index on changed, it paints just the steps that reach the changed area, over the
   * pixels beneath them.
   */
  paint(canvas: unknown, steps: readonly PaintStep[], createCanvas: () => Pixmap, check: () => void): Repainted {
    const isSameCanvas = isEqual(canvas, this.canvas);
    const same = isSameCanvas ? countSame(this.steps, steps) : 0;
    const before = isSameCanvas ? this.painted : undefined;
    const changed = before && changedPart(this.steps, steps, same, boundsOf(before));
    if (!isSameCanvas || (this.below && this.below.count > same)) this.below = undefined;
    // a draw that fails leaves some of its pixels behind
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

  /** Paints the steps that the kept pixels lack, and keeps the pixels before the first step that changed. */
  private paintFrom(steps: readonly PaintStep[], same: number, createCanvas: () => Pixmap, check: () => void): Pixmap {
    const start = this.below?.count ?? 0;
    const pixmap = this.below ? copyOf(this.below.pixmap) : createCanvas();
    const target = new RasterTarget(new Surface(boundsOf(pixmap), pixmap));
    steps.forEach((step, index) => {
      if (index < start) return;
      check();
      if (index === same && index > start && pixmap.data.byteLength <= MAX_BYTES) {
        this.below = { count: index, pixmap: copyOf(pixmap) };
      }
      step.draw(target);
    });
    return pixmap;
  }
}

/** Resets `part` of `pixmap` to `below`, and paints there the steps that reach it. No step is clipped to the part. */
function paintPart(pixmap: Pixmap, below: Pixmap, part: Rect, steps: readonly PaintStep[], check: () => void): Pixmap {
  for (let y = part.top; y < part.bottom; y++) {
    const from = y * pixmap.width;
    pixmap.words.set(below.words.subarray(from + part.left, from + part.right), from + part.left);
  }
  const target = new RasterTarget(new Surface(boundsOf(pixmap), pixmap));
  for (const step of steps) {
    check();
    if (!isEmpty(intersect(step.bounds(), part))) step.draw(target);
  }
  return pixmap;
}

/**
 * Bounds the pixels that differ between two lists of steps whose first `same` steps are equal: those of the differing steps and
 * of all later steps that reach them.
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

/** Counts the steps at the start that come from the same source. */
function countSame(one: readonly PaintStep[], other: readonly PaintStep[]): number {
  const changed = other.findIndex(({ source }, index) => one[index]?.source !== source);
  return changed < 0 ? other.length : changed;
}
