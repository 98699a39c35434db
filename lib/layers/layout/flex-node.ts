// Layers as boxes of flexbox layout.
import type { GroupLayer, Layer } from '../../contract/layers/index.js';
import { hasLayout } from '../../contract/layers/nested-layers.js';
import { completeFour } from '../../geometry/corners.js';
import type { Container, Content, FlexNode, Replaced, Sides } from '../../layout/flex/node.js';

/** The measurable content of texts and pictures. A layer that has been laid out is measured as its original. */
export type Measured = Map<Layer, Content | Replaced>;

/** Converts a layer to a node of flexbox layout. `isItem` says whether a group lays the layer out. */
export function flexNode(layer: Layer, measured: Measured, isItem: boolean): FlexNode {
  const { minWidth, maxWidth, minHeight, maxHeight } = layer;
  const { width, height } = layer.extents ?? layer;
  const content =
    layer.type === 'group' && hasLayout(layer) ? container(layer, measured) : (measured.get(layer) ?? EMPTY);
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
      margin: layer.type === 'qrcode' || layer.type === 'barcode' ? undefined : sides(layer.margin),
      grow: layer.grow,
      shrink: layer.shrink,
      alignSelf: layer.alignSelf,
    }),
    ...(isAbsolute && { absolute: { x: layer.x, y: layer.y } }),
  };
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

function paddingOf(layer: Layer): Sides | undefined {
  const hasPadding = layer.type === 'text' || (layer.type === 'group' && hasLayout(layer));
  return hasPadding ? sides(layer.padding) : undefined;
}

function container(group: GroupLayer, measured: Measured): Container {
  const { layout, gap, alignItems, justifyContent, wrapItems, layers } = group;
  const [rowGap, columnGap = rowGap] = gap;
  return {
    kind: 'container',
    direction: layout === 'column' ? 'column' : 'row',
    wrap: wrapItems,
    rowGap,
    columnGap,
    alignItems,
    justifyContent,
    children: layers.filter(({ visible }) => visible).map((layer) => flexNode(layer, measured, true)),
  };
}
