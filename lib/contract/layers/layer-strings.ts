// The strings of a layer that placeholders may stand in: texts, the data of codes, and URLs. Without zod: pages use it.
import { withAssetUrls } from './asset-references.js';

export interface LayerString {
  /** Within the layer: `text`, `spans[1].text`, `logo.url`. */
  readonly field: string;
  readonly value: string;
  readonly kind: 'text' | 'data' | 'url';
}

/** A layer, which need not be valid. */
type RawLayer = Readonly<Record<string, unknown>>;

/** The layer's own strings, without those of the layers in it. */
export function layerStrings(layer: RawLayer): LayerString[] {
  const found: LayerString[] = [];
  withLayerStrings(layer, (each) => {
    found.push(each);
    return each.value;
  });
  return found;
}

/**
 * The layer with other strings: `replace` returns one for each. undefined leaves out the field, or for the URL in an object
 * the object.
 */
export function withLayerStrings<Layer extends RawLayer>(
  layer: Layer,
  replace: (string: LayerString) => string | undefined,
): Layer {
  let changed = withAssetUrls(layer as RawLayer, (value, field) => replace({ field, value, kind: 'url' }));
  const { type } = layer;
  const own = type === 'text' ? 'text' : type === 'qrcode' || type === 'barcode' ? 'data' : undefined;
  const value = own && layer[own];
  if (own && typeof value === 'string') {
    changed = { ...changed, [own]: replace({ field: own, value, kind: own }) };
  }
  if (type === 'text' && Array.isArray(changed.spans)) {
    const spans = changed.spans.map((span: unknown, index) => {
      const text = typeof span === 'object' && span !== null ? (span as RawLayer).text : undefined;
      if (typeof text !== 'string') return span;
      return { ...(span as object), text: replace({ field: `spans[${index}].text`, value: text, kind: 'text' }) ?? '' };
    });
    changed = { ...changed, spans };
  }
  return changed as Layer;
}
