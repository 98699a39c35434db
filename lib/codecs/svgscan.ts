// An SVG's text → its elements in a flat list: names, attributes, who lies in whom. One pass, no recursion, nothing expanded
// but the five entities and the character references of XML. Enough to count what drawing would cost; resvg reads it again.
import { broken, unsupported } from './broken.js';

export interface SvgElement {
  /** Without its namespace prefix, as the names of attributes are; those of foreign namespaces are left out. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
  /** UTF-16 units of text in it, between its elements, as the file spells them. */
  characters: number;
}

export interface SvgTree {
  readonly root: SvgElement;
  /** In document order, the root first. */
  readonly elements: readonly SvgElement[];
  /** The text of all `style` elements. */
  readonly styles: string;
  /** How deep elements lie in each other. */
  readonly depth: number;
}

/** Elements in the file. Resvg takes about 4 µs and 1 KB for each. */
export const MAX_ELEMENTS = 250_000;
/** How deep they may lie in each other. */
export const MAX_DEPTH = 256;
/** Attributes of an element, properties of its style, and namespaces that hold there: resvg takes their square. */
const MAX_ATTRIBUTES = 256;

const ATTRIBUTE = /\s+([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const NAME = /[^\s/>"'<=]+/y;
const CLOSE = /\s*(\/?)>/y;

/** Throws RenderError when the text is no XML, or has more elements or deeper ones than any drawing. */
export function scanSvg(text: string): SvgTree {
  const elements: SvgElement[] = [];
  const open: SvgElement[] = [];
  const prefixes = knownPrefixes(text);
  /** Namespaces declared by what is open, each counted with all around it. */
  const namespaces = [0];
  let styles = '';
  let depth = 0;
  let last = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const inside = open.at(-1);
    if (inside) {
      inside.characters += at - last;
      if (inside.name === 'style') styles += decode(text.slice(last, at));
    }
    if (text.startsWith('<!--', at)) at = past(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = past(text, '?>', at + 2);
    else if (text.startsWith('<![CDATA[', at)) {
      const end = past(text, ']]>', at + 9);
      if (inside) inside.characters += end - 3 - (at + 9);
      if (inside?.name === 'style') styles += text.slice(at + 9, end - 3);
      at = end;
    } else if (text.startsWith('</', at)) {
      if (open.pop()?.name === 'style') styles += '\n';
      namespaces.pop();
      at = past(text, '>', at);
    } else {
      const { element, end, isEmpty, declared } = readTag(text, at, prefixes);
      const scope = (namespaces.at(-1) ?? 0) + declared;
      if (scope > MAX_ATTRIBUTES) throw unsupported('svg', `it declares more than ${MAX_ATTRIBUTES} namespaces`);
      if (open.length > 0) open[open.length - 1].children.push(element);
      else if (elements.length > 0) throw broken('svg', 'it has two root elements');
      elements.push(element);
      if (elements.length > MAX_ELEMENTS) throw unsupported('svg', `it has more than ${MAX_ELEMENTS} elements`);
      at = end;
      last = end;
      depth = Math.max(depth, open.length + 1);
      if (isEmpty) continue;
      open.push(element);
      namespaces.push(scope);
      if (open.length > MAX_DEPTH)
        throw unsupported('svg', `its elements lie more than ${MAX_DEPTH} deep in each other`);
      continue;
    }
    last = at;
  }
  if (elements.length === 0) throw broken('svg', 'it has no elements');
  return { root: elements[0], elements, styles, depth };
}

function past(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw broken('svg', 'it is cut short');
  return found + mark.length;
}

/** Namespaces whose attributes resvg takes for SVG's own; those of others it leaves out. */
const KNOWN = new Set([
  'http://www.w3.org/1999/xlink',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/XML/1998/namespace',
]);
/** Attributes of links and of XML that mean something else than SVG's of that name, and draw nothing. */
const HARMLESS = new Set(['title', 'type', 'role', 'show', 'actuate', 'arcrole', 'lang', 'space', 'base']);

/** The prefixes that stand for a known namespace anywhere in the file. */
function knownPrefixes(text: string): ReadonlySet<string> {
  const found = new Set(['xlink', 'xml']);
  for (const [, prefix, one, other] of text.matchAll(/\sxmlns:([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g)) {
    if (KNOWN.has(decode(one ?? other))) found.add(prefix);
  }
  return found;
}

function readTag(text: string, at: number, prefixes: ReadonlySet<string>) {
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (!name) throw broken('svg', 'an element has no name');
  const attributes = new Map<string, string>();
  let declared = 0;
  let count = 0;
  let end = NAME.lastIndex;
  for (;;) {
    ATTRIBUTE.lastIndex = end;
    const match = ATTRIBUTE.exec(text);
    if (!match) break;
    end = ATTRIBUTE.lastIndex;
    if (++count > MAX_ATTRIBUTES) throw unsupported('svg', `an element has more than ${MAX_ATTRIBUTES} attributes`);
    const [prefix, own] = parted(match[1]);
    if (prefix === 'xmlns' || own === 'xmlns') declared++;
    else if (prefix === '' || prefixes.has(prefix)) add(attributes, own, decode(match[2] ?? match[3]), prefix === '');
  }
  CLOSE.lastIndex = end;
  const close = CLOSE.exec(text);
  if (!close) throw broken('svg', 'an element is cut short or malformed');
  const element: SvgElement = { name: parted(name)[1], attributes, children: [], characters: 0 };
  return { element, declared, end: CLOSE.lastIndex, isEmpty: close[1] !== '' };
}

/** Of `href` and `xlink:href`, which of the two is drawn is the renderer's choice: they must say the same. */
function add(attributes: Map<string, string>, name: string, value: string, isPlain: boolean): void {
  const other = attributes.get(name);
  if (other !== undefined && other !== value && !HARMLESS.has(name)) {
    throw unsupported('svg', `an element has two attributes ${JSON.stringify(name.slice(0, 40))} that differ`);
  }
  if (name === 'style' && value.split(';', MAX_ATTRIBUTES + 1).length > MAX_ATTRIBUTES) {
    throw unsupported('svg', `a style has more than ${MAX_ATTRIBUTES} properties`);
  }
  if (isPlain || other === undefined) attributes.set(name, value);
}

function parted(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return [name.slice(0, Math.max(0, colon)), name.slice(colon + 1)];
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
