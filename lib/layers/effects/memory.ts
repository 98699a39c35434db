// The memory that a layer's effects take at most: the pictures that are held at once along the deepest path of groups inside
// groups. Reads the fields alone, since it runs before anything is loaded or laid out, and follows composite.ts.
//
// Measured as the growth of a fresh process's peak RSS, and estimated with the canvas as a PNG, in MiB. At 8192 × 8192: colour
// filters 520 of 768, blur(20px) 809 of 1301, blur(400px) of a larger layer 1237 of 1664, drop-shadow() 1320 of 1564, both
// in a list 1578 of 1839, a backdrop 811 of 1280, a shadow of a group 943 of 1288, 30 layers with filters and shadows 1584 of
// 2078. At 4096 × 4096: four groups with blurs 343 of 543; 16 groups with a shadow, a mask and a filter 371 of 4186, and 1223
// when each has a background. The pictures of outer groups are allocated and stay untouched until the inner ones are done;
// systems that have given them out before do not give them untouched, so all of them count.
import type { Canvas } from '../../contract/layers/canvas.js';
import type { GroupLayer, Layer } from '../../contract/layers/index.js';
import { childrenOf } from '../../contract/layers/nested-layers.js';
import { outputSize } from '../../contract/layers/output-size.js';
import type { Affine } from '../../geometry/affine.js';
import { areaOf, type Rect, rectOf, unite } from '../../geometry/rect.js';
import { boxBlurReach } from '../../raster/filters/box-blur.js';
import { filterSource, mapFilters, type PlacedFilter } from '../../raster/filters/filter.js';
import { MAX_HIDDEN_PIXELS } from '../../raster/hidden-pixels.js';
import { canvasSpace, frameOf, isFlat, isTransformed, scaleOf } from '../frame.js';
import { dropShadowInput } from './drop-shadow.js';

/** Bytes per pixel of a picture. */
const PICTURE_BYTES = 4;
/** Bytes per pixel of the alpha of what casts a shadow, and of the blurred shadow. */
const SHADOW_BYTES = 4;
/** Bytes per pixel of the alpha of a mask or clip path. */
const MASK_BYTES = 2;
/**
 * Bytes per pixel of a filter besides the picture that it is applied to: what a blur makes and what lies between its steps,
 * the shadow of drop-shadow(), and the first picture, which is held to the end of the list.
 */
const FILTER_BYTES = { blur: 8, shadow: 4, list: 4 } as const;

/** The fields that decide. */
export type EffectLayer = Partial<
  Pick<
    Layer,
    | 'type'
    | 'visible'
    | 'opacity'
    | 'rotation'
    | 'transform'
    | 'flip'
    | 'blendMode'
    | 'shadow'
    | 'filter'
    | 'backdropFilter'
    | 'maskImage'
    | 'clipPath'
  >
> &
  Partial<Pick<GroupLayer, 'clip'>>;

interface EffectScene {
  readonly canvas: Pick<Canvas, 'width' | 'height' | 'scale'>;
  readonly layers: readonly EffectLayer[];
}

/** Bytes for the effects of the layer that has most, beside the canvas and one scratch pixmap of its size. */
export function sceneEffectBytes({ canvas, layers }: EffectScene): number {
  return layers.reduce((most, layer) => Math.max(most, effectBytes(layer, canvas)), 0);
}

/** Bytes for the effects of `layer`. */
export function effectBytes(layer: EffectLayer, canvas: EffectScene['canvas']): number {
  const { width, height } = outputSize(canvas);
  const whole = rectOf(0, 0, width, height);
  return peakBytes(layer, whole, canvasSpace(canvas.scale).toCanvas, areaOf(whole));
}

/**
 * Estimates the most bytes at one time. `clip` is the part of the layer that is drawn; `space` maps the layer's coordinates to
 * the canvas.
 */
