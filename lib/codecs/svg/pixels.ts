// Counts the pixels that resvg processes for its simplified document, where every size and reference is resolved: texts
// are outlines; `use`, markers, percentages and styles are gone. Each group with opacity, a filter, a mask, a clip path
// or a blend mode is a layer of the size of its content; each filter primitive, and each tile of a pattern, is one more.
import type { CheckTime } from '../../stage-budget.js';
import { unsupported } from '../errors.js';
import {
  type Bounds,
  boxOf,
  EMPTY,
  INFINITE_BOUNDS,
  intersection,
  matrixOf,
  multiply,
  numbersOf,
  numericAttribute,
  pointBounds,
  type SvgMatrix,
  scalesOf,
  strokedBounds,
  transformed,
  union,
  viewMatrix,
} from './bounds.js';
import { readEmbedded } from './embedded-images.js';
import { elementsById, urlIds } from './graph.js';
import { isHidden } from './offscreen.js';
import { MAX_DEPTH, type SvgElement, type SvgTree, scanSvg } from './scan.js';

/** Painting, in pixels of one colour: those of a layer and of a filter primitive count more, as they take longer. */
const LAYER = 4;
const PRIMITIVE = 16;
const RASTER = 16;
/** Per dash, and per pixel row that an edge crosses: its neighbours on the row count too, since they are sorted. */
const CROSSING = 3;

/** Maximum painting: 2.7 s of processor time, and 5 µs per pixel of the image. */
const maxPainted = (pixels: number) => 2 ** 28 + 512 * pixels;
/** Maximum painting of filters and patterns: about 5 s of processor time. */
const MAX_FILTERED = 2 ** 29;
/**
 * Maximum pixels of layers that are held at once, 4 bytes each: 1 GiB, and less for a small image, whose admission
 * reserves little memory. Together with the image itself, this bounds the memory of one rendering.
 */
const maxHeld = (pixels: number) => Math.min(2 ** 28, 2 ** 25 + 64 * pixels);
const MAX_DASHES = 1_000_000;

/** Elements, or eighths of a character of path data, that need no count if they filled the image as layers. */
export const isSmall = (drawn: number, data: number, pixels: number) => (16 * drawn + 2 * data) * pixels < 2 ** 28;

/** A bitmap that elements are drawn into: the part of the plane that it shows, and its number of pixels. */
interface Target {
  readonly clip: Bounds;
  readonly pixels: number;
}

interface Drawn {
  /** In the units of the parent. */
  readonly bounds: Bounds;
  /** Pixels of layers held at once. */
  readonly held: number;
}

const CONTAINERS = new Set(['svg', 'g', 'clipPath', 'mask']);
const LAYERED = ['opacity', 'filter', 'mask', 'clip-path', 'style'];
/** Primitives whose result has the size of the entire filter region; those of the others have the size of the layer. */
const REGION_SIZED = /Flood|Turbulence|Tile|Image|Blend|Composite|Merge|DisplacementMap|Lighting/;
/** An element in multiples of an unknown box: it may cover its entire bitmap. */
const UNKNOWN: SvgMatrix = [Infinity, 0, 0, Infinity, 0, 0];

/**
 * Throws RenderError if the drawing of resvg's `simplified` document takes too many pixels, and what `check` throws.
 * `simplify` converts an embedded SVG. Returns the groups whose layers show nothing (svg/offscreen.ts).
 */
