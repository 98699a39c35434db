// The targets of links in documents: which ones are allowed, and which name no layer. Without zod: render processes use it.
import { formatReceived } from '../json/describe.js';
import { walkLayers } from '../layers/nested-layers.js';
import { type FieldIssue, mismatchOf } from '../messages/issues.js';

const EXPECTED = 'http:, https:, mailto: or tel: with an address, or # and the id of a layer';

const ADDRESS = /^(?:https?:\/\/[^/?#]|mailto:.|tel:.)/i;
/** Blanks and characters that don't show: they may hide what a link is. */
const UNSEEN = /[\0-\x20\x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ud800-\udfff]/u;

/** A layer, raw or parsed; a raw one need not be valid. */
type AnyLayer = Readonly<Record<string, unknown>>;

/** A link of a layer or of one of its spans. */
interface LayerLink {
  readonly field: string;
  readonly href: string;
}

/** The links that the layer itself has. */
export function linksOf({ type, href, spans }: AnyLayer): LayerLink[] {
  const own = typeof href === 'string' ? [{ field: 'href', href }] : [];
  if (type !== 'text' || !Array.isArray(spans)) return own;
  const inText = spans.flatMap((span: unknown, index) => {
    const target = typeof span === 'object' && span !== null ? (span as AnyLayer).href : undefined;
    return typeof target === 'string' ? [{ field: `spans[${index}].href`, href: target }] : [];
  });
  return [...own, ...inText];
}

/** The id that a link within the document names. */
export function linkedId(href: string): string | undefined {
  return href.startsWith('#') ? href.slice(1) : undefined;
}

/** Issues of the layer's links, which may lead to web pages, addresses, numbers and layers alone. */
export function linkIssues(layer: AnyLayer): FieldIssue[] {
  return linksOf(layer).flatMap(({ field, href }): FieldIssue[] => {
    if (isAllowed(href)) return [];
    const message = `received ${formatReceived(href)}, expected ${EXPECTED}`;
    return [{ code: 'invalid_url', field, message, ...mismatchOf(href), expected: EXPECTED }];
  });
}

function isAllowed(href: string): boolean {
  const id = linkedId(href);
  // an id is compared with those of layers, and may be any text
  return id === undefined ? ADDRESS.test(href) && !UNSEEN.test(href) : id !== '';
}

/** A link that leads nowhere, with the path of its layer. */
interface DanglingLink extends LayerLink {
  readonly path: string;
  readonly message: string;
  readonly layerId?: string;
}

/** A layer, and its path in the list of layers. */
export interface ListedLayer {
  readonly layer: AnyLayer;
  readonly path: string;
}

/** The links to ids that are not among `ids`, those of the layers. */
export function danglingLinks(
  layers: readonly ListedLayer[],
  ids: ReadonlySet<unknown> = new Set(layers.map(({ layer }) => layer.id)),
): DanglingLink[] {
  return layers.flatMap(({ layer, path }) =>
    linksOf(layer).flatMap(({ field, href }): DanglingLink[] => {
      const id = linkedId(href);
      if (id === undefined || ids.has(id)) return [];
      const message = `names no layer that is drawn: the link leads nowhere`;
      return [{ path, field, href, message, ...(typeof layer.id === 'string' && { layerId: layer.id }) }];
    }),
  );
}

/** The layers, and the layers in them, but those that are hidden. */
export function* visibleLayers(layers: readonly unknown[]): Generator<ListedLayer> {
  let hidden: string | undefined;
  for (const { layer, path } of walkLayers(layers)) {
    if (hidden !== undefined && path.startsWith(hidden)) continue;
    if (typeof layer !== 'object' || layer === null) continue;
    const each = layer as AnyLayer;
    if (each.visible === false) hidden = `${path}.`;
    else yield { layer: each, path };
  }
}
