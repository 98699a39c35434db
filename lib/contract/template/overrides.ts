// Applies a size's overrides to a layer. Pages use it, so it does not import zod.

type Json = Readonly<Record<string, unknown>>;

/** Fields of a layer that a size can't override: what finds it, what it is, and its layers, which have their own overrides. */
export const FIXED_FIELDS = ['key', 'label', 'type', 'id', 'layers'];

/**
 * The layer with the fields of the override, each as a whole; null restores the default of the field. A text stands in place of
 * the layer's spans.
 */
export function overridden<Layer extends Json>(layer: Layer, override: Json): Layer {
  const fields = Object.entries(override).filter(([field]) => !FIXED_FIELDS.includes(field));
  const replaced = layer.type === 'text' && typeof override.text === 'string' ? { spans: undefined } : {};
  return { ...layer, ...replaced, ...Object.fromEntries(fields) };
}
