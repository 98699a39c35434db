// Random trees of boxes, and the HTML that a browser lays out alike.
import type { GridPlace, TrackBreadth, TrackList, TrackSize } from '../../../lib/contract/css/grid.js';
import type {
  Alignment,
  BlockContainer,
  Content,
  FlexExtent,
  FlexNode,
  Grid,
  GridAxis,
  Justification,
  Length,
  Margins,
  Sides,
} from '../../../lib/layout/flex/node.js';
import { pick, roll } from '../../exhaustive.js';

/** Inline blocks of these widths, wrapped like words. */
export interface Blocks {
  readonly widths: readonly number[];
  readonly lineHeight: number;
  /** Beneath the baseline. */
  readonly descent: number;
}

/** Blocks are told from other content by this. */
export interface BlocksContent extends Content {
  readonly blocks: Blocks;
}

export function blocksContent(blocks: Blocks): BlocksContent {
  const { widths, lineHeight, descent } = blocks;
  return {
    kind: 'content',
    measureSteps: 1,
    blocks,
    minContentWidth: () => Math.max(0, ...widths),
    maxContentWidth: () => widths.reduce((sum, width) => sum + width, 0),
    measure(available) {
      if (widths.length === 0) return { height: 0 };
      let lines = 1;
      let used = 0;
      widths.forEach((width, i) => {
        if (i > 0 && used + width > available) {
          lines++;
          used = 0;
        }
        used += width;
      });
      return { height: lines * lineHeight, baseline: lineHeight - descent };
    },
  };
}

export interface TreeOptions {
  readonly depth: number;
  readonly negativeMargins?: boolean;
  /** Part of the containers that are grids; the root is one if there are any. */
  readonly grids?: number | undefined;
  /** Part of the containers that are blocks; the root is one if there are any. */
  readonly blocks?: number | undefined;
}

const ALIGNMENTS: readonly Alignment[] = ['start', 'center', 'end', 'stretch', 'baseline'];
const INLINE_ALIGNMENTS = ALIGNMENTS.filter((each) => each !== 'baseline');
const JUSTIFICATIONS: readonly Justification[] = [
  'start',
  'center',
  'end',
  'space-between',
  'space-around',
  'space-evenly',
];

type Random = () => number;

const chance = (random: Random, part: number) => random() < part;
const whole = (random: Random, below: number) => roll(random, below);
const size = (random: Random, below: number) =>
  chance(random, 0.3) ? roll(random, below * 8) / 8 : roll(random, below);

function extent(random: Random, isChild: boolean): FlexExtent {
  const kind = whole(random, 10);
  if (kind < 4) return 'auto';
  if (kind < 7) return size(random, 160);
  if (kind < 8) return { percent: pick(random, [10, 25, 50, 75, 100]) };
  return isChild ? 'fill' : 'auto';
}

function limit(random: Random): Length | undefined {
  if (!chance(random, 0.12)) return undefined;
  return chance(random, 0.25) ? { percent: pick(random, [10, 30, 60]) } : size(random, 120);
}

function sides(random: Random, below: number, part: number): Sides | undefined {
  if (!chance(random, part)) return undefined;
  return [whole(random, below), whole(random, below), whole(random, below), whole(random, below)];
}

