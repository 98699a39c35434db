// Texts that exceed their box, are cut off, too small to read, or end in a single word.
import type { TextLayer } from '../contract/layers/index.js';
import { intersect, isEmpty, type Rect } from '../geometry/rect.js';
import { contentBox } from '../layers/text/background.js';
import type { PositionedLine } from '../layout/text-box.js';
import { type Change, moving, setting } from './fixes/changes.js';
import {
  ancestors,
  clipOf,
  enlargementOf,
  excerptOf,
  glyphInk,
  type Item,
  type Items,
  isInPages,
  isShown,
} from './items.js';
import type { MeasuredFinding, RuleContext } from './rules.js';

/** Pixels of the payload that a text may exceed its box by, and that may be cut of its ink. */
const TOLERANCE = 1;
/** The least lines of a paragraph whose last word may be a widow, and the width of the box that it falls short of. */
const WIDOW_LINES = 3;
const WIDOW_SHARE = 0.2;

type TextItem = Item & { readonly layer: TextLayer };

export function findTexts({ items, options }: RuleContext): MeasuredFinding[] {
  const smallest = options.minReadable ?? readableSize(items);
  const found: MeasuredFinding[] = [];
  for (const item of items.all) {
    if (!isText(item)) continue;
    for (const { path, message } of item.measured.missing ?? []) {
      if (isShown(item)) found.push({ code: 'missing_glyphs', severity: 'error', path, message, limit: 0 });
    }
    if (!isShown(item) || item.lines.length === 0) continue;
    if (isOffCanvas(item, items)) continue;
    found.push(...overflow(item, items), ...(isInPages(item) ? [] : clipped(item, items)));
    found.push(...tooSmall(item, items, smallest), ...widows(item));
  }
  return found;
}

function isText(item: Item): item is TextItem {
  return item.layer.type === 'text' && item.measured.text !== undefined;
}

function isOffCanvas({ ink }: Item, { canvas }: Items): boolean {
  return isEmpty(intersect(ink, canvas));
}

/** The smallest size that can be read, in pixels of the payload. */
export function readableSize({ scene: { canvas, isDocument } }: Items): number {
  if (isDocument) return 8;
  return Math.min(20, Math.max(9, 0.016 * Math.min(canvas.width, canvas.height)));
}

const round = (length: number) => Math.round(length * 10) / 10;

/** The size of a text and of the room in its box, in its own pixels. */
function sizesOf({ layer, measured }: TextItem) {
  const lines = measured.text?.layout.lines ?? [];
  const last = lines.at(-1);
  const area = contentBox(layer, { left: 0, top: 0, right: layer.width, bottom: layer.height });
  return {
    height: lines.length === 0 || !last ? 0 : last.top + last.height - lines[0].top,
    width: lines.reduce((most, line) => Math.max(most, line.wrapped.range.width + line.wrapped.indent), 0),
    roomWidth: area.right - area.left,
    roomHeight: area.bottom - area.top,
  };
}

function overflow(item: TextItem, items: Items): MeasuredFinding[] {
  const { layout, isCut } = item.measured.text!;
  if (!layout.overflows && !layout.unfitted && !isCut) return [];
  const { width, height, roomWidth, roomHeight } = sizesOf(item);
  const by = isCut ? Number.POSITIVE_INFINITY : Math.max(width - roomWidth, height - roomHeight);
  const isMore = layout.unfitted || by > TOLERANCE;
  if (!isMore) return [];
  const beyond = isCut ? 'the ends of its path' : `its box by ${round(Math.max(by, 0))} px`;
  return [
    {
      code: 'text_overflow',
      severity: 'error',
      path: item.path,
      message: `${excerptOf(item)} exceeds ${beyond}`,
      ...(!isCut && { value: round(Math.max(by, 0)) }),
      limit: TOLERANCE,
      changes: isCut ? [] : fitting(item, items),
    },
  ];
}

