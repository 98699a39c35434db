// How readers move through a document: links, the places that they lead to, and the outline (ISO 32000-1, 12.3 and 12.5.6.5).
import { linkedId } from '../contract/template/links.js';
import { type Affine, compose, IDENTITY } from '../geometry/affine.js';
import { intersect, isEmpty, mapRect, type Rect, unite } from '../geometry/rect.js';
import type { Meaning } from '../paint/target.js';
import { boundsOf, type PageStructure } from './structure.js';
import { numbers, textString } from './syntax.js';
import { type PdfWriter, type Ref, refTo } from './writer.js';

/** A part of a page that is a link, a place that links lead to, or an entry of the outline. */
interface Part {
  readonly meaning: Meaning;
  /** The pixels of the canvas that it may paint. */
  readonly bounds: Rect;
}

interface OutlineEntry {
  readonly title: string;
  readonly level: number;
  readonly destination: string;
}

/** An entry of the outline that is being written, and the entries in it. */
interface OutlineItem extends OutlineEntry {
  readonly ref: Ref;
  readonly items: OutlineItem[];
}

export class DocumentNavigation {
  private readonly outline: OutlineEntry[] = [];
  /** The bookmarks in the outline: a layer that is on several pages is in it once. */
  private readonly marked = new Set<Meaning['bookmark']>();
  private readonly destinations = new Map<string, string>();
  /** Links to ids: they may be on later pages. */
  private readonly pending: { readonly ref: Ref; readonly id: string; readonly page: Ref; readonly entries: string }[] =
    [];

  constructor(private readonly writer: PdfWriter) {}

  /** Writes the links of a page and notes its places; returns the entries of its dictionary. */
  addPage(page: Ref, parts: ReadonlyMap<Meaning, Part>, toPage: Affine, structure: PageStructure): string {
    const annotations: Ref[] = [];
    for (const { meaning, bounds } of parts.values()) {
      const { id, href, bookmark } = meaning;
      const place = () => destinationOf(page, meaning, toPage);
      if (id !== undefined && !this.destinations.has(id)) this.destinations.set(id, place());
      if (bookmark && !this.marked.has(bookmark)) this.outline.push({ ...bookmark, destination: place() });
      this.marked.add(bookmark);
      const area = href === undefined ? undefined : linkArea(meaning, bounds, toPage);
      if (href === undefined || !area) continue;
      const ref = this.writer.reserve();
      const key = structure.addAnnotation(meaning, ref);
      const label = meaning.text();
      const contents = `/Contents${textString(label === '' ? href : label)}`;
      const entries = `/Type/Annot/Subtype/Link${area}/Border[0 0 0]/F 4/StructParent ${key}${contents}`;
      const target = linkedId(href);
      if (target === undefined) this.writer.add(`<<${entries}/A<</S/URI/URI${textString(uri(href))}>>>>`, ref);
      else this.pending.push({ ref, id: target, page, entries });
      annotations.push(ref);
    }
    return annotations.length === 0 ? '' : `/Annots[${annotations.map(refTo).join(' ')}]/Tabs/S`;
  }

  /** Writes what pages had to wait for; returns the entries of the catalog. */
  finish(): string {
    for (const { ref, id, page, entries } of this.pending) {
      // a link that leads nowhere stays where it is: poppler expects a destination
      const destination = this.destinations.get(id) ?? `[${refTo(page)}/XYZ null null null]`;
      this.writer.add(`<<${entries}/Dest${destination}>>`, ref);
    }
    if (this.outline.length === 0) return '';
    const root = this.writer.reserve();
    const items = this.nested(this.outline);
    this.writeItems(items, root);
    this.writer.add(`<</Type/Outlines${ends(items)}/Count ${countOf(items)}>>`, root);
    return `/Outlines ${refTo(root)}/PageMode/UseOutlines`;
  }

  /** The entries, each in the last one before it whose level is lower. */
  private nested(entries: readonly OutlineEntry[]): OutlineItem[] {
    const top: OutlineItem[] = [];
    const open: OutlineItem[] = [];
    for (const entry of entries) {
      while (open.length > 0 && open[open.length - 1].level >= entry.level) open.pop();
      const item = { ...entry, ref: this.writer.reserve(), items: [] };
      (open.at(-1)?.items ?? top).push(item);
      open.push(item);
    }
    return top;
  }

  private writeItems(items: readonly OutlineItem[], parent: Ref): void {
    items.forEach(({ ref, title, destination, items: inside }, i) => {
      const before = i > 0 ? `/Prev ${refTo(items[i - 1].ref)}` : '';
      const after = i + 1 < items.length ? `/Next ${refTo(items[i + 1].ref)}` : '';
      const within = inside.length > 0 ? `${ends(inside)}/Count ${countOf(inside)}` : '';
      const entries = `/Title${textString(title)}/Parent ${refTo(parent)}${before}${after}${within}`;
      this.writer.add(`<<${entries}/Dest${destination}>>`, ref);
      this.writeItems(inside, ref);
    });
  }
}

function ends(items: readonly OutlineItem[]): string {
  return `/First ${refTo(items[0].ref)}/Last ${refTo(items[items.length - 1].ref)}`;
}

function countOf(items: readonly OutlineItem[]): number {
  return items.reduce((sum, { items: inside }) => sum + 1 + countOf(inside), 0);
}

/** The address in ASCII. */
function uri(href: string): string {
  return href.replace(/[^!-~]+/g, encodeURIComponent);
}

function destinationOf(page: Ref, meaning: Meaning, toPage: Affine): string {
  // the y axis of the page points up
  const { left, bottom: top } = boundsOf(meaning, toPage);
  return `[${refTo(page)}/XYZ ${numbers([left, top])} null]`;
}

/** The rectangle of a link on the page, and its parts if it is not just that; undefined if none of it is visible. */
function linkArea(meaning: Meaning, bounds: Rect, toPage: Affine): string | undefined {
  const quads: (readonly [Rect, Affine])[] = [];
  for (const { box, toCanvas } of meaning.areas()) {
    const visible = intersect(mapRect(box, toCanvas), bounds);
    if (isEmpty(visible)) continue;
    const isUpright = toCanvas.b === 0 && toCanvas.c === 0;
    quads.push(isUpright ? [visible, IDENTITY] : [box, toCanvas]);
  }
  if (quads.length === 0) return undefined;
  const all = quads.map(([box, map]) => mapRect(box, compose(map, toPage))).reduce(unite);
  const rect = `/Rect[${numbers([all.left, all.top, all.right, all.bottom])}]`;
  if (quads.length === 1 && quads[0][1] === IDENTITY) return rect;
  const points = quads.flatMap(([{ left, top, right, bottom }, map]) => {
    const { a, b, c, d, e, f } = compose(map, toPage);
    const point = (x: number, y: number) => [a * x + c * y + e, b * x + d * y + f];
    return [...point(left, top), ...point(right, top), ...point(left, bottom), ...point(right, bottom)];
  });
  return `${rect}/QuadPoints[${numbers(points)}]`;
}
