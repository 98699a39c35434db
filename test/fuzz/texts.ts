// Mutates texts: JSON trees, CSV rows, colours, SVG. The results are close enough to valid input to pass the first checks.
import { LARGEST, mutateBytes } from './bytes.js';
import type { Random } from './random.js';
import { COLOR_PIECES, COLORS, NUMBERS, RAW_NUMBERS, STRINGS, SVG_PIECES, SVG_VALUES } from './words.js';

type Tree = unknown;

/** A JSON text with one to four values, keys or levels of its tree changed; now and then no JSON any more. */
export function mutateJson(random: Random, input: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  if (random.oneIn(10))
    return mutateBytes(random, input, others, ['"', '{', '}', '[', ',', ':', '\\u', ...RAW_NUMBERS]);
  let tree: Tree;
  try {
    tree = JSON.parse(Buffer.from(input).toString());
  } catch {
    return mutateBytes(random, input, others, RAW_NUMBERS);
  }
  for (let left = 1 + random.below(random.pick([1, 3])); left > 0; left--) tree = mutateTree(random, tree);
  let text = JSON.stringify(tree) ?? 'null';
  if (random.oneIn(8)) text = text.replace(/-?\d+(\.\d+)?/, () => random.pick(RAW_NUMBERS));
  if (random.oneIn(20)) text = text.replace(/"(\w+)":/, (pair, key) => `"${key}":0,${pair}`);
  return Uint8Array.from(Buffer.from(text)).subarray(0, LARGEST);
}