function peakBytes(layer: EffectLayer, clip: Rect, space: Affine, canvasPixels: number): number {
  const { visible = true, opacity = 1, shadow = [], filter = [], backdropFilter = [], maskImage, clipPath } = layer;
  if (!visible || opacity === 0) return 0;
  const pixelsOf = (rect: Rect) => Math.min(areaOf(rect), canvasPixels + MAX_HIDDEN_PIXELS);
  const isGroup = layer.type === 'group';
  const isolated = isIsolated(layer) ? pixelsOf(clip) * PICTURE_BYTES : 0;
  const hasEffects = shadow.length + filter.length + backdropFilter.length > 0 || maskImage || clipPath;
  if (!isGroup && !hasEffects) return isolated + Math.max(0, pixelsOf(clip) - canvasPixels) * PICTURE_BYTES;
  const { rotation = 0, flip, transform } = layer;
  const frame = frameOf(
    { x: 0, y: 0, width: 0, height: 0, rotation, flip, transform },
    { x: 0, y: 0, toCanvas: space },
  );
  if (isFlat(frame)) return 0;
  const place = (functions: typeof filter) => mapFilters(functions, frame.toCanvas, scaleOf(frame));

  // what is held while the content is drawn, from the outside in; and what each effect then needs besides
  let drawn = clip;
  let held = isolated;
  let working =
    backdropFilter.length > 0 ? filterBytes(place([...backdropFilter, ...filter]), true) * pixelsOf(clip) : 0;
  if (shadow.length > 0) {
    drawn = shadow.map((each) => dropShadowInput(frame, each, clip)).reduce(unite, clip);
    // other layers are drawn twice
    if (isGroup || filter.length > 0 || maskImage || clipPath) held += pixelsOf(drawn) * PICTURE_BYTES;
    working = Math.max(working, pixelsOf(drawn) * SHADOW_BYTES);
  }
  for (const mask of [clipPath, maskImage]) {
    if (!mask) continue;
    held += pixelsOf(drawn) * PICTURE_BYTES;
    working = Math.max(working, pixelsOf(drawn) * MASK_BYTES);
  }
  if (filter.length > 0) {
    const surface = place(filter);
    drawn = filterSource(surface, drawn);
    held += pixelsOf(drawn) * PICTURE_BYTES;
    working = Math.max(working, pixelsOf(drawn) * filterBytes(surface, false));
  }
  if (layer.clip) held += pixelsOf(drawn) * PICTURE_BYTES;
  const children = childrenOf(layer) as readonly EffectLayer[];
  const inside = children.map((child) => peakBytes(child, drawn, frame.toCanvas, canvasPixels));
  const scratch = Math.max(0, pixelsOf(drawn) - canvasPixels) * PICTURE_BYTES;
  return held + Math.max(working, scratch, ...inside);
}

/** Whether the layer is drawn as one image before it is composited; the scratch pixmap of other layers is counted already. */
function isIsolated(layer: EffectLayer): boolean {
  // no rest of the fields: copying them takes as long as all else here
  const { type, opacity = 1, blendMode = 'normal' } = layer;
  const isGroup = type === 'group';
  if (blendMode !== 'normal') return true;
  if (opacity < 1) return isGroup || (layer.shadow ?? []).length > 0;
  const { rotation = 0, flip, backdropFilter = [] } = layer;
  const isTurned = rotation % 360 !== 0 || flip !== undefined || isTransformed(layer);
  return isGroup && (isTurned || backdropFilter.length > 0);
}

/** Bytes per pixel that the functions need besides the picture that they change in place; `isCopied`: and the picture. */
function filterBytes(functions: readonly PlacedFilter[], isCopied: boolean): number {
  const spreading = functions.filter(
    (fn) => fn.type === 'drop-shadow' || (fn.type === 'blur' && boxBlurReach(fn.sigma) > 0),
  );
  const copy = isCopied ? PICTURE_BYTES : 0;
  if (spreading.length === 0) return copy;
  const { blur, shadow, list } = FILTER_BYTES;
  const casts = spreading.some(({ type }) => type === 'drop-shadow');
  return copy + blur + (casts ? shadow : 0) + (spreading.length > 1 ? list : 0);
}