export function checkPixels(
  simplified: string,
  { width, height }: { readonly width: number; readonly height: number },
  simplify: (svg: string) => string,
  check: CheckTime,
): readonly SvgElement[] {
  const counter = new PixelCounter(width, height, simplify, check);
  const tree = scanSvg(simplified, check, 4 * MAX_DEPTH);
  const { held } = counter.drawTree(tree, viewMatrix(tree.root), {
    clip: [0, 0, width, height],
    pixels: width * height,
  });
  const pixels = width * height;
  const size = `at ${width} × ${height} pixels`;
  if (!(held <= maxHeld(pixels))) {
    throw unsupported(
      'svg',
      `${size} its groups and filters hold ${Math.ceil(held / pixels)} layers of this size at once`,
    );
  }
  if (!(counter.filtered <= MAX_FILTERED))
    throw unsupported('svg', `${size} its filters and patterns process too many pixels`);
  if (!(counter.painted <= maxPainted(pixels))) throw unsupported('svg', `${size} it paints too many pixels`);
  if (!(counter.dashes <= MAX_DASHES)) throw unsupported('svg', `it draws more than ${MAX_DASHES} dashes`);
  return counter.hidden;
}

class PixelCounter {
  painted = 0;
  filtered = 0;
  dashes = 0;
  hidden: SvgElement[] = [];
  /** The number of filters around what is drawn; infinite in definitions, which may be drawn elsewhere too. */
  private filters = 0;
  private byId: ReadonlyMap<string, SvgElement> = new Map();
  /** Resvg crops a layer to this: two image sizes in each direction. */
  private readonly layer: Target;

  constructor(
    private readonly width: number,
    private readonly height: number,
    private readonly simplify: (svg: string) => string,
    private readonly check: CheckTime,
  ) {
    this.layer = { clip: [-2 * width, -2 * height, 2 * width, 2 * height], pixels: 16 * width * height };
  }

  drawTree({ root, elements }: SvgTree, matrix: SvgMatrix, target: Target): Drawn {
    const outer = this.byId;
    this.byId = elementsById(elements);
    const drawn = this.draw(root, matrix, target);
    this.byId = outer;
    return drawn;
  }

  private draw(element: SvgElement, outer: SvgMatrix, target: Target): Drawn {
    this.check(10);
    const own = matrixOf(element);
    const matrix = multiply(outer, own);
    if (element.name === 'path') return this.drawPath(element, matrix, target);
    if (element.name === 'image') return this.drawImage(element, matrix, target);
    if (!CONTAINERS.has(element.name)) return { bounds: EMPTY, held: 0 };
    const { attributes, children } = element;
    if (!LAYERED.some((name) => attributes.has(name))) {
      const { bounds, held } = this.drawAll(children, matrix, target);
      return { bounds: transformed(bounds, own), held };
    }
    const filters = this.referenced(attributes.get('filter'));
    this.filters += filters.length;
    const content = this.drawAll(children, matrix, this.layer);
    this.filters -= filters.length;
    const bounds = filters.reduce((sum, filter) => union(sum, reachOf(filter, content.bounds)), content.bounds);
    const isHere = this.filters < Infinity && children.length > 0;
    if (isHere && isHidden(transformed(bounds, matrix), this.width, this.height, this.filters > 0)) {
      this.hidden.push(element);
    }
    const held = content.held + this.drawLayer(element, filters, content.bounds, matrix);
    return { bounds: transformed(bounds, own), held };
  }

  /** Draws what a definition contains. */
  private define(run: () => Drawn): number {
    const filters = this.filters;
    this.filters = Infinity;
    const { held } = run();
    this.filters = filters;
    return held;
  }

  private drawAll(elements: readonly SvgElement[], matrix: SvgMatrix, target: Target): Drawn {
    let [bounds, held] = [EMPTY, 0];
    for (const element of elements) {
      const drawn = this.draw(element, matrix, target);
      bounds = union(bounds, drawn.bounds);
      held = Math.max(held, drawn.held);
    }
    return { bounds, held };
  }

