// Boxes as layers: containers become groups with a layout, paragraphs texts, pictures images.

import { type Box, type ElementBox, isReplaced } from '../boxes.js';
import { rounded } from '../css/length.js';
import type { Style } from '../css/style.js';
import { areBlank, areText } from '../inline.js';
import type { MarkupReport } from '../report.js';
import {
  backgroundOf,
  borderFields,
  effectFields,
  isCentre,
  isStackingContext,
  outlineFields,
  radiusFields,
  shadowFields,
} from './decoration.js';
import { definedOnly, type LayerFields, shortestFour } from './fields.js';
import { gridFields, gridItemFields } from './grid.js';
import { markerOf } from './lists.js';
import {
  alignment,
  axisSum,
  type BoxEdges,
  borderWidths,
  edgesOf,
  type Four,
  innerWidth,
  insetField,
  insideEdges,
  justification,
  marginField,
  type ParentFlow,
  sizeFields,
} from './sizes.js';
import { svgUrl } from './svg.js';
import { cellLayer, tableParts } from './table.js';
import { type Decoration, decorationsOf, paragraphOf } from './text.js';

/** A layer among those of its group. */
interface Painted {
  readonly layer: LayerFields;
  /** Siblings are painted by it: what is not positioned, then what is, and `z-index` before and after both. */
  readonly level: number;
  readonly isInFlow: boolean;
}

/** The box that absolute boxes are placed in. */
interface ContainingBlock {
  readonly border: Four;
  /** Layers of boxes that are deeper in the tree. */
  readonly layers: Painted[];
}

interface Context {
  readonly report: MarkupReport;
  readonly containing: ContainingBlock;
  /** Whether the containing block is the parent. */
  readonly isParent: boolean;
  readonly decorations: readonly Decoration[];
}

const NO_BORDER: Four = [0, 0, 0, 0];

/** The layers of the root boxes on a canvas. */
export function buildLayers(
  boxes: readonly Box[],
  body: Style,
  canvas: { readonly width: number; readonly height: number },
  report: MarkupReport,
): LayerFields[] {
  const containing: ContainingBlock = { border: NO_BORDER, layers: [] };
  const context: Context = { report, containing, isParent: true, decorations: [] };
  const owner = bodyBox(boxes, body);
  const flow: ParentFlow = { kind: 'block', border: NO_BORDER, width: canvas.width };
  const painted = flowLayers(blockChildren(owner), flow, context);
  const [only] = painted;
  if (painted.length === 1 && containing.layers.length === 0 && only.isInFlow) {
    const root = rootLayer(only.layer, canvas);
    if (root) return [root];
  }
  const layers = inPaintOrder([...painted, ...containing.layers]);
  if (layers.length === 0) return [];
  const place = { type: 'group', x: 0, y: 0, width: canvas.width, height: canvas.height };
  return [{ ...place, layout: 'block', layers }];
}

function bodyBox(children: readonly Box[], style: Style): ElementBox {
  const node = { kind: 'element', tag: 'body', props: {}, children: [] } as const;
  return { kind: 'box', node, place: { node, index: 0 }, style, display: 'block', children };
}

/** The root as a layer of the canvas, where arithmetic alone gives its place; else undefined. */
function rootLayer(layer: LayerFields, canvas: { width: number; height: number }): LayerFields | undefined {
  const { type, width, height, margin = 0, order: _, ...rest } = layer;
  // margins in it may move it
  if (rest.layout === 'block' && rest.clip !== true && !hasTopPadding(rest.padding)) return undefined;
  const sides = Array.isArray(margin) ? margin : [margin];
  const [top, right = top, , left = right] = sides as (number | string)[];
  if (typeof top !== 'number' || typeof left !== 'number' || typeof right !== 'number') return undefined;
  if ('alignSelf' in rest || 'inset' in rest || 'position' in rest) return undefined;
  if (Object.keys(rest).some((key) => /^(?:min|max)(?:Width|Height)$/.test(key))) return undefined;
  const wide = width === 'auto' && type !== 'image' ? canvas.width - left - right : sizeOn(width, canvas.width);
  const high = sizeOn(height, canvas.height);
  if (wide === undefined || (high === undefined && type === 'image')) return undefined;
  return { type, x: left, y: top, width: wide, height: high ?? 'auto', ...rest };
}

