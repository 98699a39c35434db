// What templates/icons/icons.ts does for payloads with icons, once it is loaded: with the first such payload (lib/load-data.ts), or by
// an entry whose functions can't wait. Payloads without icons never load it.
import type { IconLayer } from '../../contract/layers/index.js';
import { type FieldIssue, mismatchOf } from '../../contract/messages/issues.js';
import { isObject } from '../../contract/schema/fields.js';
import { host } from '../../host.js';
import type { IconSet } from '../../icons/icon-set.js';
import type * as room from './icons.js';
import type { DrawnIcons, IconOptions } from './icons.js';

export type { DrawnIcons, IconOptions };

type IconRoom = typeof room;

let loaded: IconRoom | undefined;

/** Gives templates the exports of templates/icons/icons.ts. */
export function setIconRoom(exports: IconRoom): void {
  loaded = exports;
}

/** Values that callers make may hold themselves. */
const MAX_DEPTH = 64;

/** Whether there is an icon in a value: a payload, or variables that may bring layers. */
export function hasIcon(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.some((each) => hasIcon(each, depth + 1));
  if ((value as { readonly type?: unknown }).type === 'icon') return true;
  for (const key in value) if (hasIcon((value as Readonly<Record<string, unknown>>)[key], depth + 1)) return true;
  return false;
}

/** Whether one of the values needs the room and it is not there. */
export const lacksIconRoom = (values: readonly unknown[]): boolean =>
  !loaded && values.some((value) => isObject(value) && hasIcon(value));

/** The files of icons that the values may need next, and that can't be read at once. */
export function missingIconFiles(values: readonly unknown[]): readonly string[] {
  if (host().readIcons || !loaded || !values.some((value) => hasIcon(value))) return [];
  return loaded.missingFiles(values);
}

/** Takes a file of icons. */
export function setIconFile(name: string, bytes: Uint8Array): void {
  loaded?.takeFile(name, new TextDecoder().decode(bytes));
}

/** Makes shapes of the icons among raw layers and the layers in them. */
export function drawIcons(layers: readonly unknown[], options: IconOptions): DrawnIcons {
  return loaded?.draw(layers, options) ?? { layers, issueOf: notLoaded };
}

const notLoaded = ({ icon }: IconLayer): FieldIssue => {
  const message = 'the icons are not loaded';
  return { code: 'invalid_value', field: 'icon', message, ...mismatchOf(icon) };
};

/** The issue of an icon's name; undefined if it is known, or can't be told before icons are loaded. */
export function iconIssue(layer: IconLayer, icons?: readonly IconSet[]): FieldIssue | undefined {
  return loaded?.nameIssue(layer.icon, icons);
}
