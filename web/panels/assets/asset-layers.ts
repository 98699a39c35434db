// Creates layers from assets: the place of a picture on the canvas, and the preview of a picture or font in the library.
import type { AssetAnswer } from '../../../lib/contract/api/assets.js';
import type { Size } from '../../canvas/geometry/viewport.js';
import { rounded } from '../../document/commands.js';
import type { Json } from '../../document/json.js';

export const assetUrl = ({ id }: Pick<AssetAnswer, 'id'>): string => `asset:${id}`;

const PICTURE_NAME = /\.(?:png|jpe?g|webp|avif|gif|svg)$/i;
const FONT_NAME = /\.(?:ttf|otf|ttc|woff2?)$/i;

type NamedFile = Pick<File, 'name' | 'type'>;

/** Whether the file may be an asset, by its type or name. The server checks its content. */
export const isAssetFile = ({ name, type }: NamedFile): boolean =>
  /^(?:image|font)\//.test(type) || PICTURE_NAME.test(name) || FONT_NAME.test(name);

/** File types that file dialogs offer. */
export const PICTURE_TYPES = 'image/png,image/jpeg,image/webp,image/avif,image/gif,image/svg+xml';
export const ASSET_TYPES = `${PICTURE_TYPES},.ttf,.otf,.ttc,.woff,.woff2`;

interface Point {
  readonly x: number;
  readonly y: number;
}

/** Creates an image layer in the picture's natural size, at most that of the canvas, centred on the point. */
export function pictureLayer(asset: AssetAnswer, name: string | undefined, canvas: Size, at?: Point): Json {
  const { width: naturalWidth = 200, height: naturalHeight = 200 } = asset;
  const scale = Math.min(1, canvas.width / naturalWidth, canvas.height / naturalHeight);
  const [width, height] = [naturalWidth, naturalHeight].map((side) => Math.max(1, Math.round(side * scale)));
  const center = at ?? { x: canvas.width / 2, y: canvas.height / 2 };
  const [x, y] = [rounded(Math.round(center.x - width! / 2)), rounded(Math.round(center.y - height! / 2))];
  return { type: 'image', ...(name && { name }), url: assetUrl(asset), x, y, width, height };
}

/** Removes the extension: `Hero picture.png` → `Hero picture`. */
export const nameOfFile = (name: string): string => name.replace(/\.[^.]*$/, '').trim();

/** Returns the payload that draws an asset for the library. */
export function previewOf(asset: AssetAnswer): Json {
  const url = assetUrl(asset);
  const canvas = { width: 120, height: 80 };
  if (asset.kind === 'image') {
    const { width = 120, height = 80 } = asset;
    const scale = Math.min(240 / width, 180 / height, 1);
    const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
    return { canvas: size, layers: [{ type: 'image', url, x: 0, y: 0, ...size }] };
  }
  const text = { type: 'text', text: 'Aa', customFontUrl: url, fontSize: 44, color: '#1b1a18' };
  const box = { x: 4, y: 4, width: 112, height: 72, textAlign: 'center', verticalAlign: 'middle' };
  return { canvas: { ...canvas, backgroundColor: '#ffffff' }, layers: [{ ...text, ...box }] };
}

/** Describes an asset: `Roboto Slab, bold` or `1200 × 630 PNG`. */
export function assetName({ kind, family, weight, style, width, height, mimeType }: AssetAnswer): string {
  if (kind === 'font') {
    const weightName = weight === undefined || weight === 400 ? '' : ` ${weight}`;
    return `${family ?? 'Font'}${weightName}${style === 'italic' ? ' italic' : ''}`;
  }
  const type = mimeType
    .replace(/^image\/(?:x-)?/, '')
    .replace(/\+xml$/, '')
    .toUpperCase();
  return width === undefined ? type : `${width} × ${height} ${type}`;
}

/** Whether the asset's name and facts contain every word of the search. */
export function isFound(asset: AssetAnswer, search: string): boolean {
  const { id, kind, mimeType } = asset;
  const known = `${assetName(asset)} ${id} ${kind === 'image' ? 'picture image' : 'font'} ${mimeType}`.toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => known.includes(word));
}
