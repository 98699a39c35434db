// `platen validate` reads the codes of a payload back from its picture, drawn without the network.
import '../node-host.js';
import { createAssets } from '../assets/loader.js';
import { parseAssetUrl } from '../assets/source.js';
import { assetReferences } from '../contract/layers/asset-references.js';
import type { Layer } from '../contract/layers/index.js';
import { hasLayout, mapLayers, walkLayers } from '../contract/layers/nested-layers.js';
import { effectReach } from '../contract/lint.js';
import { locateLayer } from '../contract/messages/origins.js';
import { CodedError, RenderError, type Warning } from '../errors.js';
import { createFontRegistry } from '../fonts/registry.js';
import { expand, intersect, isEmpty, mapRect, type Rect } from '../geometry/rect.js';
import { canvasSpace, frameOf, type Space } from '../layers/frame.js';
import { groupSpace } from '../layers/group.js';
import { isOpaqueFill } from '../raster/fill.js';
import type { LoadContext } from '../render/context.js';
import { layOut } from '../render/lay-out.js';
import { Report } from '../render/report.js';
import { renderScene } from '../render.js';
import type { RenderSettings } from '../settings.js';
import { resolve } from '../templates/resolve.js';
import type { Scene } from '../templates/scene.js';
import { loadIcons } from './icons.js';

/**
 * A warning for each code that scanners can't read. None for the codes that a layer which can't be drawn here may change:
 * one with a picture or font of the web, or one that fails.
 */
export async function verifyCodes(
  payload: unknown,
  settings: RenderSettings,
  baseDirectory: string,
): Promise<readonly Warning[]> {
  const isLocal = (url: string) => ['file', 'data'].includes(parseAssetUrl(url, { baseDirectory }).kind);
  const assets = createAssets({
    timeoutMs: settings.ASSET_TIMEOUT_MS,
    maxBytes: settings.ASSET_MAX_BYTES,
    maxPixels: settings.ASSET_MAX_PIXELS,
    baseDirectory,
    fetchAsset: () => Promise.reject(new RenderError('asset_failed', 'is not fetched')),
  });
  const context = { assets, typefaces: createFontRegistry() };
  try {
    const resolved = resolve(payload, {
      maxLayers: settings.MAX_LAYERS,
      maxExpandedLayers: settings.MAX_EXPANDED_LAYERS,
      icons: (await loadIcons(settings))?.sets,
      checkUrl: (url) => void isLocal(url),
    });
    const scene = await withBoxes(resolved, context);
    const codeLayers = placeLayers(scene, resolved.layers);
    const unknown = new Set(codeLayers.filter(({ layer }) => assetReferences(layer).some(({ url }) => !isLocal(url))));
    for (;;) {
      try {
        const drawable = withoutLayers(scene, codeLayers, unknown);
        if (!drawable) return [];
        const { warnings } = await renderScene(drawable, { ...context, pixels: true });
        return warnings.filter(({ code }) => code === 'code_unreadable');
      } catch (error) {
        const failed =
          error instanceof CodedError ? layersOf(error, codeLayers).filter((each) => !unknown.has(each)) : [];
        if (failed.length === 0) throw error;
        for (const each of failed) unknown.add(each);
      }
    }
  } catch (error) {
    if (error instanceof CodedError) return [];
    throw error;
  }
}

/** The scene with the boxes that layout gives its layers; layers that can't be loaded are empty in it. */
async function withBoxes(scene: Scene, context: LoadContext): Promise<Scene> {
  const { layers, origins, canvas } = scene;
  const reports = layers.map((layer, i) => new Report(layer, origins[i], 'off'));
  const laidOut = await layOut(layers, canvas, reports, context);
  // hiding one layer must not move the others
  return { ...scene, layers: mapLayers(laidOut.layers, withoutLayout) };
}

function withoutLayout(layer: Layer): Layer {
  const { extents, ...fixed } = layer;
  return fixed.type === 'group' ? { ...fixed, layout: 'none' } : fixed;
}

interface PlacedLayer {
  readonly layer: Layer;
  /** Path in the form that errors use. */
  readonly path: string;
  /** The group that it is in. */
  readonly group: PlacedLayer | undefined;
  /** Space of the layer's own coordinates. */
  readonly space: Space;
  /** Distance by which its effects and those of its groups reach beyond its box, in CSS pixels. */
  readonly reach: number;
  /** Whether layout decides its size or lays out the layers in it. */
  readonly isLaidOut: boolean;
  /** Whether its picture or text may decide the boxes of all that are laid out with it. */
  readonly isMeasured: boolean;
}

