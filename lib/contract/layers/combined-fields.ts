// Checks combinations of fields: each is valid alone, but not all of a layer's fields together.
import type { Detail } from '../../errors.js';
import { boxShadowIssues } from './box-shadows.js';
import type { Layer } from './index.js';
import { hyphenationIssues, spansIssues } from './text.js';

/** The issues that the layer's fields have together. `raw`: the layer as given. */
export function combinedFieldIssues(layer: Layer, raw: Readonly<Record<string, unknown>>, path: string): Detail[] {
  const own = layer.type === 'text' ? [...spansIssues(layer, path), ...hyphenationIssues(layer, path)] : [];
  return [...own, ...boxShadowIssues(layer, raw, path)];
}
