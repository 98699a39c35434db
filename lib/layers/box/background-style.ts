// Reads from a layer in which parts of its box the fills of its background lie.
import type { BackgroundBox, BackgroundStyle, TileRepeat, TileSize } from '../../geometry/background-tiles.js';
import type { Position } from '../../geometry/length.js';
import { type BorderedLayer, borderWidths, boxBorder } from './border.js';
import type { OutlinedBox } from './ring.js';

interface BackgroundFields extends BorderedLayer {
  readonly padding: readonly number[];
  readonly backgroundSize?: readonly TileSize[] | undefined;
  readonly backgroundPosition?: readonly Position[] | undefined;
  readonly backgroundRepeat?: readonly (readonly [TileRepeat, TileRepeat])[] | undefined;
  readonly backgroundOrigin?: readonly BackgroundBox[] | undefined;
  readonly backgroundClip?: readonly BackgroundBox[] | undefined;
}

/** The style of a layer's background; undefined if each fill lies in the whole box. */
export function backgroundStyle(layer: BackgroundFields, { frame }: OutlinedBox): BackgroundStyle | undefined {
  const { backgroundSize: size, backgroundPosition: position, backgroundRepeat: repeat } = layer;
  const { backgroundOrigin: origin, backgroundClip: clip, padding } = layer;
  if (!size && !position && !repeat && !origin && !clip) return undefined;
  return { size, position, repeat, origin, clip, borderWidths: borderWidths(boxBorder(layer), frame), padding };
}