/** Changes that make the text fit: a larger box where it is drawn anyway, or a smaller size. */
function fitting(item: TextItem, items: Items): Change[] {
  const { layer, measured } = item;
  const { written } = measured;
  const { width, height, roomWidth, roomHeight } = sizesOf(item);
  const [wider, higher] = [Math.ceil(Math.max(0, width - roomWidth)), Math.ceil(Math.max(0, height - roomHeight))];
  const grown: Record<string, number> = {};
  if (wider > 0 && !item.isPlaced) {
    grown.width = round(written.width + wider + 1);
    const share = layer.textAlign === 'center' ? 0.5 : isEnd(layer) ? 1 : 0;
    if (share > 0) grown.x = round(written.x - (wider + 1) * share);
  }
  if (higher > 0 && !item.isPlaced) {
    grown.height = round(written.height + higher + 1);
    const share = layer.verticalAlign === 'middle' ? 0.5 : layer.verticalAlign === 'bottom' ? 1 : 0;
    if (share > 0) grown.y = round(written.y - (higher + 1) * share);
  }
  const smallest = Math.ceil((readableSize(items) / enlargementOf(item, items)) * 10) / 10;
  const scale = Math.min(wider > 0 ? roomWidth / width : 1, higher > 0 ? roomHeight / height : 1);
  const smaller = Math.floor(layer.fontSize * scale * 2) / 2 - 0.5;
  const isPlain = !layer.autoFit && Object.keys(grown).length > 0;
  const minFontSize = Math.min(smallest, layer.fontSize);
  return [
    // the picture stays the same
    ...(isPlain ? setting(item, grown) : []),
    ...(layer.autoFit ? setting(item, { ...grown, minFontSize }) : []),
    ...(layer.autoFit || layer.spans ? [] : setting(item, { autoFit: true, minFontSize })),
    ...(smaller >= smallest && !layer.spans ? setting(item, { fontSize: smaller }) : []),
    ...(layer.wrap ? [] : setting(item, { wrap: true, autoFit: true, minFontSize })),
    ...(layer.autoFit ? setting(item, grown) : []),
  ];
}

function isEnd({ textAlign }: TextLayer): boolean {
  return textAlign === 'right' || textAlign === 'end';
}

function clipped(item: TextItem, items: Items): MeasuredFinding[] {
  const ink = glyphInk(item);
  const cut = cutBy(ink, clipOf(item, items));
  const by = Math.max(...cut) / items.scale;
  if (by <= TOLERANCE || isTurnedIn(item)) return [];
  const edge = Math.max(...cutBy(ink, items.canvas)) / items.scale > TOLERANCE ? 'the canvas' : 'the group around it';
  return [
    {
      code: 'text_clipped',
      severity: 'error',
      path: item.path,
      message: `${edge} cuts ${round(by)} px off ${excerptOf(item)}`,
      value: round(by),
      limit: TOLERANCE,
      changes: uncut(item, items, ink),
    },
  ];
}

/** How far the ink reaches beyond each edge, in canvas pixels: left, top, right, bottom. */
function cutBy(ink: Rect, clip: Rect): [number, number, number, number] {
  return [clip.left - ink.left, clip.top - ink.top, ink.right - clip.right, ink.bottom - clip.bottom];
}

/** Whether a turned group cuts it, whose box does not tell what it cuts. */
function isTurnedIn(item: Item): boolean {
  for (const each of ancestors(item)) {
    if (each.layer.type === 'group' && each.layer.clip && !each.isUpright) return true;
  }
  return false;
}