function hasTopPadding(padding: unknown): boolean {
  const [top] = Array.isArray(padding) ? padding : [padding];
  return typeof top === 'number' && top > 0;
}

function sizeOn(size: unknown, whole: number): number | undefined {
  if (typeof size === 'number') return size;
  const match = /^(?:calc\()?([\d.]+)%(?: ([+-]) ([\d.]+)px\))?$/.exec(String(size));
  return match ? rounded((Number(match[1]) * whole) / 100 + Number(`${match[2] ?? '+'}${match[3] ?? 0}`)) : undefined;
}

/** Runs of text between the boxes of a container, as boxes without an element. */
interface Anonymous {
  readonly kind: 'anonymous';
  readonly boxes: readonly Box[];
  readonly owner: ElementBox;
}

type Child = ElementBox | Anonymous;

/** Children of a block: neighbouring inline boxes are one paragraph. */
function blockChildren(owner: ElementBox): Child[] {
  const children: Child[] = [];
  let run: Box[] = [];
  const end = () => {
    const lines = areText(run) ? [run] : linesOf(run);
    for (const boxes of lines) if (!areBlank(boxes)) children.push({ kind: 'anonymous', boxes, owner });
    run = [];
  };
  for (const box of owner.children) {
    if (box.kind === 'run' || isInlineLevel(box)) run.push(box);
    else {
      end();
      children.push(box);
    }
  }
  end();
  return children;
}

/** Inline boxes between line breaks. */
function linesOf(boxes: readonly Box[]): Box[][] {
  const lines: Box[][] = [[]];
  for (const box of boxes) {
    if (box.kind === 'box' && box.node.tag === 'br') lines.push([]);
    else lines.at(-1)?.push(box);
  }
  return lines;
}

function isInlineLevel(box: ElementBox): boolean {
  return box.display.startsWith('inline') && box.style.get('position') !== 'absolute';
}

/** Children of a flex container: each element is an item, and so is each run of text. */
function flexChildren(owner: ElementBox): Child[] {
  return owner.children.flatMap((box): Child[] => {
    if (box.kind === 'box') return [box];
    return areBlank([box]) ? [] : [{ kind: 'anonymous', boxes: [box], owner }];
  });
}

/** The layers of children, in the order of layout; absolute ones of a box further out are put among that box's layers. */
function flowLayers(children: readonly Child[], flow: ParentFlow, context: Context): Painted[] {
  const { report } = context;
  const painted: Painted[] = [];
  for (const child of children) {
    if (child.kind === 'anonymous') {
      const layer = anonymousLayer(child, context);
      if (layer) painted.push({ layer, level: 0, isInFlow: true });
      continue;
    }
    const { style } = child;
    const position = style.get('position');
    const level = levelOf(child, flow);
    if (position !== 'absolute') {
      painted.push({ layer: boxLayer(child, flow, context), level, isInFlow: true });
      continue;
    }
    const { containing, isParent } = context;
    const own: ParentFlow = { kind: 'absolute', border: containing.border, width: undefined };
    const layer = boxLayer(child, own, context);
    const isPlaced = 'inset' in layer;
    if (isParent || !isPlaced) painted.push({ layer, level, isInFlow: false });
    else containing.layers.push({ layer, level, isInFlow: false });
    if (!isParent && isPlaced && !isPlacedOnBothAxes(style)) {
      report.warn(child.place, 'position: absolute is placed on both axes only with insets on both');
    }
  }
  return painted;
}

function isPlacedOnBothAxes(style: Style): boolean {
  const isSet = (side: string) => style.get(side) !== 'auto';
  return (isSet('left') || isSet('right')) && (isSet('top') || isSet('bottom'));
}

const POSITIONED = 0.5;

function levelOf(box: ElementBox, flow: ParentFlow): number {
  const { style } = box;
  const isPositioned = style.get('position') !== 'static';
  const isItem = flow.kind === 'row' || flow.kind === 'column' || flow.kind === 'grid';
  const z = style.number('zIndex');
  if (z !== undefined && (isPositioned || isItem)) return z === 0 ? POSITIONED : z;
  return isPositioned || isStackingContext(box) ? POSITIONED : 0;
}

