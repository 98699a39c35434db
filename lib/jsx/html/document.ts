// HTML as browsers parse it: a tree of elements with their attributes and texts, and the style sheets in it.
import { type DefaultTreeAdapterTypes, defaultTreeAdapter, html, parse, type TreeAdapter } from 'parse5';
import { type ElementNode, failure, MAX_DEPTH, MAX_NODES } from '../element.js';
import type { MarkupReport, Place } from '../report.js';

/** An element with what selectors ask about it. */
export interface HtmlElement {
  readonly tag: string;
  readonly props: Readonly<Record<string, string>>;
  readonly parent: HtmlElement | undefined;
  /** Its number among the elements of its parent, from 0. */
  readonly index: number;
  readonly siblings: readonly HtmlElement[];
  readonly classes: ReadonlySet<string>;
  readonly children: (HtmlElement | string)[];
  readonly isSvg: boolean;
}

export interface HtmlSheet {
  readonly text: string;
  readonly place: Place;
}

export interface HtmlDocument {
  readonly root: HtmlElement;
  readonly body: HtmlElement;
  /** In document order, the root first. */
  readonly elements: readonly HtmlElement[];
  readonly sheets: readonly HtmlSheet[];
}

/** Characters of all sheets together; attributes of one element. */
export const MAX_SHEETS = 2 ** 20;
export const MAX_ATTRIBUTES = 1000;

type P5Node = DefaultTreeAdapterTypes.ChildNode;
type P5Element = DefaultTreeAdapterTypes.Element;

/** Elements that run, load or ask for something. */
const FOREIGN = new Set('script iframe object embed applet frame frameset portal'.split(' '));
/** Elements whose content browsers draw themselves. */
const WIDGETS = new Set('video audio canvas input select textarea meter progress map area fencedframe'.split(' '));
/** Elements without a box and without effect. */
const SILENT = new Set(
  'head meta link title base template noscript param source track datalist noembed noframes'.split(' '),
);

/**
 * Parses a document or a part of one.
 * @throws RenderError `render_failed` for markup beyond the bounds.
 */
export function parseDocument(markup: string, report: MarkupReport): HtmlDocument {
  checkAttributes(markup);
  const document = parse(markup, { treeAdapter: boundedAdapter(), sourceCodeLocationInfo: false });
  const reader = new DocumentReader(report);
  const root = document.childNodes.find((node): node is P5Element => node.nodeName === 'html')!;
  const html = reader.readRoot(root);
  const body = html.children.find((child): child is HtmlElement => typeof child !== 'string' && child.tag === 'body');
  return { root: html, body: body ?? html, elements: reader.elements, sheets: reader.sheets };
}

/** The tree adapter of parse5, which stops where tags that are left open would multiply. */
function boundedAdapter(): TreeAdapter<DefaultTreeAdapterTypes.DefaultTreeAdapterMap> {
  let nodes = 0;
  return {
    ...defaultTreeAdapter,
    createElement(...args) {
      if (++nodes > MAX_NODES) throw failure(`the markup has more than ${MAX_NODES} nodes`);
      return defaultTreeAdapter.createElement(...args);
    },
  };
}

/** The parser compares each attribute with all before it, so that their number is bounded first. */
function checkAttributes(markup: string): void {
  const tags = /<[a-z]/gi;
  for (let tag = tags.exec(markup); tag; tag = tags.exec(markup)) {
    const end = endOfTag(markup, tag.index + 2);
    tags.lastIndex = end;
  }
}

/** Finds the end of a tag, by the states of the HTML standard. */
function endOfTag(markup: string, start: number): number {
  let words = 0;
  let isBlank = false;
  for (let i = start; i < markup.length; i++) {
    const character = markup[i];
    if (character === '>') return i + 1;
    if (/[\s/]/.test(character)) isBlank = true;
    else if (character === '=' && !isBlank) {
      while (/\s/.test(markup[i + 1] ?? '')) i++;
      const quote = markup[i + 1];
      if (quote !== '"' && quote !== "'") continue;
      const close = markup.indexOf(quote, i + 2);
      if (close < 0) return markup.length;
      i = close;
      isBlank = true;
    } else if (isBlank) {
      isBlank = false;
      if (++words > MAX_ATTRIBUTES) throw failure(`an element has more than ${MAX_ATTRIBUTES} attributes`);
    }
  }
  return markup.length;
}

class DocumentReader {
  readonly elements: HtmlElement[] = [];
  readonly sheets: HtmlSheet[] = [];
  private nodes = 0;
  private sheetLength = 0;

  constructor(private readonly report: MarkupReport) {}

  readRoot(node: P5Element): HtmlElement {
    return this.readElement(node, undefined, [], undefined, 0);
  }

