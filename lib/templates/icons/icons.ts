// Makes shapes of icons. It is loaded when a payload has one (icon-room.ts).

import { formatReceived } from '../../contract/json/describe.js';
import { ICON_SIZE } from '../../contract/layers/icon.js';
import type { IconLayer } from '../../contract/layers/index.js';
import { MAX_EXPANDED_LAYERS } from '../../contract/layers/limits.js';
import { childrenOf, MAX_GROUP_DEPTH, readLayout } from '../../contract/layers/nested-layers.js';
import { parseLayer } from '../../contract/layers/parse.js';
import { nearestNames } from '../../contract/messages/closest-match.js';
import { type FieldIssue, mismatchOf } from '../../contract/messages/issues.js';
import { isObject } from '../../contract/schema/fields.js';
import { host } from '../../host.js';
import { type Icon, IconSet, isIconName } from '../../icons/icon-set.js';
import { CURRENT_COLOR, type IconPart, type IconPath } from '../../icons/parts.js';

export { readIconSets } from './icon-sets.js';

type Json = Readonly<Record<string, unknown>>;

export interface IconOptions {
  /** Sets beside the one of the package. */
  readonly icons?: readonly IconSet[] | undefined;
  /** Maximum layers that the icons of a payload become. */
  readonly maxExpandedLayers?: number | undefined;
}

export interface DrawnIcons {
  /** The raw layers with shapes in place of icons. Those that can't be drawn are left. */
  readonly layers: readonly unknown[];
  /** Says why a valid icon is left. */
  readonly issueOf: (layer: IconLayer) => FieldIssue;
}

/** The set of the package, by the first letters of its icons' names. */
const LUCIDE = 'lucide';
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz'];
const letters = new Map<string, IconSet>();

const fileOf = (letter: string) => `${LUCIDE}/${letter}`;

export function takeFile(name: string, text: string): void {
  letters.set(name.slice(LUCIDE.length + 1), IconSet.ofPackage(JSON.parse(text)));
}

/** The icons of a letter; undefined if there are none, or if they are not loaded and can't be read at once. */
function iconsOf(letter: string): IconSet | undefined {
  if (!letters.has(letter) && LETTERS.includes(letter)) {
    const text = host().readIcons?.(fileOf(letter));
    if (text !== undefined) takeFile(fileOf(letter), text);
  }
  return letters.get(letter);
}

/** The files that names in texts of the values need. All of them are needed to find what is near to an unknown name. */
export function missingFiles(values: readonly unknown[]): readonly string[] {
  const needed = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string') for (const letter of lettersIn(value)) needed.add(letter);
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return;
    for (const each of Object.values(value)) visit(each, depth + 1);
  };
  for (const value of values) visit(value, 0);
  return [...needed].filter((letter) => !letters.has(letter)).map(fileOf);
}

/** Values that callers make may hold themselves. */
const MAX_DEPTH = 64;
const NAMES = new RegExp(`\\b${LUCIDE}:([a-z0-9-]*)`, 'g');

function lettersIn(text: string): readonly string[] {
  if (!text.includes(`${LUCIDE}:`)) return [];
  return Array.from(text.matchAll(NAMES), ([, name]) => name).flatMap((name) => {
    const known = letters.get(name.slice(0, 1));
    // an expression makes the name, or it is unknown
    return name === '' || (known && !known.find(name)) ? LETTERS : name[0];
  });
}

function findIcon(name: string, sets: readonly IconSet[]): Icon | undefined {
  const [prefix, icon = '', ...others] = name.split(':');
  if (others.length > 0 || !isIconName(icon)) return undefined;
  const own = sets.find((set) => set.prefix === prefix);
  return own ? own.find(icon) : prefix === LUCIDE ? iconsOf(icon[0])?.find(icon) : undefined;
}

/** Maximum names that an unknown one is compared with: the edit distance is not cheap. */
const MAX_COMPARED = 20_000;

/** The issue of a name; undefined if it is that of an icon. */
export function nameIssue(name: string, sets: readonly IconSet[] = []): FieldIssue | undefined {
  return findIcon(name, sets) ? undefined : unknownIcon(name, sets);
}

function unknownIcon(name: string, sets: readonly IconSet[]): FieldIssue {
  const isLucide = !sets.some(({ prefix }) => prefix === LUCIDE);
  const all = [
    ...sets.map((set) => ({ prefix: set.prefix, names: set.names() })),
    ...(isLucide ? [{ prefix: LUCIDE, names: LETTERS.flatMap((letter) => iconsOf(letter)?.names() ?? []) }] : []),
  ];
  const [prefix, icon] = name.includes(':') ? name.split(':') : ['', name];
  const own = all.filter((set) => set.prefix === prefix);
  const known = (own.length > 0 ? own : all).flatMap((set) => set.names.map((each) => `${set.prefix}:${each}`));
  const nearest = own.length > 0 ? name : `${all[all.length - 1].prefix}:${icon}`;
  const found = nearestNames(nearest, known.slice(0, MAX_COMPARED));
  const expected = `the name of an icon; the nearest are ${found.join(', ')}`;
  const message = `received ${formatReceived(name)}, expected ${expected}`;
  return { code: 'invalid_value', field: 'icon', message, ...mismatchOf(name, found[0]), expected };
}

