// Layers on the clipboard: JSON as plain text, so that they can be pasted in other templates, windows and workspaces, and in
// an editor of texts.
import { isList, isObject, type Json, numberOf } from '../../document/json.js';

/** What tells layers from other JSON. */
const MARK = 'platen/layers';

export const layersText = (layers: readonly Json[]): string => JSON.stringify({ [MARK]: 1, layers }, null, 2);

const TYPES: readonly unknown[] = ['text', 'image', 'shape', 'qrcode', 'barcode', 'group'];

const isLayer = (value: unknown): value is Json => isObject(value) && TYPES.includes(value.type);

/** The layers in a text: as copied, or JSON of a layer or of an array of layers. undefined for any other text. */
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

/** Pixels by which a layer is moved that is pasted where it is already. */
const OFFSET = 10;

/** The layers at places where none of the layers that are `there` is, of the same type. */
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