/** The layers in the order of painting, which `order` takes back for layout. */
function inPaintOrder(painted: readonly Painted[]): LayerFields[] {
  const sorted = [...painted].sort((one, other) => one.level - other.level);
  const inFlow = sorted.filter(({ isInFlow }) => isInFlow);
  const layout = painted.filter(({ isInFlow }) => isInFlow);
  if (inFlow.every((each, i) => each === layout[i])) return sorted.map(({ layer }) => layer);
  const orders = new Map(layout.map((each, i) => [each, i]));
  return sorted.map((each) => (each.isInFlow ? { ...each.layer, order: orders.get(each) } : each.layer));
}

/** A paragraph without a box of its own. */
function anonymousLayer({ boxes, owner }: Anonymous, context: Context): LayerFields | undefined {
  if (!areText(boxes)) return lineGroup(boxes, owner, context);
  const { fields, isEmpty } = paragraphOf(boxes, owner.style, owner, textContext(owner, context));
  if (isEmpty) return undefined;
  // what is about the box is the owner's
  const { maxLines: _, textOverflow: __, ...text } = fields;
  return { type: 'text', width: 'auto', height: 'auto', ...text };
}

function textContext(owner: ElementBox, { report, decorations }: Context) {
  return { report, decorations, language: owner.language };
}

/** Blanks beside pictures and blocks, which would be lost at the ends of text that is laid out apart from them. */
function withKeptBlanks(boxes: readonly Box[]): Box[] {
  const isApart = (box: Box | undefined) => box !== undefined && !areText([box]);
  return boxes.map((box, i): Box => {
    if (box.kind !== 'run') return box;
    const before = isApart(boxes[i - 1]) ? box.text.replace(/^[ \t\r\n\f]+/, '\u00a0') : box.text;
    return { ...box, text: isApart(boxes[i + 1]) ? before.replace(/[ \t\r\n\f]+$/, '\u00a0') : before };
  });
}

/** A line of pictures and blocks among text: its boxes stand on a common baseline. */
function lineGroup(boxes: readonly Box[], owner: ElementBox, context: Context): LayerFields {
  const { report } = context;
  const inner: ParentFlow = { kind: 'row', border: NO_BORDER, width: undefined };
  const layers: LayerFields[] = [];
  let run: Box[] = [];
  const end = () => {
    if (run.length > 0 && !areBlank(run)) {
      const { fields, isEmpty } = paragraphOf(run, owner.style, owner, textContext(owner, context));
      if (!isEmpty) layers.push({ type: 'text', width: 'auto', height: 'auto', ...fields });
    }
    run = [];
  };
  for (const box of withKeptBlanks(boxes)) {
    if (box.kind === 'run' || areText([box])) run.push(box);
    else {
      end();
      layers.push(boxLayer(box, inner, context));
    }
  }
  end();
  const hasText = layers.some(({ type }) => type === 'text');
  if (layers.length > 1 && hasText) {
    report.warn(owner.place, 'text beside inline pictures and blocks wraps apart from them');
  }
  // the line is at least as high as one of text
  const strut = paragraphOf(
    [{ kind: 'run', text: '\u200b', style: owner.style }],
    owner.style,
    owner,
    textContext(owner, context),
  );
  const align = owner.style.get('textAlign');
  const isAtEnd =
    align === 'right' || (align === 'end') !== (owner.style.get('direction') === 'rtl' && align === 'start');
  return {
    type: 'group',
    width: 'auto',
    height: 'auto',
    layout: 'row',
    wrapItems: true,
    alignItems: 'baseline',
    ...(align === 'center' ? { justifyContent: 'center' } : isAtEnd ? { justifyContent: 'end' } : {}),
    layers: hasText ? layers : [{ type: 'text', width: 0, height: 'auto', ...strut.fields }, ...layers],
  };
}

