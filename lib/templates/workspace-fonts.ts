// Fonts of a workspace in a scene: layers may name the families of uploaded fonts, which then count as custom fonts.
import { parseFamilyList } from '../contract/css/font-family.js';
import { assetUrl } from '../contract/layers/asset-references.js';
import type { Layer, SpanFields, TextLayer } from '../contract/layers/index.js';
import { mapLayers, walkLayers } from '../contract/layers/nested-layers.js';
import { isSameFamily, listFamilies } from '../fonts/bundled.js';
import type { FamilyFile } from '../fonts/registry.js';
import { markerStyles } from '../layers/text/spans.js';
import { matchFace } from '../text/font-stack.js';
import type { Marker } from '../text/markup.js';
import type { Scene } from './scene.js';

/** A font among the assets of a workspace. */
export interface FontAsset {
  readonly id: string;
  readonly family?: string | undefined;
  readonly weight?: number | undefined;
  readonly style?: 'normal' | 'italic' | undefined;
}

/** A place of a scene that names a family, alone or in a list: a layer, or a span or a marker's style in it. */
export interface FontPlace extends Pick<TextLayer, 'fontWeight' | 'fontStyle'> {
  readonly family: string;
  /** Whether the place names no other family. */
  readonly isAlone: boolean;
  /** The layer's place among all layers. */
  readonly layer: number;
  /** Part of the layer; undefined for the layer itself. */
  readonly part?: SpanPart | undefined;
}

type SpanPart = { readonly span: number } | { readonly marker: Marker };

/** The places whose family is neither bundled nor one of `others`. */
export function placesOfUnknownFamily({ layers }: Scene, others: readonly string[] = []): FontPlace[] {
  const families = [...others, ...listFamilies()];
  const isUnknown = (place: FontPlace) => !families.some((family) => isSameFamily(family, place.family));
  return [...walkLayers(layers)].flatMap(({ layer }, index) =>
    layer.type === 'text' ? fontPlaces(layer, index).filter(isUnknown) : [],
  );
}

/** Lists the layer and its parts that name a font, without those whose font is a file. */
function fontPlaces(layer: TextLayer, index: number): FontPlace[] {
  const places: FontPlace[] = [];
  const add = (part: SpanPart | undefined, fields: FontFields) => {
    const { fontFamily, customFontUrl, fontWeight = layer.fontWeight, fontStyle = layer.fontStyle } = fields;
    const isFile = customFontUrl !== undefined || (fontFamily === undefined && layer.customFontUrl !== undefined);
    if (isFile) return;
    const list = fontFamily ?? layer.fontFamily;
    const names = parseFamilyList(list);
    const place = { layer: index, part, fontWeight, fontStyle };
    // the name of a font may look like a list
    places.push({ ...place, family: names.length === 1 ? names[0].name : list, isAlone: true });
    if (names.length < 2) return;
    for (const name of new Set(names.map((each) => each.name))) places.push({ ...place, family: name, isAlone: false });
  };
  const hasFont = ({ fontFamily, fontWeight, fontStyle }: FontFields) =>
    fontFamily !== undefined || fontWeight !== undefined || fontStyle !== undefined;
  add(undefined, layer);
  layer.spans?.forEach((fields, span) => {
    if (hasFont(fields)) add({ span }, fields);
  });
  if (layer.markup) {
    for (const [marker, fields] of markerStyles(layer)) if (hasFont(fields)) add({ marker }, fields);
  }
  return places;
}

type FontFields = Pick<SpanFields, 'fontFamily' | 'customFontUrl' | 'fontWeight' | 'fontStyle'>;

/** The URLs of the workspace's fonts that suit these places best. A place whose family it lacks is left out. */
export function matchFonts(places: readonly FontPlace[], fonts: readonly FontAsset[]): Map<FontPlace, string> {
  const faces = fonts.map(({ id, family = '', weight = 400, style = 'normal' }) => ({ id, family, weight, style }));
  const urls = new Map<FontPlace, string>();
  for (const place of places) {
    const family = faces.filter((face) => isSameFamily(face.family, place.family));
    if (family.length > 0) urls.set(place, assetUrl(matchFace(family, place.fontWeight, place.fontStyle).id));
  }
  return urls;
}

/** The scene with those fonts that `isUsable` as the fonts of its texts. A family without its font gets its warning. */
export function withFonts(
  scene: Scene,
  fonts: ReadonlyMap<FontPlace, string>,
  isUsable: (url: string) => boolean,
): Scene {
  const byLayer = new Map<number, [FontPlace, string][]>();
  const byFace = new Map<string, FamilyFile>();
  for (const entry of fonts) {
    const [{ layer, family, isAlone, fontWeight: weight, fontStyle: style }, url] = entry;
    if (!isUsable(url)) continue;
    if (isAlone) byLayer.set(layer, [...(byLayer.get(layer) ?? []), entry]);
    else byFace.set(`${weight} ${style} ${family}`, { family, weight, style, url });
  }
  if (byLayer.size + byFace.size === 0) return scene;
  const familyFiles = [...byFace.values()];
  const indexes = new Map([...walkLayers(scene.layers)].map(({ layer }, index): [Layer, number] => [layer, index]));
  const layers = mapLayers(scene.layers, (layer) => {
    const own = layer.type === 'text' ? byLayer.get(indexes.get(layer) ?? -1) : undefined;
    return own && layer.type === 'text'
      ? own.reduce((changed, [place, url]) => withFont(changed, place, url), layer)
      : layer;
  });
  return { ...scene, layers, ...(familyFiles.length > 0 && { familyFiles }) };
}

function withFont(layer: TextLayer, { part }: FontPlace, customFontUrl: string): TextLayer {
  if (!part) return { ...layer, customFontUrl };
  if ('span' in part) {
    return { ...layer, spans: layer.spans?.map((each, i) => (i === part.span ? { ...each, customFontUrl } : each)) };
  }
  const styles = Object.fromEntries(markerStyles(layer));
  return { ...layer, markupStyles: { ...styles, [part.marker]: { ...styles[part.marker], customFontUrl } } };
}
