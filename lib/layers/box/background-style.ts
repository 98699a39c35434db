// Where the fills of a background lie.
import type { BackgroundBox, TileRepeat, TileSize } from '../../geometry/background-tiles.js';
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

/** Lists with a value for each fill, the first for the topmost. */
export interface BackgroundStyle {
  readonly size: BackgroundFields['backgroundSize'];
  readonly position: BackgroundFields['backgroundPosition'];
  readonly repeat: BackgroundFields['backgroundRepeat'];
  readonly origin: BackgroundFields['backgroundOrigin'];
  readonly clip: BackgroundFields['backgroundClip'];
  /** Clockwise from the top. */
  readonly borderWidths: readonly [number, number, number, number];
  readonly padding: readonly number[];
}

/** The style of a layer's background; undefined if each fill lies in the whole box. */
export function backgroundStyle(layer: BackgroundFields, { frame }: OutlinedBox): BackgroundStyle | undefined {
  const { backgroundSize: size, backgroundPosition: position, backgroundRepeat: repeat } = layer;
  const { backgroundOrigin: origin, backgroundClip: clip, padding } = layer;
  if (!size && !position && !repeat && !origin && !clip) return undefined;
  return { size, position, repeat, origin, clip, borderWidths: borderWidths(boxBorder(layer), frame), padding };
}