/** The layer of an element. */
function boxLayer(box: ElementBox, flow: ParentFlow, context: Context): LayerFields {
  const { report } = context;
  const edges = edgesOf(box, flow.width, report);
  const { style } = box;
  const position = style.get('position');
  const inset = position === 'static' ? undefined : insetField(style, flow);
  const placed = definedOnly({
    position: position === 'absolute' ? 'absolute' : undefined,
    inset,
    margin: marginField(box, flow, report),
  });
  const sizes = sizeFields(box, edges, flow, isReplaced(box.node.tag));
  const item = flow.names ? gridItemFields(style, flow.names, isReplaced(box.node.tag)) : {};
  const { order: _, ...place } = { ...sizes, ...placed, ...item };
  if (isReplaced(box.node.tag)) return pictureLayer(box, place, edges, context);
  if (box.display === 'table' || box.display === 'inline-table') return tableLayer(box, place, edges, flow, context);
  return contentLayer(box, place, edges, flow, context);
}

/** A table, in a column with its captions where it has any. */
function tableLayer(
  box: ElementBox,
  place: LayerFields,
  edges: BoxEdges,
  flow: ParentFlow,
  context: Context,
): LayerFields {
  const { report } = context;
  const { table, spacing, cells, captions } = tableParts(box, report);
  const own = table === box ? edges : edgesOf(table, flow.width, report);
  const [down, across] = spacing;
  const [top, right, bottom, left] = insideEdges(own);
  const padding = [top + down, right + across, bottom + down, left + across];
  const background = backgroundOf(table, report);
  const decorations = [...context.decorations, ...decorationsOf(box, report)];
  const inFlow: ParentFlow = { kind: 'block', border: NO_BORDER, width: undefined };
  const inner: Context = { ...context, decorations, isParent: false };
  const isFitting = place.width === 'auto' && !('alignSelf' in place) && place.position === undefined;
  const group: LayerFields = {
    type: 'group',
    ...place,
    ...(isFitting && flow.kind !== 'row' && { alignSelf: 'start' }),
    layout: 'table',
    ...(down === 0 && across === 0 ? {} : { gap: down === across ? down : [down, across] }),
    ...(padding.some((side) => side !== 0) && { padding: shortestFour(padding) }),
    ...paintedFields(table, background.fields, report),
    layers: [...background.pictures, ...cells.map((cell) => cellLayer(boxLayer(cell.box, inFlow, inner), cell))],
  };
  if (captions.length === 0) return group;
  const { margin, ...rest } = group;
  const above = captions.map((caption) => boxLayer(caption, { ...inFlow, kind: 'column' }, context));
  const isBelow = box.style.get('captionSide') === 'bottom';
  return {
    type: 'group',
    width: 'auto',
    height: 'auto',
    alignSelf: 'start',
    ...(margin !== undefined && { margin }),
    layout: 'column',
    alignItems: 'stretch',
    layers: isBelow ? [rest, ...above] : [...above, rest],
  };
}

/** What a box paints around its content. */
function paintedFields(box: ElementBox, background: LayerFields, report: MarkupReport): LayerFields {
  return {
    ...background,
    ...borderFields(box),
    ...outlineFields(box),
    ...radiusFields(box),
    ...shadowFields(box, report),
    ...effectFields(box, report),
  };
}

