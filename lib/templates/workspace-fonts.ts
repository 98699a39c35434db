// Fonts of a workspace in a scene: layers may name the families of uploaded fonts, which then count as custom fonts.
import { assetUrl } from '../contract/asset-url.js';
import type { Layer, TextLayer } from '../contract/layers/index.js';
import { mapLayers, walkLayers } from '../contract/nested-layers.js';
import { isSameFamily, listFamilies } from '../fonts/bundled.js';
import { matchFace } from '../text/font-stack.js';
import type { Scene } from './scene.js';

/** A font among the assets of a workspace. */
export interface FontAsset {
  readonly id: string;
  readonly family?: string | undefined;
  readonly weight?: number | undefined;
  readonly style?: 'normal' | 'italic' | undefined;
}

/** The layers whose family is neither bundled nor one of `others`, by their place among all layers. */
export function layersOfUnknownFamily({ layers }: Scene, others: readonly string[] = []): Map<number, TextLayer> {
  const families = [...others, ...listFamilies()];
  const found = new Map<number, TextLayer>();
  for (const [index, { layer }] of [...walkLayers(layers)].entries()) {
    if (layer.type !== 'text' || layer.customFontUrl !== undefined) continue;
    if (!families.some((family) => isSameFamily(family, layer.fontFamily))) found.set(index, layer);
  }
  return found;
}

/** The URLs of the workspace's fonts that suit these layers best. A layer whose family it lacks is left out. */
export function matchFonts(layers: ReadonlyMap<number, TextLayer>, fonts: readonly FontAsset[]): Map<number, string> {
  const faces = fonts.map(({ id, family = '', weight = 400, style = 'normal' }) => ({ id, family, weight, style }));
  const urls = new Map<number, string>();
  for (const [index, { fontFamily, fontWeight, fontStyle }] of layers) {
    const family = faces.filter((face) => isSameFamily(face.family, fontFamily));
    if (family.length > 0) urls.set(index, assetUrl(matchFace(family, fontWeight, fontStyle).id));
  }
  return urls;
}

/** The scene with those fonts that `isUsable` as the fonts of its layers. A family without its font gets its warning. */
export function withFonts(scene: Scene, fonts: ReadonlyMap<number, string>, isUsable: (url: string) => boolean): Scene {
  if (fonts.size === 0) return scene;
  const places = new Map([...walkLayers(scene.layers)].map(({ layer }, index): [Layer, number] => [layer, index]));
  const layers = mapLayers(scene.layers, (layer) => {
    const url = layer.type === 'text' ? fonts.get(places.get(layer) ?? -1) : undefined;
    return url !== undefined && isUsable(url) ? { ...layer, customFontUrl: url } : layer;
  });
  return { ...scene, layers };
}