  private readElement(
    node: P5Element,
    parent: HtmlElement | undefined,
    siblings: HtmlElement[],
    parentPlace: Place | undefined,
    depth: number,
  ): HtmlElement {
    if (depth > MAX_DEPTH) throw failure(`the markup is nested more than ${MAX_DEPTH} levels deep`);
    this.count();
    const tag = node.tagName;
    const props = attributesOf(node);
    const element: HtmlElement = {
      tag,
      props,
      parent,
      index: siblings.length,
      siblings,
      classes: new Set((props.class ?? '').split(/[ \t\r\n\f]+/).filter((name) => name !== '')),
      children: [],
      isSvg: node.namespaceURI === html.NS.SVG,
    };
    siblings.push(element);
    this.elements.push(element);
    const place = placeOf(element, node, parentPlace);
    this.dropHandlers(element, place);
    const inner: HtmlElement[] = [];
    for (const child of node.childNodes) this.readChild(child, element, inner, place, depth);
    return element;
  }

  private readChild(
    child: P5Node,
    parent: HtmlElement,
    siblings: HtmlElement[],
    parentPlace: Place | undefined,
    depth: number,
  ): void {
    if (isText(child)) {
      this.count();
      parent.children.push(child.value);
      return;
    }
    if (!isElement(child)) return;
    const { tagName: tag, namespaceURI } = child;
    const stub = { tag, props: attributesOf(child), index: siblings.length } as HtmlElement;
    const place = placeOf(stub, child, parentPlace);
    if (tag === 'style' && namespaceURI === html.NS.HTML) {
      this.readSheet(child, place);
      // selectors count it
      this.addHidden(child, parent, siblings);
      return;
    }
    if (namespaceURI !== html.NS.HTML && namespaceURI !== html.NS.SVG) {
      this.report.warn(place, `<${tag}> is not supported: its namespace is neither that of HTML nor that of SVG`);
      return;
    }
    if (tag === 'foreignObject' || FOREIGN.has(tag) || (WIDGETS.has(tag) && namespaceURI === html.NS.HTML)) {
      this.report.warn(place, `<${tag}> is not supported`);
      this.addHidden(child, parent, siblings);
      return;
    }
    if (tag === 'link' && /\bstylesheet\b/i.test(attributesOf(child).rel ?? '')) {
      this.report.warn(place, '<link> of a style sheet is not supported, expected a <style>');
    }
    if (SILENT.has(tag) && tag !== 'head' && namespaceURI === html.NS.HTML) {
      this.addHidden(child, parent, siblings);
      return;
    }
    parent.children.push(this.readElement(child, parent, siblings, parentPlace, depth + 1));
  }

  /** An element that draws nothing, but has a number among its siblings. */
  private addHidden(node: P5Element, parent: HtmlElement, siblings: HtmlElement[]): void {
    this.count();
    const props = attributesOf(node);
    siblings.push({
      tag: node.tagName,
      props,
      parent,
      index: siblings.length,
      siblings,
      classes: new Set(),
      children: [],
      isSvg: false,
    });
  }

  private readSheet(node: P5Element, place: Place): void {
    const text = node.childNodes.map((child) => (isText(child) ? child.value : '')).join('');
    this.sheetLength += text.length;
    if (this.sheetLength > MAX_SHEETS) throw failure('the style sheets have more than 1 MiB');
    this.sheets.push({ text, place });
  }

  private dropHandlers({ props }: HtmlElement, place: Place): void {
    for (const name of Object.keys(props)) {
      if (!/^on/i.test(name)) continue;
      delete (props as Record<string, string>)[name];
      this.report.warn(place, `${name}: event handlers are not supported`);
    }
  }

  private count(): void {
    if (++this.nodes > MAX_NODES) throw failure(`the markup has more than ${MAX_NODES} nodes`);
  }
}

function placeOf({ tag, props, index }: HtmlElement, node: P5Element, parent: Place | undefined): Place {
  const count = node.parentNode?.childNodes.filter(isElement).length ?? 1;
  const named: ElementNode = { kind: 'element', tag, props, children: [] };
  return { node: named, index: count > 1 ? index + 1 : 0, parent };
}

function isText(node: P5Node): node is DefaultTreeAdapterTypes.TextNode {
  return node.nodeName === '#text';
}

function isElement(node: P5Node): node is P5Element {
  return 'tagName' in node;
}

/** Attributes by their names; those of SVG have capitals and prefixes. */
function attributesOf({ attrs }: P5Element): Record<string, string> {
  return Object.fromEntries(attrs.map(({ name, value, prefix }) => [prefix ? `${prefix}:${name}` : name, value]));
}
