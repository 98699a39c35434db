// The assets that a layer names: the only list of the fields that hold the URL of a picture or a font. Render processes use
// it, so it does not import zod.
import { childrenOf, walkLayers } from './nested-layers.js';

export type AssetKind = 'image' | 'font';

/** A field that names an asset. */
export interface AssetReference {
  /** Within the layer: `url`, `maskImage.url`. */
  readonly field: string;
  readonly url: string;
  readonly kind: AssetKind;
}

/** A field of a layer of this type, or of every type; `holder` is the field whose object has it. */
interface AssetField {
  readonly type?: string;
  readonly holder?: string;
  readonly key: string;
  readonly kind: AssetKind;
}

const ASSET_FIELDS: readonly AssetField[] = [
  { type: 'image', key: 'url', kind: 'image' },
  { type: 'text', key: 'customFontUrl', kind: 'font' },
  { type: 'qrcode', holder: 'logo', key: 'url', kind: 'image' },
  { holder: 'maskImage', key: 'url', kind: 'image' },
];

/** A layer, raw or parsed. A raw one need not be valid. */
type AnyLayer = Readonly<Record<string, unknown>>;

/** Every asset that the layer and the layers in it name. */
export function nestedAssetReferences(layer: AnyLayer): AssetReference[] {
  const found = assetReferences(layer);
  for (const { layer: nested, path } of walkLayers(childrenOf(layer))) {
    if (typeof nested !== 'object' || nested === null) continue;
    for (const each of assetReferences(nested as AnyLayer)) found.push({ ...each, field: `${path}.${each.field}` });
  }
  return found;
}

/** Every asset that the layer itself names, in the order of `ASSET_FIELDS`. */
export function assetReferences(layer: AnyLayer): AssetReference[] {
  const found: AssetReference[] = [];
  for (const { type, holder, key, kind } of ASSET_FIELDS) {
    if (type !== undefined && type !== layer.type) continue;
    const url = member(holder === undefined ? layer : layer[holder], key);
    if (typeof url === 'string') found.push({ field: holder === undefined ? key : `${holder}.${key}`, url, kind });
  }
  return found;
}

/** The layer with other URLs: `replace` returns one for each that the layer has. */
export function withAssetUrls<Layer extends AnyLayer>(layer: Layer, replace: (url: string) => string): Layer {
  let replaced: Record<string, unknown> | undefined;
  for (const { type, holder, key } of ASSET_FIELDS) {
    if (type !== undefined && type !== layer.type) continue;
    const owner = holder === undefined ? layer : layer[holder];
    const url = member(owner, key);
    if (typeof url !== 'string') continue;
    replaced ??= { ...layer };
    if (holder === undefined) replaced[key] = replace(url);
    else replaced[holder] = { ...(owner as object), [key]: replace(url) };
  }
  return (replaced as Layer | undefined) ?? layer;
}

function member(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[key] : undefined;
}
