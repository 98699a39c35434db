// Loads the parts of painting that few payloads need, before the first layer that needs them.
import { hasBorder } from '../contract/layers/border-fields.js';
import type { Layer } from '../contract/layers/index.js';
import { loadedParts } from '../layers/optional.js';

const LOADERS = {
  qrEncoder: () => import('../layers/codes/qr-encoder.js'),
  sideBorder: () => import('../layers/box/side-border.js'),
  backgroundLayers: () => import('../layers/box/background-layers.js'),
  saliency: () => import('../raster/saliency.js'),
  textPath: () => import('../layers/text/text-path.js'),
};

type PartName = keyof typeof LOADERS;

const BACKGROUND_FIELDS = ['Size', 'Position', 'Repeat', 'Origin', 'Clip'].map((part) => `background${part}`);

const NEEDS: Readonly<Record<PartName, (layer: Layer) => boolean>> = {
  qrEncoder: (layer) => layer.type === 'qrcode',
  sideBorder: (layer) => {
    const { border, ...others } = layer as Parameters<typeof hasBorder>[0];
    return (border?.style ?? 'solid') !== 'solid' || hasBorder({ ...others, border: undefined });
  },
  backgroundLayers: (layer) =>
    BACKGROUND_FIELDS.some((name) => (layer as unknown as Record<string, unknown>)[name] !== undefined),
  saliency: (layer) => layer.type === 'image' && layer.position === 'smart',
  textPath: (layer) => layer.type === 'text' && layer.textPath !== undefined,
};

/** Loads what the layers need; returns nothing if there is nothing to wait for. */
export function loadParts(layers: readonly Layer[]): Promise<unknown> | undefined {
  const missing = (Object.keys(LOADERS) as PartName[]).filter(
    (name) => !loadedParts[name] && isNeeded(layers, NEEDS[name]),
  );
  if (missing.length === 0) return undefined;
  return Promise.all(
    missing.map(async (name) => {
      Object.assign(loadedParts, { [name]: await LOADERS[name]() });
    }),
  );
}

function isNeeded(layers: readonly Layer[], needs: (layer: Layer) => boolean): boolean {
  return layers.some((layer) => needs(layer) || (layer.type === 'group' && isNeeded(layer.layers, needs)));
}
