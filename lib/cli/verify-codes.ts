// `render validate` reads the codes of a payload back from its picture, drawn without the network.
import '../node-host.js';
import { createAssets } from '../assets/loader.js';
import { parseAssetUrl } from '../assets/source.js';
import { assetReferences } from '../contract/asset-references.js';
import type { Layer } from '../contract/layers/index.js';
import { type Box, boundsOf, shadowReach } from '../contract/lint.js';
import { RenderError, type Warning } from '../errors.js';
import { createFontRegistry } from '../fonts/registry.js';
import { isOpaqueFill } from '../raster/fill.js';
import { PAINTED_CODE, renderScene } from '../render.js';
import type { RenderSettings } from '../settings.js';
import { resolve } from '../templates/resolve.js';

/** A warning for each code that scanners can't read. None for a payload that can't be drawn here. */
export async function verifyCodes(
  payload: unknown,
  settings: RenderSettings,
  baseDirectory: string,
): Promise<readonly Warning[]> {
  const isLocal = (url: string) => ['file', 'data'].includes(parseAssetUrl(url, { baseDirectory }).kind);
  try {
    const scene = resolve(payload, { maxLayers: settings.MAX_LAYERS, checkUrl: (url) => void isLocal(url) });
    const isDrawn = scene.layers.map((layer) => assetReferences(layer).every(({ url }) => isLocal(url)));
    const layers = scene.layers.map((layer, i) => {
      if (layer.type !== 'qrcode' && layer.type !== 'barcode') return layer;
      const isKnown = scene.layers.every((other, j) => isDrawn[j] || !affects(other, j > i, layer));
      return { ...layer, verify: isKnown ? ('warn' as const) : ('off' as const) };
    });
    if (!layers.some((layer, i) => isDrawn[i] && 'verify' in layer && layer.verify === 'warn')) return [];
    const drawn = <Item>(items: readonly Item[]) => items.filter((_, i) => isDrawn[i]);
    const assets = createAssets({
      timeoutMs: settings.ASSET_TIMEOUT_MS,
      maxBytes: settings.ASSET_MAX_BYTES,
      maxPixels: settings.ASSET_MAX_PIXELS,
      baseDirectory,
    });
    const { warnings } = await renderScene(
      { ...scene, warnings: [], layers: drawn(layers), origins: drawn(scene.origins) },
      { assets, typefaces: createFontRegistry(), pixels: true },
    );
    return warnings.filter(({ message }) => message.startsWith(PAINTED_CODE));
  } catch (error) {
    if (error instanceof RenderError) return [];
    throw error;
  }
}

type CodeLayer = Extract<Layer, { readonly verify: unknown }>;

/** Whether a layer that can't be drawn here may change how the code looks. */
function affects(layer: Layer, isAbove: boolean, code: CodeLayer): boolean {
  if (!layer.visible || !overlap(boundsOf(layer, shadowReach(layer)), boundsOf(code))) return false;
  return isAbove || code.opacity < 1 || !isOpaqueFill(code.colorLight);
}

function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