/** Lists every layer of the scene, in drawing order. `given` are the layers before layout. */
function placeLayers({ layers, origins, canvas }: Scene, drawnLayers: Scene['layers']): PlacedLayer[] {
  const found: PlacedLayer[] = [];
  const groups: PlacedLayer[] = [];
  const before = Array.from(walkLayers(drawnLayers), ({ layer }) => layer);
  for (const { layer, path, depth } of walkLayers(layers)) {
    const group = depth === 0 ? undefined : groups[depth - 1];
    const original = before[found.length];
    const isSized = original.extents !== undefined;
    const each: PlacedLayer = {
      layer,
      path: locateLayer({ path: '', layers: origins }, path).path,
      group,
      space: group?.layer.type === 'group' ? groupSpace(frameOf(group.layer, group.space)) : canvasSpace(canvas.scale),
      reach: effectReach(layer) + (group?.reach ?? 0),
      isLaidOut: isSized || hasLayout(original),
      isMeasured: isSized && (layer.type === 'image' || layer.type === 'text'),
    };
    groups[depth] = each;
    found.push(each);
  }
  return found;
}

/** The layers that the error is about. */
function layersOf({ details }: CodedError, candidates: readonly PlacedLayer[]): PlacedLayer[] {
  return details.flatMap(({ path }) => {
    // the layers in a group come after it
    const owner = candidates.findLast((each) => path === each.path || path.startsWith(`${each.path}.`));
    return owner ? [owner] : [];
  });
}

/**
 * The scene without the layers of `unknown`, and with every code that they can't change to be read back; undefined when
 * there is none.
 */
function withoutLayers(
  scene: Scene,
  candidates: readonly PlacedLayer[],
  unknown: ReadonlySet<PlacedLayer>,
): Scene | undefined {
  const unsettled = new Set([...unknown].flatMap(unsettledBy));
  const unloaded = new Set([...unknown, ...unsettled]);
  const hidden = new Set(Array.from(unloaded, ({ layer }) => layer));
  const verified = new Set<Layer>();
  candidates.forEach((code, i) => {
    if (!isCode(code.layer) || !isDrawn(code, unloaded)) return;
    const isKnown = candidates.every((other, j) => {
      return !unloaded.has(other) || !affects(other, unsettled.has(other), j > i, code);
    });
    if (isKnown) verified.add(code.layer);
  });
  if (verified.size === 0) return undefined;
  const layers = mapLayers(scene.layers, (layer, original) => {
    if (hidden.has(original)) return { ...layer, visible: false };
    return isCode(layer) ? { ...layer, verify: verified.has(original) ? ('warn' as const) : ('off' as const) } : layer;
  });
  return { ...scene, warnings: [], layers };
}

function isCode(layer: Layer): layer is Extract<Layer, { readonly verify: unknown }> {
  return layer.type === 'qrcode' || layer.type === 'barcode';
}

/** Whether the layer and its groups are visible and known. */
function isDrawn(target: PlacedLayer, unknown: ReadonlySet<PlacedLayer>): boolean {
  return isVisible(target) && withGroups(target).every((each) => !unknown.has(each));
}

/** The outermost layer whose box, and those of the layers in it, depend on a picture or text that can't be loaded. */
function unsettledBy(unloaded: PlacedLayer): PlacedLayer[] {
  if (!unloaded.isMeasured || !isVisible(unloaded)) return [];
  return withGroups(unloaded)
    .filter(({ isLaidOut }) => isLaidOut)
    .slice(-1);
}

function isVisible(target: PlacedLayer): boolean {
  return withGroups(target).every(({ layer }) => layer.visible);
}

/** Whether a layer that can't be drawn here may change the look of the code. `isAnywhere` says that its box is unknown. */
function affects(other: PlacedLayer, isAnywhere: boolean, isAbove: boolean, code: PlacedLayer): boolean {
  if (!isVisible(other)) return false;
  if (!isAnywhere && isEmpty(intersect(boundsOf(other, other.reach), boundsOf(code, 0)))) return false;
  const isSeeThrough = withGroups(code).some(({ layer }) => layer.opacity < 1 || layer.blendMode !== 'normal');
  return isAbove || isSeeThrough || !(isCode(code.layer) && isOpaqueFill(code.layer.colorLight));
}

/** The layer and the groups that it is in. */
function withGroups(target: PlacedLayer): PlacedLayer[] {
  return target.group ? [target, ...withGroups(target.group)] : [target];
}

/** Bounds of the layer's box in canvas pixels, enlarged by `margin` CSS pixels on each side. */
function boundsOf({ layer, space }: PlacedLayer, margin: number): Rect {
  const { box, toCanvas } = frameOf(layer, space);
  return mapRect(expand(box, margin), toCanvas);
}
