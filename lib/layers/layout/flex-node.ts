// Layers as boxes of layout.
import type { GroupLayer, Layer } from '../../contract/layers/index.js';
import { hasLayout, isGrid } from '../../contract/layers/nested-layers.js';
import { completeFour } from '../../geometry/corners.js';
import type {
  BlockContainer,
  Container,
  Content,
  FlexNode,
  Grid,
  Insets,
  Margin,
  Margins,
  Replaced,
  Sides,
} from '../../layout/flex/node.js';

/** The measurable content of texts and pictures. A layer that has been laid out is measured as its original. */
export type Measured = Map<Layer, Content | Replaced>;

/**
 * Converts a layer to a node of layout. `isItem` says whether a group lays the layer out, `isInBlock` whether one with the
 * layout `block` does.
 */
export function flexNode(layer: Layer, measured: Measured, isItem: boolean, isInBlock = false): FlexNode {
  const { minWidth, maxWidth, minHeight, maxHeight } = layer;
  const { width, height } = layer.extents ?? layer;
  const content =
    layer.type === 'group' && hasLayout(layer)
      ? contentOf(layer, measured, isInBlock && layer.isAbsolute !== true)
      : (measured.get(layer) ?? EMPTY);
  const isAbsolute = !isItem || layer.isAbsolute === true;
  return {
    width,
    height,
    minWidth,
    maxWidth,
    minHeight,
    maxHeight,
    aspectRatio: layer.aspectRatio ?? (layer.type === 'qrcode' ? 1 : undefined),
    padding: measured.has(layer) ? undefined : paddingOf(layer),
    content,
    ...(isItem && {
      // a code's margin is its quiet zone
      margin: layer.type === 'qrcode' || layer.type === 'barcode' ? undefined : margins(layer.margin),
      grow: layer.grow,
      shrink: layer.shrink,
      alignSelf: layer.alignSelf,
      order: layer.order,
      justifySelf: layer.justifySelf,
      gridColumn: layer.gridColumn,
      gridRow: layer.gridRow,
    }),
    ...(isAbsolute
      ? { absolute: isItem ? absoluteInsets(layer) : { left: layer.x, top: layer.y } }
      : layer.inset && { offset: insetsOf(layer.inset) }),
  };
}

/** The distances of an absolute layer; without any, `x` and `y` are its left and its top. */
function absoluteInsets({ inset, isPlaced = [true, true], x, y }: Layer): Insets {
  const { top, left, ...others } = insetsOf(inset);
  return { top: top ?? (isPlaced[1] ? y : undefined), left: left ?? (isPlaced[0] ? x : undefined), ...others };
}

function insetsOf(inset: Layer['inset'] = ['auto']): Insets {
  const [top, right, bottom, left] = completeFour(inset).map((side) => (side === 'auto' ? undefined : side));
  return { top, right, bottom, left };
}

/** Content of layers that have no natural size. */
const EMPTY: Content = {
  kind: 'content',
  measureSteps: 0,
  minContentWidth: () => 0,
  maxContentWidth: () => 0,
  measure: () => ({ height: 0 }),
};

function sides(lengths: readonly number[] | undefined): Sides | undefined {
  return lengths && completeFour(lengths);
}

function margins(lengths: readonly Margin[] | undefined): Margins | undefined {
  return lengths && completeFour(lengths);
}

function paddingOf(layer: Layer): Sides | undefined {
  const hasPadding = layer.type === 'text' || (layer.type === 'group' && hasLayout(layer));
  return hasPadding ? sides(layer.padding) : undefined;
}

/** `isInBlock`: whether the margins of its layers may join its own. */
function contentOf(group: GroupLayer, measured: Measured, isInBlock: boolean): Container | Grid | BlockContainer {
  const { gap, alignItems, justifyContent, alignContent } = group;
  const [rowGap, columnGap = rowGap] = gap;
  const isBlock = group.layout === 'block';
  const children = group.layers
    .filter(({ visible }) => visible)
    .map((layer) => flexNode(layer, measured, true, isBlock));
  if (isBlock) return { kind: 'block', isRoot: !isInBlock || group.clip, children };
  const common = { rowGap, columnGap, alignItems, alignContent, children };
  if (!isGrid(group)) {
    return {
      kind: 'container',
      direction: group.layout === 'column' ? 'column' : 'row',
      wrap: group.wrapItems,
      // tracks alone are stretched
      justifyContent: justifyContent === undefined || justifyContent === 'stretch' ? 'start' : justifyContent,
      ...common,
    };
  }
  const { gridTemplateColumns, gridTemplateRows, gridAutoColumns, gridAutoRows, gridAutoFlow } = group;
  return {
    kind: 'grid',
    isTable: group.layout === 'table',
    columns: { template: gridTemplateColumns, auto: gridAutoColumns ?? [] },
    rows: { template: gridTemplateRows, auto: gridAutoRows ?? [] },
    isRowFlow: !gridAutoFlow.startsWith('column'),
    isDense: gridAutoFlow.endsWith('dense'),
    justifyItems: group.justifyItems,
    justifyContent: justifyContent ?? 'stretch',
    ...common,
  };
}