function contentLayer(
  element: ElementBox,
  place: LayerFields,
  edges: BoxEdges,
  flow: ParentFlow,
  context: Context,
): LayerFields {
  const { report } = context;
  const { box, layer: marker } =
    element.display === 'list-item' ? markerOf(element, edges, report) : { box: element, layer: undefined };
  const { style } = box;
  const background = backgroundOf(box, report);
  const padding = insideEdges(edges);
  const paddingField = padding.every((side) => side === 0) ? {} : { padding: shortestFour(padding) };
  const decorations = [...context.decorations, ...decorationsOf(box, report)];
  const isFlex = box.display === 'flex' || box.display === 'inline-flex';
  const painted = paintedFields(box, background.fields, report);
  const isGrid = box.display === 'grid' || box.display === 'inline-grid';
  const isText = !isFlex && !isGrid && marker === undefined && box.children.length > 0 && areText(box.children);
  const inner: Context = { ...context, decorations };
  if (isText) {
    const text = paragraphOf(box.children, style, box, textContext(box, inner), background.text);
    const isSimple = !text.isEmpty && background.pictures.length === 0 && !needsClip(box, text.fields);
    if (isSimple) {
      const shadow = 'shadow' in painted && !('backgroundColor' in painted) ? { backgroundColor: 'transparent' } : {};
      return { type: 'text', ...place, ...text.fields, ...paddingField, ...shadow, ...painted };
    }
  }
  const isPositioned =
    style.get('position') !== 'static' || style.get('transform') !== 'none' || style.get('filter') !== 'none';
  const containing: ContainingBlock = isPositioned ? { border: borderWidths(style), layers: [] } : context.containing;
  const own: Context = { ...inner, containing, isParent: isPositioned };
  const width = innerWidth(box, edges, flow);
  const grid = isGrid ? gridFields(box, report) : undefined;
  const layout: LayerFields = grid?.fields ?? (isFlex ? flexFields(style) : { layout: 'block' });
  const kind = layout.layout as ParentFlow['kind'];
  const children = isFlex || isGrid ? ordered(flexChildren(box), style, isGrid) : blockChildren(box);
  // percentages of an item are of its area
  const flowWidth = isGrid ? undefined : width;
  const within = flowLayers(children, { kind, border: NO_BORDER, width: flowWidth, names: grid?.names }, own);
  const hoisted = isPositioned ? containing.layers : [];
  const pictures = background.pictures.map((layer): Painted => ({ layer, level: -Infinity, isInFlow: false }));
  const clip =
    style.get('overflowX') !== 'visible' ||
    style.get('overflowY') !== 'visible' ||
    (pictures.length > 0 && 'borderRadius' in painted);
  const { outer, beneath } =
    clip || !box.children.some(mayLeaveItsPlace) ? { outer: painted } : withBorderBeneath(painted);
  return {
    type: 'group',
    ...place,
    ...layout,
    ...paddingField,
    ...outer,
    ...(clip && { clip: true }),
    layers: [
      ...(beneath ? [beneath] : []),
      ...inPaintOrder([
        ...pictures,
        ...(marker ? [{ layer: marker, level: 0, isInFlow: false }] : []),
        ...within,
        ...hoisted,
      ]),
    ],
  };
}

/** Whether a box, or one in it, may be painted outside of its place, and so on the border of the box around it. */
function mayLeaveItsPlace(box: Box): boolean {
  if (box.kind === 'run') return false;
  const { style } = box;
  const isMoved = ['transform', 'translate', 'rotate', 'scale'].some((property) => style.get(property) !== 'none');
  const isPulled = ['Top', 'Right', 'Bottom', 'Left'].some((side) => style.pixels(`margin${side}`) < 0);
  const isPlaced = ['top', 'right', 'bottom', 'left'].some((side) => style.get(side) !== 'auto');
  const position = style.get('position');
  const isShifted = position === 'absolute' || (position === 'relative' && isPlaced);
  const isOutside = isShifted || style.get('boxShadow') !== 'none' || isMoved || isPulled;
  return isOutside || (style.get('overflowX') === 'visible' && box.children.some(mayLeaveItsPlace));
}

/** Groups have their border on top of their layers: here it is a layer beneath them. */
function withBorderBeneath(painted: LayerFields): { outer: LayerFields; beneath?: LayerFields } {
  const isBorder = (key: string) => /^border(?!Radius)/.test(key);
  const border = Object.entries(painted).filter(([key]) => isBorder(key));
  if (border.length === 0) return { outer: painted };
  const { borderRadius } = painted;
  const place = { type: 'group', position: 'absolute', inset: 0, width: '100%', height: '100%' };
  const outer = Object.fromEntries(Object.entries(painted).filter(([key]) => !isBorder(key)));
  const radius = borderRadius === undefined ? {} : { borderRadius };
  return { outer, beneath: { ...place, ...Object.fromEntries(border), ...radius, layers: [] } };
}

/** Whether text may be cut off at the edges of its box. */
function needsClip({ style }: ElementBox, { wrap, textOverflow, maxLines }: LayerFields): boolean {
  const isClipped = style.get('overflowX') !== 'visible' || style.get('overflowY') !== 'visible';
  if (!isClipped || textOverflow !== undefined) return false;
  if (wrap === false) return true;
  return style.get('height') !== 'auto' || (style.get('maxHeight') !== 'none' && maxLines === undefined);
}

