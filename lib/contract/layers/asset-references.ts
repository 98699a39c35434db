// The assets that a layer names: the only list of the fields that hold the URL of a picture or a font, and `asset:ID`, the URL
// of a picture or font of the caller's workspace. Render processes use it, so it does not import zod.
import { joinPath } from '../messages/issues.js';

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
  /** Whether each member of `holder`, an object or a list, has it. */
  readonly isInMembers?: boolean;
  readonly key: string;
  readonly kind: AssetKind;
}

const ASSET_FIELDS: readonly AssetField[] = [
  { type: 'image', key: 'url', kind: 'image' },
  { type: 'text', key: 'customFontUrl', kind: 'font' },
  { type: 'text', holder: 'spans', isInMembers: true, key: 'customFontUrl', kind: 'font' },
  { type: 'text', holder: 'markupStyles', isInMembers: true, key: 'customFontUrl', kind: 'font' },
  { type: 'qrcode', holder: 'logo', key: 'url', kind: 'image' },
  { holder: 'maskImage', key: 'url', kind: 'image' },
];

/** A layer, raw or parsed. A raw one need not be valid. */
type AnyLayer = Readonly<Record<string, unknown>>;

/** Every asset that the layer itself names, in the order of `ASSET_FIELDS`. */
export function assetReferences(layer: AnyLayer): AssetReference[] {
  const found: AssetReference[] = [];
  for (const field of ASSET_FIELDS) {
    const { type, holder } = field;
    if (type !== undefined && type !== layer.type) continue;
    if (holder === undefined) addReference(found, layer, '', field);
    else if (layer[holder] !== undefined) addReferencesIn(found, layer[holder], holder, field);
  }
  return found;
}

function addReferencesIn(found: AssetReference[], owner: unknown, holder: string, field: AssetField): void {
  if (!field.isInMembers) addReference(found, owner, `${holder}.`, field);
  else for (const [name, each] of membersOf(owner)) addReference(found, each, `${joinPath(holder, name)}.`, field);
}

function addReference(found: AssetReference[], owner: unknown, path: string, { key, kind }: AssetField): void {
  const url = member(owner, key);
  if (typeof url === 'string') found.push({ field: path + key, url, kind });
}

/**
 * The layer with other URLs: `replace` returns one for each that the layer has, with its field; undefined to leave it out, with
 * the object that holds it unless that is a member of a list or an object.
 */
export function withAssetUrls<Layer extends AnyLayer>(
  layer: Layer,
  replace: (url: string, field: string) => string | undefined,
): Layer {
  let replaced: Layer = layer;
  for (const { type, holder, isInMembers, key } of ASSET_FIELDS) {
    if (type !== undefined && type !== layer.type) continue;
    const inOwner = <Owner>(owner: Owner, path: string): Owner => {
      const url = member(owner, key);
      return typeof url === 'string' ? { ...owner, [key]: replace(url, path + key) } : owner;
    };
    if (holder === undefined) {
      replaced = inOwner(replaced, '');
      continue;
    }
    const owner = layer[holder];
    const changed = isInMembers
      ? changedMembers(owner, (each, name) => inOwner(each, `${joinPath(holder, name)}.`))
      : inOwner(owner, `${holder}.`);
    if (changed !== owner)
      replaced = { ...replaced, [holder]: !isInMembers && member(changed, key) === undefined ? undefined : changed };
  }
  return replaced;
}

function member(holder: unknown, key: string): unknown {
  return typeof holder === 'object' && holder !== null ? (holder as Record<string, unknown>)[key] : undefined;
}

function membersOf(owner: unknown): Iterable<[string | number, unknown]> {
  if (Array.isArray(owner)) return owner.entries();
  return typeof owner === 'object' && owner !== null ? Object.entries(owner) : [];
}

/** The same object or list when `change` changes nothing in it. */
function changedMembers<Owner>(owner: Owner, change: (each: unknown, name: string | number) => unknown): Owner {
  const changed = Array.from(membersOf(owner), ([name, each]) => [name, change(each, name), each] as const);
  if (changed.every(([, after, before]) => after === before)) return owner;
  const members = changed.map(([name, after]): [string | number, unknown] => [name, after]);
  return (Array.isArray(owner) ? members.map(([, each]) => each) : Object.fromEntries(members)) as Owner;
}

/** The id in an `asset:ID` URL; undefined for anything else. */
export function assetIdOf(url: string): string | undefined {
  return /^asset:(asset_[0-9A-Za-z_-]{1,64})$/.exec(url)?.[1];
}

export function assetUrl(id: string): string {
  return `asset:${id}`;
}
