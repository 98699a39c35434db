// Lays out a scene's layers: loads the files whose size matters, and finds the layers' boxes.
import type { Layer, TextLayer } from '../contract/layers/index.js';
import { RenderError } from '../errors.js';
import { needsLayout } from '../layers/layout/needs-layout.js';
import type { Content, Replaced } from '../layout/flex/node.js';
import type { Scene } from '../templates/scene.js';
import type { LoadContext } from './context.js';
import { layoutArea } from './fit-canvas.js';
import { type LoadedText, loadText, unitsOf } from './fonts.js';
import { type Report, throwFailures, withLocation } from './report.js';

export interface LaidOut {
  readonly layers: readonly Layer[];
  /** Returns the text of one of the layers, if layout has loaded it. */
  textOf(layer: TextLayer): LoadedText | undefined;
}

/**
 * Finds the layers' boxes. Loads fonts and the sizes of pictures for it; an asset that can't be loaded is empty here, and
 * loading for painting reports it.
 */
export async function layOut(
  layers: readonly Layer[],
  canvas: Scene['canvas'],
  reports: readonly Report[],
  context: LoadContext,
): Promise<LaidOut> {
  if (!layers.some(needsLayout)) return { layers, textOf: () => undefined };
  const { LayoutBudget, layOutLayer, measuredText } = await import('../layers/layout/index.js');
  const measured = new Map<Layer, Content | Replaced>();
  const texts = new Map<Content | Replaced, LoadedText>();
  const measure = async (layer: Layer, report: Report): Promise<void> => {
    if (!layer.visible) return;
    if (layer.type === 'group') await Promise.all(layer.layers.map((each, i) => measure(each, report.of(each, i))));
    const text =
      layer.type === 'text' ? await loadText(layer, context, (field) => report.locateStage(field)) : undefined;
    const content =
      layer.type === 'text' ? text?.text && measuredText(layer, text.text) : await pictureSize(layer, context);
    if (content) measured.set(layer, content);
    if (content && text) texts.set(content, text);
  };
  await Promise.all(layers.map((layer, i) => (needsLayout(layer) ? measure(layer, reports[i]) : undefined)));
  context.signal?.throwIfAborted();
  const budget = new LayoutBudget();
  const area = layoutArea(canvas);
  const laidOut = layers.map((layer, i) => {
    const report = reports[i];
    const run = () =>
      withLocation(
        () => layOutLayer(layer, area, { measured, budget }, report),
        (failure) => report.locate(failure),
      );
    return context.stages ? context.stages.layout(report.locateStage('text'), textUnits(layer, context), run) : run();
  });
  throwFailures(reports.flatMap((report) => report.allFailures()));
  const textOf = (layer: TextLayer) => {
    const content = measured.get(layer);
    return content && texts.get(content);
  };
  return { layers: laidOut, textOf };
}

/** Counts the UTF-16 units of all text in the layer. */
function textUnits(layer: Layer, context: LoadContext): number {
  if (layer.type === 'group') return layer.layers.reduce((sum, each) => sum + textUnits(each, context), 0);
  return layer.type === 'text' ? unitsOf(layer, context) : 0;
}

/** Finds the size of the picture that the layer shows. */
async function pictureSize(layer: Layer, { assets, signal }: LoadContext): Promise<Replaced | undefined> {
  if (layer.type !== 'image') return undefined;
  try {
    const { header } = await assets.file(layer.url, signal);
    return { kind: 'replaced', ...(layer.crop ?? header) };
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}