function uncut(item: TextItem, items: Items, ink: Rect): Change[] {
  const clip = clipOf(item, items);
  const changes: Change[] = [];
  const [width, height] = [ink.right - ink.left, ink.bottom - ink.top];
  const groups = [...ancestors(item)].filter(({ layer }) => layer.type === 'group' && layer.clip);
  // a group that is as large as what is in it, at the same place
  if (groups.length > 0) changes.push(...groups.flatMap((group) => grownAround(group, ink, items)));
  if (width <= clip.right - clip.left && height <= clip.bottom - clip.top) {
    for (const margin of [16, 4, 0, 40]) {
      const by = margin * items.scale;
      const into = (least: number, most: number, from: number, to: number) =>
        from < least ? least + by - from : to > most ? most - by - to : 0;
      const dx = into(clip.left, clip.right, ink.left, ink.right);
      const dy = into(clip.top, clip.bottom, ink.top, ink.bottom);
      changes.push(...moving(item, Math.round(dx), Math.round(dy)));
    }
  }
  if (groups.length > 0) changes.push(...groups.slice(0, 1).flatMap((group) => setting(group, { clip: false })));
  const { layer } = item;
  if (!layer.spans && !layer.textPath) {
    const [left, top, right, bottom] = [clip.left, clip.top, clip.right, clip.bottom];
    const scale = Math.min(1, (right - left) / width, (bottom - top) / height) * 0.94;
    const size = Math.floor(layer.fontSize * scale * 2) / 2;
    if (size >= readableSize(items)) changes.push(...setting(item, { fontSize: size }));
  }
  return changes;
}

/** The group with room for the ink, its layers where they are. */
function grownAround(group: Item, ink: Rect, { scale }: Items): Change[] {
  const { frame, written } = group.measured;
  if (!frame || group.isPlaced || !group.isUpright || written.type !== 'group' || written.layout !== 'none') return [];
  const { a, d, e, f } = frame.toCanvas;
  const pad = 2 * scale;
  const [left, right] = [(ink.left - pad - e) / a, (ink.right + pad - e) / a];
  const [top, bottom] = [(ink.top - pad - f) / d, (ink.bottom + pad - f) / d];
  const { box } = frame;
  const grow = {
    left: Math.max(0, Math.ceil(box.left - left)),
    top: Math.max(0, Math.ceil(box.top - top)),
    right: Math.max(0, Math.ceil(right - box.right)),
    bottom: Math.max(0, Math.ceil(bottom - box.bottom)),
  };
  const fields = {
    ...(grow.left > 0 && { x: round(written.x - grow.left) }),
    ...(grow.top > 0 && { y: round(written.y - grow.top) }),
    ...(grow.left + grow.right > 0 && { width: round(written.width + grow.left + grow.right) }),
    ...(grow.top + grow.bottom > 0 && { height: round(written.height + grow.top + grow.bottom) }),
  };
  const inner = group.children.map((child) => {
    const { x, y } = child.measured.written;
    const moved = {
      ...(grow.left > 0 && { x: round(x + grow.left) }),
      ...(grow.top > 0 && { y: round(y + grow.top) }),
    };
    return Object.keys(moved).length === 0 ? [] : setting(child, moved).flat();
  });
  return setting(group, fields).map((change) => [...change, ...inner.flat()]);
}

function tooSmall(item: TextItem, items: Items, smallest: number): MeasuredFinding[] {
  const enlargement = enlargementOf(item, items);
  const spans = item.measured.text!.lineSpans.flat();
  const sizes = spans.filter(({ style }) => !style.baselineShift).map(({ size }) => size);
  if (sizes.length === 0) return [];
  const size = Math.min(...sizes) * enlargement;
  // sizes that autoFit finds are halves of a pixel
  if (size >= smallest - 0.01) return [];
  return [
    {
      code: 'text_too_small',
      severity: 'warning',
      path: item.path,
      message: `${excerptOf(item)} is shown at ${round(size)} px, and under ${round(smallest)} px it can't be read`,
      value: round(size),
      limit: round(smallest),
      changes: larger(item, smallest / enlargement, items),
    },
  ];
}