export function randomTree(
  random: Random,
  options: TreeOptions,
  parent: 'none' | 'flex' | 'grid' | 'block' = 'none',
): FlexNode {
  const isRoot = parent === 'none';
  const isInGrid = parent === 'grid';
  const isInBlock = parent === 'block';
  const isContainer = isRoot || (options.depth > 0 && chance(random, 0.45));
  const margin = isRoot ? undefined : sides(random, isInBlock ? 24 : 12, isInBlock ? 0.6 : 0.25);
  const isAbsolute = !isRoot && chance(random, 0.06);
  const width = extent(random, !isRoot && !isAbsolute && !isInBlock);
  const height = extent(random, !isRoot && !isAbsolute && !isInBlock);
  const isGrid = options.grids !== undefined && (isRoot || chance(random, options.grids));
  const isBlock = options.blocks !== undefined && (isRoot || chance(random, options.blocks));
  const content = !isContainer
    ? leaf(random)
    : isBlock
      ? block(random, options, !isInBlock || isAbsolute || chance(random, 0.15))
      : isGrid
        ? grid(random, options)
        : container(random, options);
  const isReplaced = content.kind === 'replaced';
  const maxWidth = limit(random);
  // what percentages of rows are, which such boxes are part of, differs from case to case in browsers, too
  const isCyclic = isInGrid && typeof height === 'object' && (isReplaced || isEmpty(content));
  return {
    width,
    height: isCyclic ? 'auto' : height,
    minWidth: limit(random),
    // browsers differ from case to case in how far such pictures shrink
    maxWidth: isReplaced && typeof maxWidth === 'object' ? undefined : maxWidth,
    minHeight: limit(random),
    maxHeight: limit(random),
    margin: margin && (isInBlock ? blockMargins(random, margin) : negativeMargins(random, margin, options)),
    padding: !isReplaced && (isContainer || chance(random, 0.2)) ? sides(random, 16, 0.4) : undefined,
    ...(isInGrid && {
      justifySelf: chance(random, 0.2) ? pick(random, INLINE_ALIGNMENTS) : undefined,
      gridColumn: place(random),
      gridRow: place(random),
    }),
    grow: chance(random, 0.2) ? pick(random, [0.25, 0.5, 1, 2]) : undefined,
    shrink: chance(random, 0.15) ? pick(random, [0, 0.5, 1, 3]) : undefined,
    alignSelf: !isInBlock && chance(random, 0.2) ? pick(random, ALIGNMENTS) : undefined,
    aspectRatio: isEmpty(content) && chance(random, 0.3) ? pick(random, [0.5, 1, 1.5, 3]) : undefined,
    ...((isRoot || isAbsolute) && {
      absolute: isRoot ? { left: 0, top: 0 } : { left: whole(random, 60), top: whole(random, 60) },
    }),
    content,
  };
}

function isEmpty(content: FlexNode['content']): boolean {
  return content.kind === 'content' && content.maxContentWidth() === 0;
}

function container(random: Random, { depth, ...options }: TreeOptions): FlexNode['content'] {
  const count = chance(random, 0.05) ? 0 : 1 + whole(random, 4);
  const hasGap = chance(random, 0.5);
  const direction = pick(random, ['row', 'column'] as const);
  const wrap = chance(random, 0.3);
  const alignments = direction === 'column' && wrap ? ALIGNMENTS.filter((each) => each !== 'baseline') : ALIGNMENTS;
  return {
    kind: 'container',
    direction,
    wrap,
    rowGap: hasGap ? whole(random, 14) : 0,
    columnGap: hasGap ? whole(random, 14) : 0,
    alignItems: pick(random, alignments),
    justifyContent: pick(random, JUSTIFICATIONS),
    children: Array.from({ length: count }, () => randomTree(random, { ...options, depth: depth - 1 }, 'flex')),
  };
}

function negativeMargins(random: Random, margin: Sides, { negativeMargins: isOn }: TreeOptions): Margins {
  return isOn && chance(random, 0.3) ? [margin[0], -margin[1], margin[2], margin[3]] : margin;
}

/** Margins of which some are negative, and some take the free space. */
function blockMargins(random: Random, margin: Sides): Margins {
  const [top, right, bottom, left] = margin.map((side, i) => {
    if (chance(random, 0.2)) return i % 2 === 1 ? 'auto' : -side;
    return side;
  });
  return [top, right, bottom, left];
}

function block(random: Random, { depth, ...options }: TreeOptions, isFormattingContext: boolean): BlockContainer {
  const count = chance(random, 0.15) ? 0 : 1 + whole(random, 4);
  const inside = { ...options, depth: depth - 1 };
  return {
    kind: 'block',
    isRoot: isFormattingContext,
    children: Array.from({ length: count }, () => randomTree(random, inside, 'block')),
  };
}

function breadth(random: Random): TrackBreadth {
  const kind = whole(random, 10);
  if (kind < 3) return size(random, 90);
  if (kind < 4) return { percent: pick(random, [10, 25, 50]) };
  return kind < 7 ? 'auto' : kind < 8 ? 'min-content' : 'max-content';
}

function track(random: Random): TrackSize {
  const kind = whole(random, 10);
  const fraction = { fr: pick(random, [0, 0.3, 1, 1, 2, 3.5]) };
  if (kind < 2) return { min: 'auto', max: fraction };
  if (kind < 4) return { min: breadth(random), max: chance(random, 0.3) ? fraction : breadth(random) };
  if (kind < 5) return { min: 'auto', max: 'max-content', limit: size(random, 90) };
  const both = breadth(random);
  return { min: both, max: both };
}

function tracks(random: Random, most: number): TrackSize[] {
  return Array.from({ length: whole(random, most + 1) }, () => track(random));
}

