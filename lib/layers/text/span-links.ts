// The links in a text: what their spans mean in a document, and where they lie.
import { IDENTITY } from '../../geometry/affine.js';
import type { PositionedLine } from '../../layout/text-box.js';
import type { Meaning } from '../../paint/target.js';
import type { FillArea } from '../../raster/fill.js';
import type { LinePlace } from './line-paint.js';
import { type PaintableSpan, spanBounds } from './span-ink.js';
import { spanParts } from './span-parts.js';
import type { SpanLink, SpanStyle } from './spans.js';

/** The meanings of the links in a text, each with a rectangle for each of its lines. */
export function spanLinks(
  lines: readonly PositionedLine[],
  styles: readonly SpanStyle[],
  place: LinePlace,
): ReadonlyMap<SpanLink, Meaning> {
  const { toCanvas } = place.frame;
  const areas = (link: SpanLink) => () =>
    (spanParts(lines, (span) => styles[span].link, place).get(link) ?? []).map(
      ({ left, top, right, bottom }): FillArea => ({ box: { left, top, right, bottom }, toCanvas }),
    );
  return linkMeanings(styles, areas);
}

/** The same for text along a path, where the bounds of the ink are the link's place. */
export function pathLinks(
  spans: readonly PaintableSpan[],
  styles: readonly SpanStyle[],
): ReadonlyMap<SpanLink, Meaning> {
  const areas = (link: SpanLink) => () =>
    spans
      .filter(({ style }) => style.link === link)
      .map((span): FillArea => ({ box: spanBounds(span), toCanvas: IDENTITY }));
  return linkMeanings(styles, areas);
}

function linkMeanings(
  styles: readonly SpanStyle[],
  areas: (link: SpanLink) => Meaning['areas'],
): Map<SpanLink, Meaning> {
  const found = new Map<SpanLink, Meaning>();
  for (const { link } of styles) {
    if (!link || found.has(link)) continue;
    const text = () =>
      styles
        .filter((style) => style.link === link)
        .map((style) => style.text)
        .join('');
    found.set(link, { href: link.href, text, areas: areas(link) });
  }
  return found;
}
