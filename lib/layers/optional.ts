// Parts of painting that few payloads need. Each loads before the first layer that needs it, so that painting never waits.
import { hasBorder } from '../contract/layers/border-fields.js';
import type { Layer } from '../contract/layers/index.js';

const LOADERS = {
  sideBorder: () => import('./box/side-border.js'),
  saliency: () => import('../raster/saliency.js'),
  textPath: () => import('./text/text-path.js'),
};

type Loaders = typeof LOADERS;
type PartName = keyof Loaders;
type Parts = { -readonly [Name in PartName]?: Awaited<ReturnType<Loaders[Name]>> };

const parts: Parts = {};

const NEEDS: Readonly<Record<PartName, (layer: Layer) => boolean>> = {
  sideBorder: (layer) => {
    const { border, ...others } = layer as Parameters<typeof hasBorder>[0];
    return (border?.style ?? 'solid') !== 'solid' || hasBorder({ ...others, border: undefined });
  },
  saliency: (layer) => layer.type === 'image' && layer.position === 'smart',
  textPath: (layer) => layer.type === 'text' && layer.textPath !== undefined,
};

/** Loads what the layers need; returns nothing if there is nothing to wait for. */
export function loadParts(layers: readonly Layer[]): Promise<unknown> | undefined {
  const missing = (Object.keys(LOADERS) as PartName[]).filter((name) => !parts[name] && isNeeded(layers, NEEDS[name]));
  if (missing.length === 0) return undefined;
  return Promise.all(
    missing.map(async (name) => {
      Object.assign(parts, { [name]: await LOADERS[name]() });
    }),
  );
}

function isNeeded(layers: readonly Layer[], needs: (layer: Layer) => boolean): boolean {
  return layers.some((layer) => needs(layer) || (layer.type === 'group' && isNeeded(layer.layers, needs)));
}

/** A part that a layer needs, which must be loaded. */
export function partOf<Name extends PartName>(name: Name): NonNullable<Parts[Name]> {
  const part = parts[name];
  if (!part) throw new Error(`${name} is not loaded`);
  return part;
}
