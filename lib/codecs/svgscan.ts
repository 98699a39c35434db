// An SVG's text → its elements in a flat list: names, attributes, who lies in whom. One pass, no recursion, nothing expanded
// but the five entities and the character references of XML. Enough to count what drawing would cost; resvg reads it again.
import { broken, unsupported } from './broken.js';

export interface SvgElement {
  /** Without its namespace prefix, as the names of attributes are. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
}

export interface SvgTree {
  readonly root: SvgElement;
  /** In document order, the root first. */
  readonly elements: readonly SvgElement[];
  /** The text of all `style` elements. */
  readonly styles: string;
}

/** Elements in the file. Resvg takes about 4 µs and 1 KB for each. */
export const MAX_ELEMENTS = 250_000;
/** How deep they may lie in each other. */
export const MAX_DEPTH = 256;

const ATTRIBUTE = /\s+([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const NAME = /[^\s/>"'<=]+/y;
const CLOSE = /\s*(\/?)>/y;

/** Throws RenderError when the text is no XML, or has more elements or deeper ones than any drawing. */
export function scanSvg(text: string): SvgTree {
  const elements: SvgElement[] = [];
  const open: SvgElement[] = [];
  let styles = '';
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    if (text.startsWith('<!--', at)) at = past(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = past(text, '?>', at + 2);
    else if (text.startsWith('<![CDATA[', at)) {
      const end = past(text, ']]>', at + 9);
      if (open.at(-1)?.name === 'style') styles += `${text.slice(at + 9, end - 3)}\n`;
      at = end;
    } else if (text.startsWith('</', at)) {
      open.pop();
      at = past(text, '>', at);
    } else {
      const { element, end, isEmpty } = readTag(text, at);
      if (open.length > 0) open[open.length - 1].children.push(element);
      else if (elements.length > 0) throw broken('svg', 'it has two root elements');
      elements.push(element);
      if (elements.length > MAX_ELEMENTS) throw unsupported('svg', `it has more than ${MAX_ELEMENTS} elements`);
      at = end;
      if (isEmpty) continue;
      open.push(element);
      if (open.length > MAX_DEPTH)
        throw unsupported('svg', `its elements lie more than ${MAX_DEPTH} deep in each other`);
      if (element.name === 'style') {
        const next = text.indexOf('<', at);
        styles += `${decode(text.slice(at, next === -1 ? text.length : next))}\n`;
      }
    }
  }
  if (elements.length === 0) throw broken('svg', 'it has no elements');
  return { root: elements[0], elements, styles };
}

function past(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw broken('svg', 'it is cut short');
  return found + mark.length;
}

function readTag(text: string, at: number) {
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (!name) throw broken('svg', 'an element has no name');
  const attributes = new Map<string, string>();
  let end = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(text);
    if (!match) break;
    attributes.set(local(match[1]), decode(match[2] ?? match[3]));
    end = ATTRIBUTE.lastIndex;
  }
  CLOSE.lastIndex = end;
  const close = CLOSE.exec(text);
  if (!close) throw broken('svg', 'an element is cut short or malformed');
  return { element: { name: local(name), attributes, children: [] }, end: CLOSE.lastIndex, isEmpty: close[1] !== '' };
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Unknown entities stay as they are: resvg refuses them. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, named) => {
    if (named !== undefined) return NAMED.get(named) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
