// What layers mean beside how they look: their part in the structure of a document, their alternative text, where they lead.
import type { Layer, TextLayer } from '../contract/layers/index.js';
import type { Meaning } from '../paint/target.js';
import { graphemesOf } from '../unicode/graphemes.js';
import type { Frame } from './frame.js';
import { spansOf } from './text/spans.js';

/** Maximum length of an alternative text that is composed, in characters. */
const MAX_COMPOSED = 1000;

/** The meaning of a layer whose box has this frame. */
export function meaningOf(layer: Layer, frame: Frame): Meaning {
  const { id, href, bookmark } = layer;
  const role = roleOf(layer);
  const isDecoration = 'role' in layer && layer.role === 'artifact';
  const alt = isDecoration ? '' : layer.alt;
  return {
    role,
    id,
    alt,
    href,
    bookmark,
    hasLayers: layer.type === 'group',
    row: layer.gridRow?.start,
    language: layer.type === 'text' ? layer.language : undefined,
    text: () => alt ?? describeLayers([layer]),
    areas: () => [{ box: frame.box, toCanvas: frame.toCanvas }],
  };
}

function roleOf(layer: Layer): Meaning['role'] {
  const { alt } = layer;
  if (alt === '') return 'artifact';
  switch (layer.type) {
    case 'text':
      return layer.role ?? 'p';
    case 'group':
      return layer.role ?? (alt === undefined ? undefined : 'figure');
    case 'shape':
      return alt === undefined ? 'artifact' : 'figure';
    default:
      return 'figure';
  }
}

/**
 * What a picture shows, for those who don't see it: the alternative text that its payload has, else one that is composed of its
 * layers. Empty for decoration, and where nothing says it.
 */
export function pictureAlt({ alt, layers }: { readonly alt?: string | undefined; readonly layers: readonly Layer[] }) {
  return alt ?? describeLayers(layers);
}

/**
 * What the layers say, in their order: their alternative texts, else the texts in them; without what is hidden or decoration.
 * It is cut at the end of a grapheme.
 */
export function describeLayers(layers: readonly Layer[]): string {
  const parts: string[] = [];
  let length = -1;
  for (const part of partsOf(layers)) {
    parts.push(part);
    length += part.length + 1;
    if (length > MAX_COMPOSED) break;
  }
  return truncated(parts.join('\n'));
}

function* partsOf(layers: readonly Layer[]): Generator<string> {
  for (const layer of layers) {
    const { visible, alt } = layer;
    if (!visible || alt === '' || ('role' in layer && layer.role === 'artifact')) continue;
    if (alt !== undefined) yield alt;
    else if (layer.type === 'text') yield* wordsOf(layer);
    else if (layer.type === 'group') yield* partsOf(layer.layers);
  }
}

function wordsOf(layer: TextLayer): string[] {
  const text = spansOf(layer)
    .map((span) => span.text)
    .join('');
  return text.trim() === '' ? [] : [text];
}

function truncated(text: string): string {
  if (text.length <= MAX_COMPOSED) return text;
  let kept = '';
  // a grapheme that goes on beyond the part that is looked at is too long in any case
  for (const grapheme of graphemesOf(text.slice(0, 2 * MAX_COMPOSED))) {
    if (kept.length + grapheme.length >= MAX_COMPOSED) break;
    kept += grapheme;
  }
  return `${kept}…`;
}
