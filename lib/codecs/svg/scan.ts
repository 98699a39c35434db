// Scans an SVG's text into a flat list of elements with names, attributes and nesting. One pass, no recursion; expands
// only XML's five entities and character references. Sufficient for counting what is drawn; resvg parses the text
// again.
import type { CheckTime } from '../../stage-budget.js';
import { malformed, unsupported } from '../errors.js';

export interface SvgElement {
  /** Name without its namespace prefix, like the names of attributes; attributes in foreign namespaces are omitted. */
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: SvgElement[];
  /** UTF-16 code units of its direct text, as spelled in the file. */
  characters: number;
  /** The offsets of its start tag in the text. */
  readonly start: number;
  readonly end: number;
}

export interface SvgTree {
  readonly root: SvgElement;
  /** Elements in document order, the root first. */
  readonly elements: readonly SvgElement[];
  /** The text of all `style` elements. */
  readonly styles: string;
  /** Maximum nesting depth. */
  readonly depth: number;
}

/** Maximum elements in the file. Resvg takes about 4 µs and 1 KB for each. */
const MAX_ELEMENTS = 250_000;
/** Maximum nesting depth of elements. */
export const MAX_DEPTH = 256;
/**
 * Maximum attributes per element, properties per style, and namespaces in scope: resvg takes quadratic time in each.
 */
export const MAX_ATTRIBUTES = 256;

const ATTRIBUTE = /\s+([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const NAME = /[^\s/>"'<=]+/y;
const CLOSE = /\s*(\/?)>/y;

/** Throws RenderError if the text is not XML, or exceeds the limits of elements or depth; and what `check` throws. */
export function scanSvg(text: string, check: CheckTime = () => {}, maxDepth = MAX_DEPTH): SvgTree {
  const elements: SvgElement[] = [];
  const open: SvgElement[] = [];
  const prefixes = knownPrefixes(text);
  /** Number of namespaces in scope, for each open element. */
  const namespaces = [0];
  let styles = '';
  let depth = 0;
  let last = 0;
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const parent = open.at(-1);
    if (parent) {
      parent.characters += at - last;
      if (parent.name === 'style') styles += decode(text.slice(last, at));
    }
    if (text.startsWith('<!--', at)) at = skipPast(text, '-->', at + 4);
    else if (text.startsWith('<?', at)) at = skipPast(text, '?>', at + 2);
    else if (text.startsWith('<![CDATA[', at)) {
      const end = skipPast(text, ']]>', at + 9);
      if (parent) parent.characters += end - 3 - (at + 9);
      if (parent?.name === 'style') styles += text.slice(at + 9, end - 3);
      at = end;
    } else if (text.startsWith('</', at)) {
      if (open.pop()?.name === 'style') styles += '\n';
      namespaces.pop();
      at = skipPast(text, '>', at);
    } else {
      const { element, isEmpty, declared } = readTag(text, at, prefixes);
      const { end } = element;
      check(1 + ((end - at) >> 6));
      const scope = (namespaces.at(-1) ?? 0) + declared;
      if (scope > MAX_ATTRIBUTES) throw unsupported('svg', `it declares more than ${MAX_ATTRIBUTES} namespaces`);
      if (open.length > 0) open[open.length - 1].children.push(element);
      else if (elements.length > 0) throw malformed('svg', 'it has two root elements');
      elements.push(element);
      if (elements.length > MAX_ELEMENTS) throw unsupported('svg', `it has more than ${MAX_ELEMENTS} elements`);
      at = end;
      last = end;
      depth = Math.max(depth, open.length + 1);
      if (isEmpty) continue;
      open.push(element);
      namespaces.push(scope);
      if (open.length > maxDepth) throw unsupported('svg', `its elements are nested more than ${maxDepth} levels deep`);
      continue;
    }
    last = at;
  }
  if (elements.length === 0) throw malformed('svg', 'it has no elements');
  return { root: elements[0], elements, styles, depth };
}

function skipPast(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  if (found === -1) throw malformed('svg', 'it is truncated');
  return found + mark.length;
}

/** Namespaces whose attributes resvg treats as SVG's own; it ignores those of other namespaces. */
const KNOWN_NAMESPACES = new Set([
  'http://www.w3.org/1999/xlink',
  'http://www.w3.org/2000/svg',
  'http://www.w3.org/XML/1998/namespace',
]);
/** XLink and XML attributes that share a name with an SVG attribute but don't affect rendering. */
const IGNORED_ATTRIBUTES = new Set(['title', 'type', 'role', 'show', 'actuate', 'arcrole', 'lang', 'space', 'base']);

/** The prefixes bound to a known namespace anywhere in the file. */
function knownPrefixes(text: string): ReadonlySet<string> {
  const found = new Set(['xlink', 'xml']);
  for (const [, prefix, one, other] of text.matchAll(/\sxmlns:([^\s=/>"'<]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g)) {
    if (KNOWN_NAMESPACES.has(decode(one ?? other))) found.add(prefix);
  }
  return found;
}

function readTag(text: string, at: number, prefixes: ReadonlySet<string>) {
  NAME.lastIndex = at + 1;
  const name = NAME.exec(text)?.[0];
  if (!name) throw malformed('svg', 'an element has no name');
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
    const [prefix, own] = splitName(match[1]);
    if (prefix === 'xmlns' || own === 'xmlns') declared++;
    else if (prefix === '' || prefixes.has(prefix))
      addAttribute(attributes, own, decode(match[2] ?? match[3]), prefix === '');
  }
  CLOSE.lastIndex = end;
  const close = CLOSE.exec(text);
  if (!close) throw malformed('svg', 'an element is truncated or malformed');
  end = CLOSE.lastIndex;
  const element: SvgElement = { name: splitName(name)[1], attributes, children: [], characters: 0, start: at, end };
  return { element, declared, isEmpty: close[1] !== '' };
}

/** Adds an attribute. The renderer decides which of `href` and `xlink:href` it uses, so they must be equal. */
function addAttribute(attributes: Map<string, string>, name: string, value: string, isPlain: boolean): void {
  const other = attributes.get(name);
  if (other !== undefined && other !== value && !IGNORED_ATTRIBUTES.has(name)) {
    throw unsupported('svg', `an element has two attributes ${JSON.stringify(name.slice(0, 40))} that differ`);
  }
  if (name === 'style' && value.split(';', MAX_ATTRIBUTES + 1).length > MAX_ATTRIBUTES) {
    throw unsupported('svg', `a style has more than ${MAX_ATTRIBUTES} properties`);
  }
  if (isPlain || other === undefined) attributes.set(name, value);
}

function splitName(name: string): readonly [prefix: string, local: string] {
  const colon = name.indexOf(':');
  return [name.slice(0, Math.max(0, colon)), name.slice(colon + 1)];
}

const NAMED_ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Leaves unknown entities unchanged: resvg rejects them. */
function decode(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w+));/gi, (whole, decimal, hexadecimal, named) => {
    if (named !== undefined) return NAMED_ENTITIES.get(named) ?? whole;
    const code = decimal === undefined ? Number.parseInt(hexadecimal, 16) : Number(decimal);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
