// Resolves the paths of details, warnings and inspected layers in a document.
import { parsePath } from '../json/paths.js';
import { type EditorDocument, type LayerNode, LISTS, type ListName, type Located, locate, walk } from './document.js';
import type { Path } from './json.js';

export interface DocumentPlace {
  readonly node: LayerNode | undefined;
  /** The path within the layer, or within the record if there is no layer. */
  readonly field: Path;
}

/**
 * Resolves a path. `layers[2].layers[0].url`, `hotspots[1].text`, `hotspots.title.text` and `sizes.story.layers.title.y` lead
 * to layers, and so does `layers[2].each[5].text`, a copy of a layer that data repeat.
 */
export function placeOf(document: EditorDocument, path: string): DocumentPlace {
  const keys = parsePath(path);
  const [first, second, third, fourth] = keys;
  if (first === 'sizes' && third === 'layers' && fourth !== undefined) {
    return { node: nodeNamed(document, String(fourth)), field: keys.slice(4) };
  }
  if (!LISTS.includes(first as ListName)) return { node: undefined, field: keys };
  let node: LayerNode | undefined;
  let at = 2;
  if (typeof second === 'number') node = document[first as ListName][second];
  else node = nodeNamed(document, String(second));
  while (node && typeof keys[at + 1] === 'number') {
    const child: LayerNode | undefined =
      keys[at] === 'each' ? node : keys[at] === 'layers' ? node.children[keys[at + 1] as number] : undefined;
    if (!child) break;
    node = child;
    at += 2;
  }
  return node ? { node, field: keys.slice(at) } : { node: undefined, field: keys };
}

/** Finds the layer with that key, else with that id. */
function nodeNamed(document: EditorDocument, name: string): LayerNode | undefined {
  let named: LayerNode | undefined;
  for (const { node } of walk(document)) {
    if (node.raw.key === name) return node;
    if (node.raw.id === name) named ??= node;
  }
  return named;
}

/** The path of a layer in the record: `['layers', 2, 'layers', 0]`. */
export function pathOf(document: EditorDocument, { ancestors, list, index }: Located): Path {
  const path: (string | number)[] = [list];
  for (const { id } of ancestors) path.push(locate(document, id)!.index, 'layers');
  return [...path, index];
}

/** Writes a path as messages do: `['layers', 2, 'url']` → `layers[2].url`. */
export function writtenPath(path: Path): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`;
    if (!/^[A-Za-z_$][\w$]*$/.test(key)) return `${written}[${JSON.stringify(key)}]`;
    return written === '' ? key : `${written}.${key}`;
  }, '');
}

/** Finds the path in the record that a warning is about: `hotspots.title.x` → `['layers', 1, 'layers', 0, 'x']`. */
export function recordPathOf(document: EditorDocument, path: string): Path {
  const keys = parsePath(path);
  // a path to a size's override is already one in the record
  if (keys[0] === 'sizes') return keys;
  const { node, field } = placeOf(document, path);
  return node ? [...pathOf(document, locate(document, node.id)!), ...field] : field;
}
