// The strings of a layer that placeholders may stand in: texts, the data of codes, URLs, and what documents have beside them.
// Without zod: pages use it.
import { withAssetUrls } from './asset-references.js';

export interface LayerString {
  /** Within the layer: `text`, `spans[1].text`, `logo.url`. */
  readonly field: string;
  readonly value: string;
  /** `label`: a text that is not drawn. */
  readonly kind: 'text' | 'data' | 'url' | 'link' | 'label';
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
      if (typeof span !== 'object' || span === null) return span;
      const { text: spanText, href } = span as RawLayer;
      const texts =
        typeof spanText === 'string' &&
        ({ text: replace({ field: `spans[${index}].text`, value: spanText, kind: 'text' }) ?? '' } as const);
      const links =
        typeof href === 'string' &&
        ({ href: replace({ field: `spans[${index}].href`, value: href, kind: 'link' }) } as const);
      return texts || links ? { ...span, ...texts, ...links } : span;
    });
    changed = { ...changed, spans };
  }
  return withDocumentStrings(changed, replace) as Layer;
}

function withDocumentStrings(layer: RawLayer, replace: (string: LayerString) => string | undefined): RawLayer {
  const { alt, href, bookmark } = layer;
  let changed = layer;
  if (typeof alt === 'string') changed = { ...changed, alt: replace({ field: 'alt', value: alt, kind: 'label' }) };
  if (typeof href === 'string') changed = { ...changed, href: replace({ field: 'href', value: href, kind: 'link' }) };
  if (typeof bookmark === 'string') {
    return { ...changed, bookmark: replace({ field: 'bookmark', value: bookmark, kind: 'label' }) };
  }
  const title = typeof bookmark === 'object' && bookmark !== null ? (bookmark as RawLayer).title : undefined;
  if (typeof title !== 'string') return changed;
  const replaced = replace({ field: 'bookmark.title', value: title, kind: 'label' });
  return { ...changed, bookmark: replaced === undefined ? undefined : { ...(bookmark as object), title: replaced } };
}
