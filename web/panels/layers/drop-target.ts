// Finds the target of layers that are dragged over the panel's rows: between two rows, or into a group.
import type { Target } from '../../document/commands.js';
import type { NodeId } from '../../document/document.js';
import type { Row } from './rows.js';

/** Height of a row in pixels. */
export const ROW_HEIGHT = 28;
export const INDENT = 16;

export interface Drop {
  readonly target: Target;
  /** The line between rows that shows the target: the row below it, and the level of the layers there. */
  readonly line?: { readonly before: number; readonly level: number };
  /** The row of the group that takes the layers. */
  readonly into?: number;
}

/** Finds the drop target. `x` is in pixels from the start of outermost rows, `y` from the top of the first row. */
export function dropAt(
  rows: readonly Row[],
  dragged: ReadonlySet<NodeId>,
  { x, y }: { readonly x: number; readonly y: number },
): Drop | undefined {
  if (rows.length === 0) return undefined;
  const at = Math.min(Math.max(Math.floor(y / ROW_HEIGHT), 0), rows.length - 1);
  const row = rows[at]!;
  const drop = dropOn(rows, at, y / ROW_HEIGHT - at, x);
  // a group can't go into itself
  const groups = [...row.ancestors, ...(drop.target.parent === row.node.id ? [row.node] : [])];
  return groups.some(({ id }) => dragged.has(id)) ? undefined : drop;
}

/** Finds the target on a row. `part` is the position down the row, from 0 to 1. */
function dropOn(rows: readonly Row[], at: number, part: number, x: number): Drop {
  const row = rows[at]!;
  const { node, level } = row;
  const isGroup = node.raw.type === 'group';
  if (part < (isGroup ? 0.25 : 0.5)) return above(row, at);
  if (isGroup) {
    // above the layers in it
    const inside = { parent: node.id, index: node.children.length };
    const isOpen = !row.isCollapsed && node.children.length > 0;
    if (isOpen && part > 0.75) return { target: inside, line: { before: at + 1, level: level + 1 } };
    if (part <= 0.75) return { target: inside, into: at };
  }
  return below(rows, at, x);
}

/**
 * Returns the target above a row. The panel lists layers in reverse drawing order: above in the panel is behind in the list.
 */
function above({ list, ancestors, index, level }: Row, at: number): Drop {
  return { target: { parent: ancestors.at(-1)?.id, list, index: index + 1 }, line: { before: at, level } };
}

/** Returns the target below a row. Below a group's last layer, `x` decides whether the layers go into the group or below it. */
function below(rows: readonly Row[], at: number, x: number): Drop {
  let row = rows[at]!;
  while (row.level > 0 && row.index === 0 && x < row.level * INDENT) {
    const group = row.ancestors.at(-1);
    row = rows.find(({ node }) => node === group)!;
  }
  const { list, ancestors, index, level } = row;
  return { target: { parent: ancestors.at(-1)?.id, list, index }, line: { before: at + 1, level } };
}
