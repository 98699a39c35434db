// The boxes of `html` and `body`, which are the canvas: they become layers only if they have a style of their own.
import type { Box, ElementBox } from '../boxes.js';
import { PROPERTIES } from '../css/properties.js';
import type { Style } from '../css/style.js';

interface Canvas {
  readonly width: number;
  readonly height: number;
}

const BACKGROUND = [...PROPERTIES.keys()].filter((name) => name.startsWith('background'));

/** The boxes on the canvas, with the style that they inherit. */
export function pageOf(boxes: readonly Box[], initial: Style, canvas: Canvas): { boxes: readonly Box[]; style: Style } {
  const root = elementOf(boxes, 'html');
  const body = root && elementOf(root.children, 'body');
  if (!root || !body) return { boxes: root?.children ?? boxes, style: root?.style ?? initial };
  const painted = [root, body].find(({ style }) => hasBackground(style));
  if (!painted) {
    return isPlain(body.style, canvas)
      ? { boxes: body.children, style: body.style }
      : { boxes: [body], style: root.style };
  }
  // a background of the body is that of the canvas (CSS Backgrounds 3 section 2.11.2)
  const initials = Object.fromEntries(BACKGROUND.map((name) => [name, PROPERTIES.get(name)!.initial]));
  const inner = painted === body ? { ...body, style: body.style.with(initials) } : body;
  const own = Object.fromEntries(BACKGROUND.map((name) => [name, painted.style.get(name)]));
  // margins of what is in it stay in it
  const bounds = { width: `${canvas.width}px`, height: `${canvas.height}px`, overflowX: 'clip', overflowY: 'clip' };
  const style = initial.with({ ...own, ...bounds });
  const children = isPlain(inner.style, canvas) ? inner.children : [inner];
  return { boxes: [{ ...root, style, display: 'block', children }], style: root.style };
}

function elementOf(boxes: readonly Box[], tag: string): ElementBox | undefined {
  return boxes.find((box): box is ElementBox => box.kind === 'box' && box.node.tag === tag);
}

function hasBackground(style: Style): boolean {
  return (
    style.get('backgroundImage') !== 'none' ||
    !/^(?:transparent|rgba\(0, 0, 0, 0\))$/.test(style.get('backgroundColor'))
  );
}

/** Whether a body that is left out leaves its children where they are. */
function isPlain(style: Style, { width, height }: Canvas): boolean {
  for (const [property, value] of style.declared) {
    const known = PROPERTIES.get(property);
    if (!known || known.isInherited || property === 'boxSizing' || value === known.initial) continue;
    if (property === 'display' && value === 'block') continue;
    const length = style.length(property);
    if (length?.px === 0 && length.percent === 0) continue;
    const isWide = /^(?:min|max)?width$/i.test(property);
    const isHigh = /^(?:min|max)?height$/i.test(property);
    if (!isWide && !isHigh) return false;
    if (length?.percent !== 100 && length?.px !== (isWide ? width : height)) return false;
  }
  return true;
}
