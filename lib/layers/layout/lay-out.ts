// The layout of a scene's layers: decides the boxes of those in groups with a layout, and of those with a size of "auto".

import type { GroupLayer, Layer } from '../../contract/layers/index.js';
import { hasLayout } from '../../contract/layers/nested-layers.js';
import { MAX_COORDINATE } from '../../contract/layers/output-size.js';
import type { FieldIssue } from '../../contract/messages/issues.js';
import type { WarningCode } from '../../detail-codes.js';
import { RenderError } from '../../errors.js';
import { type LayoutBudget, LayoutError } from '../../layout/flex/budget.js';
import { layOutTree } from '../../layout/flex/layout.js';
import type { LaidOutBox } from '../../layout/flex/node.js';
import { flexNode, type Measured } from './flex-node.js';
import { needsLayout } from './needs-layout.js';

/** Receives the findings about a layer. */
export interface LayoutReport {
  warn(found: FieldIssue<WarningCode>): void;
  fail(field: string, error: RenderError): void;
  /** The report about layer `index` of the group. */
  of(layer: Layer, index: number): LayoutReport;
}

interface Area {
  readonly width: number;
  readonly height: number;
}

/** State that the layout of all layers of a scene shares. */
export interface LayoutContext {
  readonly measured: Measured;
  readonly budget: LayoutBudget;
}

/** The layer with its box and those of the layers in it. `area`: the canvas, or the group without a layout that it is in. */
export function layOutLayer(layer: Layer, area: Area, context: LayoutContext, report: LayoutReport): Layer {
  if (!needsLayout(layer)) return layer;
  if (layer.type === 'group' && layer.extents === undefined && !hasLayout(layer)) {
    return withLayers(layer, context, report);
  }
  const { measured, budget } = context;
  // the layer that exhausted it is reported
  if (budget.isExhausted) return layer;
  const root = flexNode(layer, measured, false);
  try {
    const box = layOutTree(root, { ...area, available: Math.max(0, area.width - layer.x) }, budget);
    return placeLayer(layer, box, context, report);
  } catch (error) {
    if (!(error instanceof LayoutError)) throw error;
    report.fail('layers', new RenderError('render_failed', error.message));
    return layer;
  }
}

/** The group, which has no layout, with its layers laid out in it. */
function withLayers(group: GroupLayer, context: LayoutContext, report: LayoutReport): GroupLayer {
  const layers = group.layers.map((each, i) => layOutLayer(each, group, context, report.of(each, i)));
  return { ...group, layers };
}

/** Places a layer in its box, whose origin is the corner of the group around it. */
function placeLayer(layer: Layer, box: LaidOutBox, context: LayoutContext, report: LayoutReport): Layer {
  const { x, y, width, height } = box;
  const size = Math.max(Math.abs(x), Math.abs(y), width, height);
  if (!(size <= MAX_COORDINATE)) {
    const message = `layout gives a box of ${Math.round(width)} × ${Math.round(height)} pixels at ${Math.round(x)}, ${Math.round(y)}, expected at most ${MAX_COORDINATE}`;
    report.fail('width', new RenderError('render_failed', message));
  }
  const place = { x, y, width, height };
  if (layer.type !== 'group') {
    const { measured } = context;
    const positioned: Layer = { ...layer, ...place };
    const content = measured.get(layer);
    if (content) measured.set(positioned, content);
    return positioned;
  }
  if (!hasLayout(layer)) return withLayers({ ...layer, ...place }, context, report);
  const overflow = overflowOf(layer, box);
  if (overflow !== undefined) report.warn({ code: 'layout_overflow', field: 'layers', message: overflow });
  // hidden layers are in no layout
  let next = 0;
  const layers = layer.layers.map((each, i) =>
    each.visible ? placeLayer(each, box.children[next++], context, report.of(each, i)) : each,
  );
  return { ...layer, ...place, layers };
}

/** Pixels that boxes may reach beyond their group's without being reported: rounding to 64ths. */
const TOLERANCE = 0.5;

/** The warning about laid out layers that reach beyond the group's box. */
function overflowOf(
  { layers, paginate, clip }: GroupLayer,
  { width, height, children }: LaidOutBox,
): string | undefined {
  const visible = layers.filter((layer) => layer.visible);
  const inFlow = children.filter((_, i) => !visible[i].isAbsolute);
  const most = (reach: (box: LaidOutBox) => number) => inFlow.reduce((far, box) => Math.max(far, reach(box)), 0);
  const sides = [
    ['to the left', most(({ x }) => -x)],
    ['to the right', most((box) => box.x + box.width - width)],
    ['at the top', most(({ y }) => -y)],
    // a picture of a group that continues on other pages shows the first one
    ['at the bottom', paginate && clip ? 0 : most((box) => box.y + box.height - height)],
  ] as const;
  const beyond = sides.filter(([, by]) => by > TOLERANCE).map(([where, by]) => `by ${round(by)} px ${where}`);
  return beyond.length === 0 ? undefined : `the layers overflow the group's box ${beyond.join(' and ')}`;
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10;
}
