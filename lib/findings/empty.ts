// Layers that paint nothing although nobody hides them.
import { fillColors } from '../raster/fill.js';
import { removing } from './fixes/changes.js';
import { type Item, isInked } from './items.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

export function findEmpty({ items }: RuleContext): MeasuredFinding[] {
  return items.all.filter(isEmptyLayer).map((item) => ({
    code: 'empty_layer',
    severity: 'info',
    path: item.path,
    message: `the ${item.layer.type} paints nothing and is not hidden`,
    value: 0,
    limit: 0,
    changes: removing(item),
  }));
}

/** Whether a shape has neither a fill nor a border that can be seen. */
function isClear(layer: Item['layer']): boolean {
  if (layer.type !== 'shape' || layer.border || !layer.fillColor) return false;
  return fillColors(layer.fillColor).every(({ a }) => a === 0);
}

function isEmptyLayer(item: Item): boolean {
  const { layer, measured } = item;
  if (item.isHidden || (isInked(item) && !isClear(layer))) return false;
  // a hotspot without a value waits for one, and in a layout an empty layer is a gap
  if (measured.key !== undefined || measured.filled.length > 0 || item.isPlaced) return false;
  // what its layers lack is said of them
  if (layer.type === 'group' && item.children.length > 0) return false;
  const hasShadow = (layer.shadow?.length ?? 0) > 0;
  const hasBackdrop = (layer.backdropFilter?.length ?? 0) > 0;
  return !hasShadow && !hasBackdrop && !item.parent?.isHidden;
}
