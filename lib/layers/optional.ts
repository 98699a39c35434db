// Parts of painting that few payloads need. Each loads before the first layer that needs it, so that painting never waits.
import type { BackgroundStyle } from '../geometry/background-tiles.js';
import type { PaintTarget } from '../paint/target.js';
import type { Background } from '../raster/fill.js';
import type { OutlinedBox } from './box/ring.js';

type FillBackgroundLayers = (
  target: PaintTarget,
  background: Background,
  box: OutlinedBox,
  clip: OutlinedBox | undefined,
  style: BackgroundStyle,
  opacity: number,
) => void;

interface Parts {
  qrEncoder?: typeof import('./codes/qr-encoder.js');
  sideBorder?: typeof import('./box/side-border.js');
  backgroundLayers?: { readonly fillBackgroundLayers: FillBackgroundLayers };
  saliency?: typeof import('../raster/saliency.js');
  textPath?: typeof import('./text/text-path.js');
}

/** The parts that are loaded so far; the render line adds to them. */
export const loadedParts: Parts = {};

/** A part that a layer needs, which must be loaded. */
export function partOf<Name extends keyof Parts>(name: Name): NonNullable<Parts[Name]> {
  const part = loadedParts[name];
  if (!part) throw new Error(`${name} is not loaded`);
  return part;
}
