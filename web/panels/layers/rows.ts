// Lists the rows of the panel Layers: the topmost layer first, and a group's layers below it.
import {
  type EditorDocument,
  type LayerNode,
  LISTS,
  type ListName,
  type Located,
  type NodeId,
  nameOf,
  TYPE_NAMES,
} from '../../document/document.js';
import { ownValue } from '../../document/json.js';

export interface Row extends Located {
  /** Number of groups around the layer. */
  readonly level: number;
  /** Whether the group is collapsed, so that its layers have no rows. */
  readonly isCollapsed: boolean;
}

export interface RowOptions {
  readonly collapsed: ReadonlySet<NodeId>;
  /** Lists only layers whose name contains this text, without their groups. */
  readonly filter?: string;
}

export function rowsOf(document: EditorDocument, { collapsed, filter = '' }: RowOptions): Row[] {
  const wanted = filter.trim().toLowerCase();
  const rows: Row[] = [];
  const add = (nodes: readonly LayerNode[], list: ListName, ancestors: readonly LayerNode[]) => {
    for (let index = nodes.length - 1; index >= 0; index--) {
      const node = nodes[index]!;
      const isCollapsed = wanted === '' && collapsed.has(node.id);
      const located = { node, list, ancestors, index };
      if (wanted === '') rows.push({ ...located, level: ancestors.length, isCollapsed });
      else if (searched(node).includes(wanted)) rows.push({ ...located, level: 0, isCollapsed });
      if (!isCollapsed) add(node.children, list, [...ancestors, node]);
    }
  };
  for (const list of LISTS.toReversed()) add(document[list], list, []);
  return rows;
}

const searched = (node: LayerNode): string => {
  const { type, key, id } = node.raw;
  return [nameOf(node), ownValue(TYPE_NAMES, type), key, id].join(' ').toLowerCase();
};

/** Finds the next row from `from` on whose name begins with `typed`; wraps around at the end. */
export function rowByTyping(rows: readonly Row[], from: number, typed: string): Row | undefined {
  const wanted = typed.toLowerCase();
  // one character leads to the next such row; more continue the search on the same row
  const first = wanted.length > 1 ? from : from + 1;
  const order = rows.map((_, index) => rows[(Math.max(first, 0) + index) % rows.length]!);
  return order.find(({ node }) => nameOf(node).toLowerCase().startsWith(wanted));
}

/** Returns the ids of the rows from one to another, both included. */
export function rangeOf(rows: readonly Row[], anchor: NodeId | undefined, to: NodeId): NodeId[] {
  const at = (id: NodeId | undefined) => rows.findIndex(({ node }) => node.id === id);
  const [start, end] = [at(anchor), at(to)];
  if (start < 0) return [to];
  return rows.slice(Math.min(start, end), Math.max(start, end) + 1).map(({ node }) => node.id);
}
