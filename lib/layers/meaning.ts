// What layers mean beside how they look: their part in the structure of a document, their alternative text, where they lead.
import type { Layer, TextLayer } from '../contract/layers/index.js';
import type { Meaning } from '../paint/target.js';
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

/** What the layers say, in their order: their alternative texts, else the texts in them; without what is hidden or decoration. */
export function describeLayers(layers: readonly Layer[]): string {
  const parts = layers.flatMap(partsOf);
  return truncated(parts.join('\n'));
}

function partsOf(layer: Layer): string[] {
  const { visible, alt } = layer;
  if (!visible || alt === '') return [];
  if (alt !== undefined) return [alt];
  if (layer.type === 'text') return layer.role === 'artifact' ? [] : wordsOf(layer);
  return layer.type === 'group' && layer.role !== 'artifact' ? layer.layers.flatMap(partsOf) : [];
}

function wordsOf(layer: TextLayer): string[] {
  const text = spansOf(layer)
    .map((span) => span.text)
    .join('');
  return text.trim() === '' ? [] : [text];
}

function truncated(text: string): string {
  if (text.length <= MAX_COMPOSED) return text;
  const cut = text.slice(0, MAX_COMPOSED - 1);
  // a pair of surrogates is one character
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}