/** The fields of a flex container. */
function flexFields(style: Style): LayerFields {
  const direction = style.get('flexDirection');
  const isReversed = direction.endsWith('reverse');
  const gaps = [style.pixels('rowGap'), style.pixels('columnGap')];
  const wraps = style.get('flexWrap') === 'wrap';
  const justify = justification(style.get('justifyContent'), isReversed);
  const align = alignment(style.get('alignItems'));
  const content = style.get('alignContent');
  return definedOnly({
    layout: direction.startsWith('row') ? 'row' : 'column',
    gap: gaps.every((gap) => gap === 0) ? undefined : gaps[0] === gaps[1] ? gaps[0] : gaps,
    alignItems: align === 'start' ? undefined : align,
    justifyContent: justify === 'start' ? undefined : justify,
    alignContent: !wraps || content === 'normal' || content === 'stretch' ? undefined : justification(content),
    wrapItems: wraps ? true : undefined,
  });
}

/** Items by `order`, and from the end where the direction is reversed. */
function ordered(children: readonly Child[], style: Style, isGrid: boolean): Child[] {
  const orderOf = (child: Child) => (child.kind === 'box' ? (child.style.number('order') ?? 0) : 0);
  const sorted = [...children].sort((one, other) => orderOf(one) - orderOf(other));
  return !isGrid && style.get('flexDirection').endsWith('reverse') ? sorted.reverse() : sorted;
}

/** An image, in a group of its own where a border or padding takes room around the picture. */
function pictureLayer(box: ElementBox, place: LayerFields, edges: BoxEdges, { report }: Context): LayerFields {
  const { style, node } = box;
  const { src, alt } = node.props;
  const padding = insideEdges(edges);
  const hasRoom = padding.some((side) => side !== 0);
  const background = backgroundOf(box, report);
  const painted = paintedFields(box, background.fields, report);
  const { borderRadius, backgroundColor, border, ...effects } = painted;
  const sides = Object.keys(effects).filter((key) => /^border|^outline/.test(key));
  const inner = {
    width: typeof place.width === 'number' ? rounded(place.width - axisSum(padding, 'width')) : undefined,
    height: typeof place.height === 'number' ? rounded(place.height - axisSum(padding, 'height')) : undefined,
  };
  const isSvg = node.tag === 'svg';
  if (!isSvg && typeof src !== 'string') {
    report.warn(box.place, 'an img without a src is not supported');
    return { type: 'group', ...place, layout: 'row', ...painted, layers: [] };
  }
  const fit = style.get('objectFit');
  const position = style.inPixels('objectPosition');
  const image: LayerFields = definedOnly({
    url: isSvg ? svgUrl(box, inner) : src,
    fit: isSvg ? 'fill' : fit === 'cover' ? undefined : fit,
    alt: typeof alt === 'string' ? alt : undefined,
  });
  const isCentred = isCentre(position);
  const isPlain =
    !hasRoom &&
    backgroundColor === undefined &&
    border === undefined &&
    sides.length === 0 &&
    background.pictures.length === 0;
  const isAbsolute = place.position === 'absolute';
  if (isPlain && (isCentred || !isAbsolute)) {
    const corners = borderRadius === undefined ? {} : { mask: 'rounded', borderRadius };
    return { type: 'image', ...place, ...image, ...(isCentred ? {} : { position }), ...corners, ...effects };
  }
  const radius = typeof borderRadius === 'number' ? Math.max(0, borderRadius - edges.border[0]) : borderRadius;
  const content = {
    type: 'image',
    width: inner.width ?? (place.width === 'auto' ? 'auto' : 'fill'),
    height: inner.height ?? (place.height === 'auto' ? 'auto' : '100%'),
    ...image,
    ...(isCentred ? {} : { position }),
    ...(radius === undefined || radius === 0 ? {} : { mask: 'rounded', borderRadius: radius }),
  };
  return {
    type: 'group',
    ...place,
    layout: 'row',
    ...(hasRoom && { padding: shortestFour(padding) }),
    ...painted,
    layers: [content],
  };
}