/** Unknown icons of a payload whose messages name the nearest. */
const MAX_SUGGESTIONS = 5;

/** Makes shapes of the icons among raw layers and the layers in them. */
export function draw(layers: readonly unknown[], options: IconOptions): DrawnIcons {
  const { icons: sets = [], maxExpandedLayers = MAX_EXPANDED_LAYERS } = options;
  let count = 0;
  let unknown = 0;
  const visit = (raw: unknown, depth: number, isLaidOut: boolean | undefined): unknown => {
    if (!isObject(raw)) return raw;
    if (raw.type === 'icon') {
      const { layer } = parseLayer(raw, '', { depth, isLaidOut });
      const icon = layer?.type === 'icon' ? findIcon(layer.icon, sets) : undefined;
      if (!icon) return raw;
      count += countParts(icon.parts);
      return count > maxExpandedLayers ? raw : shapeOf(raw, icon);
    }
    const children = depth > MAX_GROUP_DEPTH ? [] : childrenOf(raw);
    if (children.length === 0) return raw;
    const inside = readLayout(raw);
    const drawn = children.map((child) => visit(child, depth + 1, inside));
    return drawn.some((child, i) => child !== children[i]) ? { ...raw, layers: drawn } : raw;
  };
  const drawn = layers.map((layer) => visit(layer, 0, false));
  return {
    layers: drawn.some((layer, i) => layer !== layers[i]) ? drawn : layers,
    issueOf({ icon }: IconLayer) {
      if (findIcon(icon, sets)) {
        const message = `the icons become more layers than expected: at most ${maxExpandedLayers} (MAX_EXPANDED_LAYERS)`;
        return { code: 'limit_exceeded', field: 'icon', message };
      }
      if (unknown++ < MAX_SUGGESTIONS) return unknownIcon(icon, sets);
      const message = `received ${formatReceived(icon)}, expected the name of an icon`;
      return { code: 'invalid_value', field: 'icon', message, ...mismatchOf(icon) };
    },
  };
}

const countParts = (parts: readonly IconPart[]): number =>
  parts.reduce((sum, part) => sum + ('parts' in part ? 1 + countParts(part.parts) : 1), 1);

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** A side whose size is not said is as long as the other. */
function sidesOf({ width, height }: Json): readonly [number, number] {
  const side = [width, height].find(isNumber) ?? ICON_SIZE;
  return [isNumber(width) ? width : side, isNumber(height) ? height : side];
}

/** The raw shape, or group of shapes, of a valid icon layer. */
function shapeOf({ icon: _, color, strokeWidth, ...raw }: Json, { viewBox, parts }: Icon): Json {
  const [width, height] = sidesOf(raw);
  const scale = Math.min(width / viewBox[2], height / viewBox[3]);
  const box = { width, height };
  const ink = typeof color === 'string' ? color : '#000000';
  const lineWidth = isNumber(strokeWidth) ? (strokeWidth * Math.min(width, height)) / ICON_SIZE : undefined;
  const paintOf = (paint: string) => (paint === CURRENT_COLOR ? ink : paint);

  function pathOf({ d, fill, isEvenOdd, line, opacity }: IconPath, own: Json): Json {
    const alpha = opacity * (isNumber(own.opacity) ? own.opacity : 1);
    return {
      ...own,
      type: 'shape',
      shapeType: 'path',
      d,
      viewBox: [...viewBox],
      ...box,
      ...(fill !== undefined && { fillColor: paintOf(fill) }),
      ...(isEvenOdd && { fillRule: 'evenodd' }),
      ...(line && { border: borderOf(line) }),
      ...(alpha !== 1 && { opacity: rounded(alpha) }),
    };
  }

  function borderOf({
    color: paint,
    width: ownWidth,
    cap,
    join,
    dash,
    dashOffset,
  }: NonNullable<IconPath['line']>): Json {
    return {
      color: paintOf(paint),
      width: rounded(lineWidth ?? ownWidth * scale),
      ...(cap && { cap }),
      ...(join && { join }),
      ...(dash && { dash: dash.map((length) => rounded(length * scale)) }),
      ...(dashOffset !== undefined && { dashOffset: rounded(dashOffset * scale) }),
    };
  }

  const place = { x: 0, y: 0 };
  const inside = (list: readonly IconPart[]): Json[] =>
    list.map((part) =>
      'parts' in part
        ? { type: 'group', ...place, ...box, opacity: part.opacity, layers: inside(part.parts) }
        : pathOf(part, place),
    );
  const [only] = parts;
  if (parts.length === 1 && 'd' in only) return pathOf(only, raw);
  return { ...raw, type: 'group', ...box, layers: inside(parts) };
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
