// Pictures that are stretched, enlarged beyond their pixels, or cut.
import type { ImageLayer } from '../contract/layers/index.js';
import { scalesOf } from '../layers/frame.js';
import { placeImage, visibleShare } from '../layers/image-placement.js';
import { setting } from './fixes/changes.js';
import { type Item, isShown } from './items.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

const MAX_STRETCH = 0.03;
const MIN_PIXELS = 0.8;
const MAX_CUT = 0.75;
/** A blur of this many pixels hides that a picture is small. */
const HIDING_BLUR = 2;

type ImageItem = Item & { readonly layer: ImageLayer };

export function findImages({ items }: RuleContext): MeasuredFinding[] {
  return items.all.flatMap((item) => {
    if (!isImage(item) || !isShown(item) || item.layer.repeat === 'tile') return [];
    return [...stretched(item), ...upscaled(item), ...cut(item)];
  });
}

function isImage(item: Item): item is ImageItem {
  return item.layer.type === 'image' && item.measured.picture !== undefined && item.measured.frame !== undefined;
}

const percent = (share: number) => Math.round(100 * share);
const hundredths = (share: number) => Math.round(100 * share) / 100;

/** Width and height of what is shown of the file. */
function sizeOf({ layer, measured }: ImageItem): readonly [width: number, height: number] {
  const { natural } = measured.picture!;
  return layer.crop ? [layer.crop.width, layer.crop.height] : [natural.width, natural.height];
}

function stretched(item: ImageItem): MeasuredFinding[] {
  const { layer, measured } = item;
  const { natural } = measured.picture!;
  if (layer.fit !== 'fill' || natural.noAspectRatio || isOneColor(item)) return [];
  const [width, height] = sizeOf(item);
  const scale = scalesOf(measured.frame!);
  const shown = (layer.width * scale.x) / (layer.height * scale.y);
  const by = Math.abs(width / height / shown - 1);
  if (by <= MAX_STRETCH) return [];
  return [
    {
      code: 'image_stretched',
      severity: 'warning',
      path: `${item.path}.fit`,
      message: `"fill" changes the ratio of the picture by ${percent(by)} %`,
      value: hundredths(by),
      limit: MAX_STRETCH,
      changes: [...setting(item, { fit: 'cover' }), ...setting(item, { fit: 'contain' })],
    },
  ];
}

function upscaled(item: ImageItem): MeasuredFinding[] {
  const { layer, measured } = item;
  const { natural, format } = measured.picture!;
  const { filter = [], fit } = layer;
  if (format === 'svg' || fit === 'none' || isOneColor(item)) return [];
  if (filter.some((each) => each.type === 'blur' && each.sigma >= HIDING_BLUR)) return [];
  const scale = scalesOf(measured.frame!);
  const { imageBox } = placeImage(layer, measured.frame!, natural);
  const across = natural.width / ((imageBox.right - imageBox.left) * scale.x);
  const down = natural.height / ((imageBox.bottom - imageBox.top) * scale.y);
  const pixels = Math.min(across, down);
  if (pixels >= MIN_PIXELS) return [];
  return [
    {
      code: 'image_upscaled',
      severity: 'warning',
      path: `${item.path}.url`,
      message: `the picture of ${natural.width} × ${natural.height} pixels has ${hundredths(pixels)} for each pixel that it is shown on`,
      value: hundredths(pixels),
      limit: MIN_PIXELS,
    },
  ];
}

function cut(item: ImageItem): MeasuredFinding[] {
  const { layer, measured } = item;
  if (layer.fit !== 'cover' || layer.crop || isOneColor(item)) return [];
  const { x, y } = visibleShare(layer, measured.picture!.natural);
  const gone = 1 - x * y;
  if (gone <= MAX_CUT) return [];
  return [
    {
      code: 'image_cut',
      severity: 'info',
      path: `${item.path}.fit`,
      message: `"cover" cuts off ${percent(gone)} % of the picture`,
      value: hundredths(gone),
      limit: MAX_CUT,
      changes: setting(item, { fit: 'contain' }),
    },
  ];
}

/** A picture of one pixel is a colour. */
function isOneColor({ measured }: ImageItem): boolean {
  const { width, height } = measured.picture!.natural;
  return width <= 1 && height <= 1;
}