function axis(random: Random): GridAxis {
  const auto = chance(random, 0.4) ? tracks(random, 3) : [];
  if (chance(random, 0.12)) {
    const fixed = (most: number) =>
      Array.from({ length: whole(random, most + 1) }, (): TrackSize => {
        const least = 12 + size(random, 40);
        return chance(random, 0.5) ? { min: least, max: least } : { min: least, max: { fr: 1 } };
      });
    const others = fixed(2);
    const repeated = [{ min: 20, max: 20 }, ...fixed(1)];
    return {
      auto,
      template: {
        tracks: others,
        fill: { repeated, at: whole(random, others.length + 1), isFit: chance(random, 0.5) },
      },
    };
  }
  return { auto, template: chance(random, 0.2) ? undefined : { tracks: [track(random), ...tracks(random, 3)] } };
}

function place(random: Random): GridPlace | undefined {
  const kind = whole(random, 12);
  const line = () => pick(random, [1, 1, 2, 2, 3, 4, -1, -2, -3]);
  if (kind < 6) return undefined;
  if (kind < 8) return { start: line(), span: 1 };
  if (kind < 9) return { start: line(), end: line(), span: 1 };
  const span = 1 + whole(random, 3);
  return kind < 10 ? { span } : kind < 11 ? { start: line(), span } : { end: line(), span };
}

function grid(random: Random, { depth, ...options }: TreeOptions): Grid {
  const count = 1 + whole(random, 6);
  const hasGap = chance(random, 0.5);
  const trackAlignments = [...JUSTIFICATIONS, 'stretch', 'stretch', 'stretch'] as const;
  return {
    kind: 'grid',
    columns: axis(random),
    rows: axis(random),
    isRowFlow: chance(random, 0.7),
    isDense: chance(random, 0.3),
    rowGap: hasGap ? whole(random, 14) : 0,
    columnGap: hasGap ? whole(random, 14) : 0,
    justifyItems: pick(random, INLINE_ALIGNMENTS),
    alignItems: pick(random, ALIGNMENTS),
    justifyContent: pick(random, trackAlignments),
    alignContent: pick(random, trackAlignments),
    children: Array.from({ length: count }, () => randomTree(random, { ...options, depth: depth - 1 }, 'grid')),
  };
}

function leaf(random: Random): FlexNode['content'] {
  if (chance(random, 0.12)) return { kind: 'replaced', width: 8 + whole(random, 120), height: 8 + whole(random, 90) };
  const count = chance(random, 0.3) ? 0 : 1 + whole(random, 7);
  const lineHeight = 8 + whole(random, 24);
  const widths = Array.from({ length: count }, () => 4 + size(random, 40));
  return blocksContent({ widths, lineHeight, descent: whole(random, 8) });
}

const px = (length: Length) => (typeof length === 'number' ? `${length}px` : `${length.percent}%`);

const breadthCss = (size: TrackBreadth) => (typeof size === 'string' ? size : px(size));

function trackCss({ min, max, limit }: TrackSize): string {
  if (limit !== undefined) return `fit-content(${px(limit)})`;
  return `minmax(${breadthCss(min)}, ${typeof max === 'object' && 'fr' in max ? `${max.fr}fr` : breadthCss(max)})`;
}

const tracksCss = (tracks: readonly TrackSize[]) => tracks.map(trackCss).join(' ');

function listCss({ tracks, fill }: TrackList): string {
  if (!fill) return tracksCss(tracks);
  const repeat = `repeat(${fill.isFit ? 'auto-fit' : 'auto-fill'}, ${tracksCss(fill.repeated)})`;
  return [tracksCss(tracks.slice(0, fill.at)), repeat, tracksCss(tracks.slice(fill.at))].join(' ');
}

function placeCss({ start, end, span }: GridPlace): string {
  if (start !== undefined) return `${start} / ${end ?? `span ${span}`}`;
  return end === undefined ? `span ${span}` : `span ${span} / ${end}`;
}

