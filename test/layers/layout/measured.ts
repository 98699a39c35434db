// Layers laid out with contents of known sizes, without fonts and pictures.
import type { Layer } from '../../../lib/contract/layers/index.js';
import type { Measured } from '../../../lib/layers/layout/flex-node.js';
import { blocksContent } from '../../layout/flex/trees.js';

/** Texts measure as words of 10 px per letter, in lines of 20 px; pictures are 40 × 20. */
export function measure(layer: Layer, measured: Measured): void {
  if (layer.type === 'group') for (const each of layer.layers) measure(each, measured);
  if (layer.type === 'image') measured.set(layer, { kind: 'replaced', width: 40, height: 20 });
  if (layer.type !== 'text') return;
  const text = layer.spans?.map((span) => span.text).join('') ?? layer.text;
  const widths = text.split(' ').map((word) => 10 * word.length);
  measured.set(layer, blocksContent({ widths, lineHeight: 20, descent: 4 }));
}
