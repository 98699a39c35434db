// Describes layers for renders that ask for an inspection (inspected.ts).
import type { AssetFile } from '../assets/asset-file.js';
import type { ImageHeader } from '../codecs/header.js';
import type { Layer, TextLayer } from '../contract/layers/index.js';
import { isEmpty, type Rect } from '../geometry/rect.js';
import { ownInkBounds, type PreparedLayer } from '../layers/composite.js';
import { NO_BOUNDS } from '../layers/drawable.js';
import { type Frame, frameOf } from '../layers/frame.js';
import { groupSpace } from '../layers/group.js';
import type { ImageDrawable } from '../layers/image.js';
import type { Picture } from '../layers/picture.js';
import { textLines } from '../layers/text/lines.js';
import type { PaintedText } from '../layers/text/text.js';
import type { BoxTuple, InspectedImage, InspectedText, SceneInspection } from './inspected.js';
import type { Report } from './report.js';

/** A picture and the file that it was decoded from. */
export interface LoadedImage extends Picture {
  readonly natural: ImageHeader;
  readonly file: AssetFile;
}

/** Describes a visible layer after layout. `picture` is the picture of an image layer. */
export function inspectLayer(
  layer: Layer,
  frame: Frame,
  prepared: PreparedLayer,
  picture: LoadedImage | undefined,
): SceneInspection {
  return {
    ...placeOf(layer, frame),
    inkBox: boxOf(ownInkBounds(prepared)),
    isVisible: true,
    ...(layer.type === 'image' && picture && inspectImage(prepared.content, picture)),
  };
}

/** Describes a hidden layer and its nested layers. They take no part in layout, so a size that layout decides is 0. */
export function inspectHidden(layer: Layer, frame: Frame, report: Report): void {
  report.inspect({ ...placeOf(layer, frame), inkBox: boxOf(NO_BOUNDS), isVisible: false });
  if (layer.type !== 'group') return;
  const inner = groupSpace(frame);
  layer.layers.forEach((each, index) => {
    inspectHidden(each, frameOf(each, inner), report.of(each, index));
  });
}

/** Describes the lines and fonts of a text. */
export function inspectText(layer: TextLayer, frame: Frame, { layout, isCut }: PaintedText): InspectedText {
  const { fontSize, overflows, unfitted } = layout;
  const fonts = new Set<string>();
  for (const { fragments } of layout.lines) {
    for (const { glyphs } of fragments)
      for (const { face } of glyphs) if (face.name !== undefined) fonts.add(face.name);
  }
  const lines = layer.textPath ? [] : textLines(layer, frame, layout);
  return { fontSize, lines, fonts: [...fonts], overflow: overflows || unfitted || isCut };
}

function placeOf(layer: Layer, { space, toCanvas }: Frame): Pick<SceneInspection, 'alt' | 'box' | 'transform'> {
  const { a, b, c, d, e, f } = toCanvas;
  const { alt } = layer;
  return {
    box: [layer.x + space.x, layer.y + space.y, layer.width, layer.height],
    transform: [a, b, c, d, e, f],
    ...(alt !== undefined && { alt }),
  };
}

function inspectImage(content: ImageDrawable, { natural, file }: LoadedImage): InspectedImage {
  const { width, height, format } = natural;
  const part = content.shownPart?.() ?? NO_BOUNDS;
  return { natural: [width, height], source: boxOf(part), bytes: file.bytes.length, format };
}

function boxOf(rect: Rect): BoxTuple {
  const { left, top, right, bottom } = isEmpty(rect) ? NO_BOUNDS : rect;
  return [left, top, right - left, bottom - top];
}