/** The element of the box. Its ancestors are flex containers or grids, except the root's. */
export function toHtml(node: FlexNode, parent?: 'row' | 'column' | 'grid' | 'block'): string {
  const style: Record<string, string | number> = { 'box-sizing': 'border-box', position: 'relative' };
  const set = (name: string, length: Length | undefined) => {
    if (length !== undefined) style[name] = px(length);
  };
  for (const side of ['width', 'height'] as const) {
    const given = node[side];
    const isMain = (parent === 'row') === (side === 'width');
    if (given === 'fill' && parent) {
      if (parent === 'grid') style[side === 'width' ? 'justify-self' : 'align-self'] = 'stretch';
      else if (isMain) Object.assign(style, { 'flex-grow': 1, 'flex-basis': '0px' });
      else style['align-self'] = 'stretch';
    } else if (typeof given !== 'string') style[side] = px(given);
    if (isMain) style['flex-shrink'] = typeof given === 'number' ? 0 : 1;
  }
  set('min-width', node.minWidth);
  set('max-width', node.maxWidth);
  set('min-height', node.minHeight);
  set('max-height', node.maxHeight);
  const four = (sides: Margins) => sides.map((side) => (side === 'auto' ? side : `${side}px`)).join(' ');
  if (node.margin) style.margin = node.margin.map((side) => (side === 'auto' ? side : px(side))).join(' ');
  if (node.order !== undefined) style.order = node.order;
  for (const [side, length] of Object.entries(node.offset ?? {})) set(side, length);
  if (node.padding) style.padding = four(node.padding);
  if (node.grow !== undefined) style['flex-grow'] = node.grow;
  if (node.shrink !== undefined) style['flex-shrink'] = node.shrink;
  if (node.alignSelf && style['align-self'] === undefined) style['align-self'] = node.alignSelf;
  if (node.justifySelf && style['justify-self'] === undefined) style['justify-self'] = node.justifySelf;
  if (node.gridColumn) style['grid-column'] = placeCss(node.gridColumn);
  if (node.gridRow) style['grid-row'] = placeCss(node.gridRow);
  if (node.aspectRatio !== undefined) style['aspect-ratio'] = node.aspectRatio;
  if (node.absolute) {
    Object.assign(style, {
      position: 'absolute',
      left: px(node.absolute.left as number),
      top: px(node.absolute.top as number),
    });
    // a box without alignment would take that of the container as its static position's
    style['align-self'] = 'start';
    Object.assign(style, { 'justify-self': 'start', 'grid-column': 'auto', 'grid-row': 'auto' });
  }
  const { content } = node;
  const css = () =>
    Object.entries(style)
      .map(([name, value]) => `${name}:${value}`)
      .join(';');
  switch (content.kind) {
    case 'replaced':
      style.display = 'block';
      return `<canvas width="${content.width}" height="${content.height}" style="${css()}"></canvas>`;
    case 'container': {
      Object.assign(style, {
        display: 'flex',
        'flex-direction': content.direction,
        'flex-wrap': content.wrap ? 'wrap' : 'nowrap',
        gap: `${content.rowGap}px ${content.columnGap}px`,
        'align-items': content.alignItems,
        'justify-content': content.justifyContent,
      });
      return `<div style="${css()}">${content.children.map((child) => toHtml(child, content.direction)).join('')}</div>`;
    }
    case 'block':
      if (content.isRoot) style.display = 'flow-root';
      return `<div style="${css()}">${content.children.map((child) => toHtml(child, 'block')).join('')}</div>`;
    case 'grid': {
      const { columns, rows, isRowFlow, isDense } = content;
      Object.assign(style, {
        display: 'grid',
        gap: `${content.rowGap}px ${content.columnGap}px`,
        'grid-auto-flow': `${isRowFlow ? 'row' : 'column'}${isDense ? ' dense' : ''}`,
        'justify-items': content.justifyItems,
        'align-items': content.alignItems,
        'justify-content': content.justifyContent,
        'align-content': content.alignContent,
      });
      if (columns.template) style['grid-template-columns'] = listCss(columns.template);
      if (rows.template) style['grid-template-rows'] = listCss(rows.template);
      if (columns.auto.length > 0) style['grid-auto-columns'] = tracksCss(columns.auto);
      if (rows.auto.length > 0) style['grid-auto-rows'] = tracksCss(rows.auto);
      return `<div style="${css()}">${content.children.map((child) => toHtml(child, 'grid')).join('')}</div>`;
    }
    case 'content': {
      // content without blocks is empty
      const { blocks: of = { widths: [], lineHeight: 0, descent: 0 } } = content as Partial<BlocksContent>;
      const { widths, lineHeight, descent } = of;
      const blocks = widths.map(
        (width) => `<i style="width:${width}px;height:${lineHeight}px;vertical-align:-${descent}px"></i>`,
      );
      return `<div style="${css()}">${blocks.join('')}</div>`;
    }
  }
}

/** Styles of the boxes only; `i` are the inline blocks. */
export const STYLES = 'body{margin:0;font-size:0;line-height:0}i{display:inline-block}';