  /** Counts the layer of a group with its filters, masks and clip paths. Returns the pixels that it holds. */
  private drawLayer(
    { attributes }: SvgElement,
    filters: readonly SvgElement[],
    bounds: Bounds,
    matrix: SvgMatrix,
  ): number {
    let region = bounds;
    let held = 0;
    for (const filter of filters) {
      const filterBounds = regionOf(filter, bounds);
      region = union(region, filterBounds);
      held = Math.max(held, this.filter(filter, bounds, filterBounds, matrix));
    }
    const clip = intersection(transformed(region, matrix), this.layer.clip);
    const pixels = covered(clip, this.layer);
    this.painted += LAYER * pixels;
    held += pixels;
    for (const shape of this.referenced(`${attributes.get('clip-path')} ${attributes.get('mask')}`)) {
      const units = shape.attributes.get('maskContentUnits') ?? shape.attributes.get('clipPathUnits');
      const shapeMatrix = units === 'objectBoundingBox' ? UNKNOWN : matrix;
      this.painted += LAYER * pixels;
      held += pixels + this.define(() => this.draw(shape, shapeMatrix, { clip, pixels }));
    }
    return held;
  }

  /** Counts a filter's primitives. Returns the pixels that it holds: all results are kept until the last one is done. */
  private filter(filter: SvgElement, [x0, y0, x1, y1]: Bounds, region: Bounds, matrix: SvgMatrix): number {
    const area = areaOf(transformed(region, matrix));
    const isWhole = Number.isFinite(area) && filter.children.some(({ name }) => REGION_SIZED.test(name));
    const pixels = isWhole ? area : covered(transformed(region, matrix), this.layer);
    const scales = scalesOf(matrix);
    const isOfBox = filter.attributes.get('primitiveUnits') === 'objectBoundingBox';
    const units = isOfBox && x0 <= x1 ? [scales[0] * (x1 - x0), scales[1] * (y1 - y0)] : scales;
    for (const primitive of filter.children) this.filtered += pixels * primitiveCost(primitive, units);
    return pixels * (filter.children.length + 2);
  }

  private drawPath(path: SvgElement, matrix: SvgMatrix, target: Target): Drawn {
    const { attributes } = path;
    const points = numbersOf(attributes.get('d') ?? '');
    const shape = pointBounds(points);
    const bounds = strokedBounds(shape, path);
    const box = transformed(bounds, matrix);
    const pixels = covered(box, target);
    let length = 0;
    for (let i = 2; i < points.length; i++) length += Math.abs(points[i] - points[i - 2]);
    const scales = scalesOf(matrix);
    const crossings = Math.min(
      length * Math.max(...scales) || 0,
      (points.length / 2) * Math.max(this.width, this.height),
    );
    const rows = Math.max(1, Math.min(this.height, box[3] - box[1]) || 1);
    this.painted += crossings * (CROSSING + Math.min(this.width, crossings / rows / 2) / 4);
    let held = 0;
    for (const name of ['fill', 'stroke']) {
      const paint = attributes.get(name) ?? 'none';
      if (paint === 'none') continue;
      this.painted += pixels;
      for (const server of this.referenced(paint)) {
        if (server.name === 'pattern') held = this.drawPattern(server, shape, matrix);
        // a gradient takes three times as long, and longer with many stops
        else this.painted += pixels * (3 + server.children.length / 16);
      }
      const dashes = name === 'stroke' ? numbersOf(attributes.get('stroke-dasharray') ?? '') : [];
      const sum = dashes.reduce((total, dash) => total + dash, 0);
      if (sum > 0) this.dashes += (length * dashes.length) / sum;
    }
    return { bounds, held };
  }

  /** Counts a pattern's tile, which is drawn for each path at its full size. Returns the pixels that it holds. */
  private drawPattern(pattern: SvgElement, bounds: Bounds, outer: SvgMatrix): number {
    const { attributes } = pattern;
    const matrix = multiply(outer, matrixOf(pattern, 'patternTransform'));
    const isOfBox = attributes.get('patternUnits') !== 'userSpaceOnUse';
    const [x0, y0, x1, y1] = isOfBox ? regionOf(pattern, bounds) : boxOf(pattern);
    const [scaleX, scaleY] = scalesOf(matrix);
    const area = (x1 - x0) * scaleX * (y1 - y0) * scaleY;
    const pixels = Number.isFinite(area) ? area : this.layer.pixels;
    this.filtered += LAYER * pixels;
    const isUnknown = attributes.has('viewBox') || attributes.get('patternContentUnits') === 'objectBoundingBox';
    const tile = { clip: INFINITE_BOUNDS, pixels };
    return pixels + this.define(() => this.drawAll(pattern.children, isUnknown ? UNKNOWN : matrix, tile));
  }

