// Which layers have boxes that layout decides. The layout itself loads with the first of them.
import type { Layer } from '../../contract/layers/index.js';
import { hasLayout } from '../../contract/layers/nested-layers.js';

/** Whether the layout of the layer decides anything. */
export function needsLayout(layer: Layer): boolean {
  if (!layer.visible) return false;
  if (layer.extents !== undefined || hasLayout(layer)) return true;
  return layer.type === 'group' && layer.layers.some(needsLayout);
}
