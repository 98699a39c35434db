// The boxes of trees: as layout finds them, and as a browser does.
import type { FlexNode, LaidOutBox } from '../../../lib/layout/flex/node.js';
import type { Page } from '../../chromium.js';
import { STYLES, toHtml } from './trees.js';

/** The containing block of the page's trees. */
export const ROOM = { width: 320, height: 240 };

/** Corner and size of every box, in document order, from the corner of the tree. */
export type Boxes = readonly (readonly [x: number, y: number, width: number, height: number])[];

const MEASURE = `[...document.querySelectorAll('section')].map((section) => {
  const origin = section.getBoundingClientRect();
  return [...section.querySelectorAll('div, canvas')].map((element) => {
    const { x, y, width, height } = element.getBoundingClientRect();
    return [x - origin.x, y - origin.y, width, height];
  });
})`;

export function boxesOf(box: LaidOutBox, x = 0, y = 0): Boxes {
  const [left, top] = [x + box.x, y + box.y];
  return [[left, top, box.width, box.height], ...box.children.flatMap((child) => boxesOf(child, left, top))];
}

/** The boxes of each tree in a page of the browser. */
export function boxesIn(page: Page, trees: readonly FlexNode[]): Promise<Boxes[]> {
  const section = `position:relative;width:${ROOM.width}px;height:${ROOM.height}px`;
  const bodies = trees.map((tree) => `<section style="${section}">${toHtml(tree)}</section>`);
  const html = JSON.stringify(`<!doctype html><style>${STYLES}</style>${bodies.join('')}`);
  return page.evaluate(`document.open(), document.write(${html}), document.close(), ${MEASURE}`);
}