  private drawImage(image: SvgElement, matrix: SvgMatrix, target: Target): Drawn {
    const bounds = boxOf(image);
    const pixels = covered(transformed(bounds, matrix), target);
    this.painted += RASTER * pixels;
    const embedded = readEmbedded(image);
    if (typeof embedded !== 'string') {
      // a raster is decoded each time it is drawn
      this.filtered += 2 * (embedded ?? 0);
      return { bounds, held: 0 };
    }
    const tree = scanSvg(this.simplify(embedded), this.check, 4 * MAX_DEPTH);
    const [width, height] = [numericAttribute(tree.root, 'width'), numericAttribute(tree.root, 'height')];
    const scale = Math.max((bounds[2] - bounds[0]) / width, (bounds[3] - bounds[1]) / height);
    const view = multiply(multiply(matrix, [scale, 0, 0, scale, bounds[0], bounds[1]]), viewMatrix(tree.root));
    return { bounds, held: this.define(() => this.drawTree(tree, view, target)) };
  }

  private referenced(value: string | undefined): SvgElement[] {
    return value === undefined ? [] : urlIds(value).flatMap((id) => this.byId.get(id) ?? []);
  }
}

function areaOf([x0, y0, x1, y1]: Bounds): number {
  // one more pixel on each side, as layers are rounded out to whole pixels and edges are antialiased
  return x0 > x1 || y0 > y1 ? 0 : (x1 - x0 + 2) * (y1 - y0 + 2);
}

/** Pixels of `target` within `bounds`. */
const covered = (bounds: Bounds, { clip, pixels }: Target) => Math.min(pixels, areaOf(intersection(bounds, clip)));

/** The region of a filter or pattern in the units of an element with `bounds`. */
function regionOf(element: SvgElement, bounds: Bounds): Bounds {
  const region = boxOf(element);
  if (element.attributes.get('filterUnits') === 'userSpaceOnUse') return region;
  const [x0, y0, x1, y1] = bounds;
  return x0 > x1 ? EMPTY : transformed(region, [x1 - x0, 0, 0, y1 - y0, x0, y0]);
}

/** The place where a filter may show an element with `bounds`, whose true size may be smaller. */
function reachOf(filter: SvgElement, bounds: Bounds): Bounds {
  if (filter.attributes.get('filterUnits') === 'userSpaceOnUse') return boxOf(filter);
  const [x0, y0, x1, y1] = boxOf(filter);
  const factor = 2 * Math.max(0, -x0, -y0, x1 - 1, y1 - 1);
  const [width, height] = [factor * (bounds[2] - bounds[0]), factor * (bounds[3] - bounds[1])];
  return [bounds[0] - width, bounds[1] - height, bounds[2] + width, bounds[3] + height];
}

/** What a filter primitive takes per pixel. `units`: pixels per unit of each axis. */
function primitiveCost({ name, attributes }: SvgElement, [scaleX, scaleY]: readonly number[]): number {
  const [x = 1, y = x] = numbersOf(
    attributes.get('radius') ?? attributes.get('order') ?? attributes.get('numOctaves') ?? '',
  );
  if (name === 'feTurbulence') return PRIMITIVE * (1 + x);
  // every value of the kernel is read for each pixel
  if (name === 'feMorphology') return PRIMITIVE + ((2 * x * scaleX + 1) * (2 * y * scaleY + 1)) / 2;
  return name === 'feConvolveMatrix' ? PRIMITIVE + x * y : PRIMITIVE;
}
