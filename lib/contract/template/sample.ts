// A template's strings as they may look with values, for checks without variables: each placeholder has its default, or its
// own name.
import { type LayerString, withLayerStrings } from '../layers/layer-strings.js';
import { percentEncode } from './format-value.js';
import { isPlaceholder, parsePlaceholders } from './placeholders.js';

/** A valid URL of nothing, for images that are not known. */
export const UNKNOWN_IMAGE = 'data:,';
/** A valid target of links that are not known. */
const UNKNOWN_LINK = 'https://example.com/';

export function sampleString({ value, kind }: LayerString): string {
  const { pieces } = parsePlaceholders(value);
  const isKnown = pieces.every((piece) => typeof piece === 'string' || (isPlaceholder(piece) && piece.fallback !== ''));
  const [first] = pieces;
  const isWeb = typeof first === 'string' && /^\s*https?:/i.test(first);
  // a local path needs a file of that name
  if (kind === 'url' && !isKnown && !isWeb) return UNKNOWN_IMAGE;
  if (kind === 'link' && typeof first !== 'string') return UNKNOWN_LINK;
  const sampled = pieces.map((piece) => {
    if (typeof piece === 'string') return piece;
    if (!isPlaceholder(piece)) return percentEncode(piece.expression);
    return piece.fallback || (kind === 'url' || kind === 'link' ? percentEncode(piece.name) : piece.name);
  });
  return sampled.join('');
}

/** Whether the string has a placeholder, which may have any value. */
export function isFilled(value: unknown): boolean {
  return typeof value === 'string' && parsePlaceholders(value).pieces.some((piece) => typeof piece !== 'string');
}

/** The raw layer with samples in place of its placeholders. */
export function sampleLayer<Layer extends Readonly<Record<string, unknown>>>(layer: Layer): Layer {
  return withLayerStrings(layer, sampleString);
}
