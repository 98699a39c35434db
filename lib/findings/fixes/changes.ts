// Changes of the document that may remove a finding, in the form of JSON Patch. `settle` tries them on the document itself.
import type { FixOperation } from '../../contract/messages/findings.js';
import type { Item } from '../items.js';

/** One change: all of its operations are made, or none. */
export type Change = readonly FixOperation[];

/** The JSON Pointer of the item's layer; undefined if a variable brings it. */
export function pointerOf({ measured }: Item): string | undefined {
  const { recordPath } = measured;
  if (recordPath === undefined || recordPath === 'background') return undefined;
  const keys = [...recordPath.matchAll(/[^.[\]]+/g)].map(([key]) => key.replaceAll('~', '~0').replaceAll('/', '~1'));
  return keys.map((key) => `/${key}`).join('');
}

/** The change that sets fields of the layer; `spans[0].color` names a field within. No change for a layer of a variable. */
export function setting(item: Item, fields: Readonly<Record<string, unknown>>): Change[] {
  const pointer = pointerOf(item);
  if (pointer === undefined) return [];
  const operations = Object.entries(fields).map(([field, value]): FixOperation => {
    const keys = [...field.matchAll(/[^.[\]]+/g)].map(([key]) => `/${key}`).join('');
    return { op: 'add', path: pointer + keys, value };
  });
  return [operations];
}

export function removing(item: Item): Change[] {
  const pointer = pointerOf(item);
  return pointer === undefined ? [] : [[{ op: 'remove', path: pointer }]];
}

/** The change that takes a field off the layer. */
export function unsetting(item: Item, field: string): Change[] {
  const pointer = pointerOf(item);
  return pointer === undefined ? [] : [[{ op: 'remove', path: `${pointer}/${field}` }]];
}

/** The change that moves the item by canvas pixels. No change where a layout or a transform decides its place. */
export function moving(item: Item, dx: number, dy: number): Change[] {
  const { frame } = item.measured;
  if (item.isPlaced || !item.isUpright || !frame) return [];
  const { a, d } = frame.toCanvas;
  const { x, y } = item.measured.written;
  const at = (length: number) => Math.round(length * 100) / 100;
  return setting(item, {
    ...(dx !== 0 && { x: at(x + dx / a) }),
    ...(dy !== 0 && { y: at(y + dy / d) }),
  });
}