function mutateTree(random: Random, tree: Tree): Tree {
  // a walk downwards that ends somewhere: whole layers change less often than their fields
  if (Array.isArray(tree) && tree.length > 0 && !random.oneIn(6)) {
    const at = random.below(tree.length);
    if (random.oneIn(12)) return tree.toSpliced(at, 0, tree[random.below(tree.length)]);
    return random.oneIn(12) ? tree.toSpliced(at, 1) : tree.with(at, mutateTree(random, tree[at]));
  }
  if (typeof tree === 'object' && tree !== null && !Array.isArray(tree) && !random.oneIn(12)) {
    const entries = Object.entries(tree);
    // strict checks stand at the top: most changes go where the layers are
    const layers = entries.findIndex(([name]) => name === 'layers' || name === 'hotspots' || name === 'template');
    const at = layers >= 0 && !random.oneIn(5) ? layers : random.below(entries.length);
    const entry = entries[at];
    if (!entry || random.oneIn(20)) return fromEntries([...entries, [randomKey(random), value(random)]]);
    if (random.oneIn(15)) return fromEntries(entries.toSpliced(at, 1));
    if (random.oneIn(20)) return fromEntries(entries.with(at, [randomKey(random), entry[1]]));
    return fromEntries(entries.with(at, [entry[0], mutateTree(random, entry[1])]));
  }
  if (random.oneIn(4)) return value(random);
  if (typeof tree === 'number')
    return random.oneIn(3) ? tree * random.pick([-1, 0.5, 1.001, 10]) : random.pick(NUMBERS);
  if (typeof tree === 'string') return /^(#|rgb|hsl)/.test(tree) ? mutateColor(random, tree) : text(random, tree);
  return typeof tree === 'boolean' ? !tree : value(random);
}

/** Own properties whatever their name, as JSON.parse makes them. */
function fromEntries(entries: readonly (readonly [string, Tree])[]): Tree {
  return Object.fromEntries(entries);
}

function randomKey(random: Random): string {
  return random
    .pick(['__proto__', 'constructor', 'prototype', 'toString', 'length', 'url', 'type', 'text', 'shadow', 'border'])
    .concat(random.oneIn(6) ? random.pick(STRINGS) : '');
}

function value(random: Random): Tree {
  switch (random.below(9)) {
    case 0:
      return null;
    case 1:
      return random.oneIn(2);
    case 2:
      return [];
    case 3:
      return {};
    case 4:
      return random.pick(STRINGS);
    case 5:
      return random.pick(COLORS);
    case 6: {
      let deep: Tree = random.oneIn(2) ? [] : { polluted: true };
      for (let left = random.below(random.pick([5, 70])); left > 0; left--)
        deep = random.oneIn(2) ? [deep] : { a: deep };
      return deep;
    }
    case 7:
      return JSON.parse(`{"__proto__":{"polluted":${random.below(9)}},"constructor":{"prototype":{"polluted":1}}}`);
    default:
      return random.pick(NUMBERS);
  }
}

function text(random: Random, from: string): string {
  if (random.oneIn(2)) return random.pick(STRINGS);
  const at = random.below(from.length + 1);
  const piece = random.oneIn(3) ? from.slice(0, random.below(40)) : random.pick(STRINGS).slice(0, 400);
  return from.slice(0, at) + piece + from.slice(at + random.below(3));
}

export function mutateColor(random: Random, from: string): string {
  let color = random.oneIn(2) ? random.pick(COLORS) : from;
  for (let left = random.below(4); left > 0; left--) {
    const at = random.below(color.length + 1);
    color = color.slice(0, at) + random.pick(COLOR_PIECES) + color.slice(at + random.below(3));
  }
  return color;
}

export function mutateCsv(random: Random, input: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  if (random.oneIn(3))
    return mutateBytes(random, input, others, ['"', '""', ',', '\r\n', '\r', '\ufeff', ';', '\0', '=1+1']);
  const rows = Buffer.from(input)
    .toString()
    .split('\n')
    .map((row) => row.split(','));
  for (let left = 1 + random.below(3); left > 0; left--) {
    const row = random.pick(rows);
    const at = random.below(row.length);
    const words = [...STRINGS, ...NUMBERS.map(String), ...COLORS];
    const word = random.pick(words);
    if (random.oneIn(5)) row.splice(at, random.below(2), word);
    else row[at] = random.oneIn(2) ? word : `"${random.oneIn(4) ? word : word.replaceAll('"', '""')}"`;
    if (random.oneIn(5)) rows.splice(random.below(rows.length), 0, row);
  }
  const text = rows.map((row) => row.join(',')).join(random.oneIn(6) ? '\r\n' : '\n');
  return Uint8Array.from(Buffer.from(text)).subarray(0, LARGEST);
}

/** Tags and texts as tokens: moved, doubled, nested, or with an attribute's value changed. */
export function mutateSvg(random: Random, input: Uint8Array, others: readonly Uint8Array[]): Uint8Array {
  if (random.oneIn(5)) return mutateBytes(random, input, others, SVG_PIECES);
  const tokens = Buffer.from(input)
    .toString()
    .match(/<[^>]*>|[^<]+/g) ?? [''];
  for (let left = 1 + random.below(5); left > 0; left--) {
    const at = random.below(tokens.length);
    switch (random.below(6)) {
      case 0:
        tokens.splice(at, 1);
        break;
      case 1:
        tokens.splice(random.below(tokens.length), 0, tokens[at] ?? '');
        break;
      case 2:
        tokens.splice(1 + at, 0, random.pick(SVG_PIECES));
        break;
      case 3:
        tokens.splice(1 + at, 0, random.pick(SVG_PIECES).repeat(random.below(random.pick([4, 50]))));
        break;
      default:
        tokens[at] = withValue(random, tokens[at] ?? '');
    }
  }
  return Uint8Array.from(Buffer.from(tokens.join(''))).subarray(0, LARGEST);
}

function withValue(random: Random, tag: string): string {
  const values = [...tag.matchAll(/="[^"]*"/g)];
  if (values.length === 0) return tag;
  const { index, 0: old } = random.pick(values);
  return `${tag.slice(0, index)}="${random.pick(SVG_VALUES)}"${tag.slice(index + old.length)}`;
}