function larger(item: TextItem, smallest: number, items: Items): Change[] {
  const { layer } = item;
  const size = Math.ceil(smallest * 10) / 10;
  if (layer.spans) {
    const fields: Record<string, unknown> = {};
    layer.spans.forEach((span, i) => {
      if (span.fontSize !== undefined && span.fontSize < size) fields[`spans[${i}].fontSize`] = size;
    });
    if (layer.fontSize < size) fields.fontSize = size;
    return Object.keys(fields).length === 0 ? [] : setting(item, fields);
  }
  if (layer.autoFit) return setting(item, { ...(layer.fontSize < size && { fontSize: size }), minFontSize: size });
  const grown = grownFor(item, size / layer.fontSize);
  return [
    ...setting(item, { fontSize: size }),
    ...(grown.length === 0 ? [] : setting(item, { fontSize: size, ...Object.fromEntries(grown) })),
    ...setting(item, { fontSize: size, wrap: true, autoFit: false }),
    ...(items.scene.isDocument ? [] : setting(item, { fontSize: Math.ceil(size) })),
  ];
}

/** The box with room for a text that is so many times as large, in its own pixels. */
function grownFor(item: TextItem, factor: number): [string, number][] {
  if (item.isPlaced) return [];
  const { layer, measured } = item;
  const { written } = measured;
  const { width, height, roomWidth, roomHeight } = sizesOf(item);
  const wider = Math.ceil(width * factor - roomWidth);
  const higher = Math.ceil(height * factor - roomHeight);
  return [
    ...(wider > 0 && measured.text!.layout.lines.length === 1
      ? ([['width', written.width + wider + 2]] as [string, number][])
      : []),
    ...(higher > 0 && layer.verticalAlign === 'top'
      ? ([['height', written.height + higher + 2]] as [string, number][])
      : []),
  ];
}

function widows(item: TextItem): MeasuredFinding[] {
  const { layer, measured } = item;
  const { layout } = measured.text!;
  if (layer.textPath || !layer.wrap || layout.truncated) return [];
  const room = sizesOf(item).roomWidth;
  for (const lines of paragraphsOf(layout.lines)) {
    const last = lines.at(-1)!;
    if (lines.length < WIDOW_LINES) continue;
    const { measurer, range } = last.wrapped;
    const text = measurer.paragraph.text.slice(range.start, range.inkEnd).trim();
    const { width } = range;
    const isWord = text !== '' && !/\s/u.test(text) && !WITHOUT_SPACES.test(text);
    if (!isWord || width >= WIDOW_SHARE * room || lines.some((line) => line.wrapped.range.isMidWord)) continue;
    const balanced = layer.textWrap === 'balance' ? [] : setting(item, { textWrap: 'balance' });
    const narrower = [0.94, 0.88, 0.8].flatMap((share) => narrowed(item, share));
    return [
      {
        code: 'widow',
        severity: 'info',
        path: item.path,
        message: `a paragraph of ${lines.length} lines ends in ${JSON.stringify(text.slice(0, 24))} alone`,
        value: Math.round((100 * width) / room) / 100,
        limit: WIDOW_SHARE,
        changes: [...balanced, ...narrower],
      },
    ];
  }
  return [];
}

/** The text in a narrower box, in which it breaks elsewhere. */
function narrowed(item: TextItem, share: number): Change[] {
  if (item.isPlaced) return [];
  const { written } = item.measured;
  const width = Math.round(written.width * share);
  const { textAlign } = item.layer;
  const by = written.width - width;
  const x = textAlign === 'center' ? written.x + by / 2 : isEnd(item.layer) ? written.x + by : written.x;
  return setting(item, { width, ...(x !== written.x && { x: round(x) }) });
}

/** Scripts that are written without spaces between words. */
const WITHOUT_SPACES = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]/u;

/** The lines of each paragraph. */
function paragraphsOf(lines: readonly PositionedLine[]): PositionedLine[][] {
  const paragraphs: PositionedLine[][] = [];
  let previous: PositionedLine | undefined;
  for (const line of lines) {
    const isNext =
      previous && previous.wrapped.measurer === line.wrapped.measurer && previous.wrapped.start === line.wrapped.start;
    const own = paragraphs.at(-1);
    if (isNext && own) own.push(line);
    else paragraphs.push([line]);
    previous = line;
  }
  return paragraphs;
}
