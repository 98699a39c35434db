// Reads and writes layers on the clipboard: JSON as plain text, which other templates, windows and workspaces, and text editors
// can take.
import { isList, isObject, type Json, numberOf } from '../../document/json.js';

/** The key that tells layers from other JSON. */
const MARK = 'platen/layers';

export const layersText = (layers: readonly Json[]): string => JSON.stringify({ [MARK]: 1, layers }, null, 2);

const TYPES: readonly unknown[] = ['text', 'image', 'shape', 'qrcode', 'barcode', 'table', 'group'];

const isLayer = (value: unknown): value is Json => isObject(value) && TYPES.includes(value.type);

/** Parses layers: copied ones, or the JSON of a layer or of an array of layers. undefined for any other text. */
export function parseLayers(text: string): readonly Json[] | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const list = isObject(value) && MARK in value ? value.layers : isList(value) ? value : [value];
  return isList(list) && list.length > 0 && list.every(isLayer) ? list : undefined;
}

/** Pixels by which a pasted layer is moved if one is already there. */
const OFFSET = 10;

/** Moves the layers until none of them covers a layer of `there` with the same type and place. */
export function besides(there: readonly Json[], layers: readonly Json[]): readonly Json[] {
  const placeOf = ({ type, x, y }: Json, moved: number) =>
    `${type} ${(numberOf(x) ?? 0) + moved} ${(numberOf(y) ?? 0) + moved}`;
  const taken = new Set(there.map((layer) => placeOf(layer, 0)));
  let moved = 0;
  while (layers.some((layer) => taken.has(placeOf(layer, moved)))) moved += OFFSET;
  if (moved === 0) return layers;
  return layers.map((layer) => {
    return { ...layer, x: (numberOf(layer.x) ?? 0) + moved, y: (numberOf(layer.y) ?? 0) + moved };
  });
}
