// HTML elements as the elements of lib/jsx, each with the declarations that the cascade gives it.
import type { StyleObject } from '../css/style.js';
import type { ElementNode, MarkupNode } from '../element.js';
import type { MarkupReport, Place } from '../report.js';
import type { Cascade, PseudoElement } from './cascade.js';
import type { HtmlElement } from './document.js';

export interface NodeSources {
  /** Before the attributes that are styles. */
  readonly userAgent: readonly StyleObject[];
  readonly author: readonly StyleObject[];
  readonly marker?: readonly StyleObject[] | undefined;
}

export class StyledTree {
  private readonly sourcesOf = new Map<ElementNode, NodeSources>();
  private quotes = 0;

  constructor(
    private readonly cascade: Cascade,
    private readonly report: MarkupReport,
  ) {}

  /** The declarations of an element that this made. */
  sources(node: ElementNode): NodeSources {
    return this.sourcesOf.get(node) ?? NO_SOURCES;
  }

  element(element: HtmlElement, parent?: Place): ElementNode {
    const { tag, isSvg } = element;
    const { style: _, ...props } = element.props;
    const place = placeOf(element, parent);
    const found = this.cascade.sources(element, place);
    const children: MarkupNode[] = [];
    const before = this.generated(element, 'before', place);
    if (before) children.push(before);
    for (const child of element.children) {
      if (typeof child === 'string') children.push({ kind: 'text', text: child });
      else children.push(this.element(child, place));
    }
    const after = this.generated(element, 'after', place);
    if (after) children.push(after);
    // what is in an svg goes into the picture's own text
    const own = isSvg ? { style: Object.assign({}, ...found.author) as StyleObject } : {};
    const node: ElementNode = { kind: 'element', tag, props: { ...props, ...own }, children };
    const marker = tag === 'li' || tag === 'summary' ? this.cascade.pseudo(element, 'marker') : undefined;
    this.sourcesOf.set(node, { ...found, marker });
    return node;
  }

  /** The box of `::before` or `::after`, where it has content. */
  private generated(element: HtmlElement, pseudo: PseudoElement, place: Place): ElementNode | undefined {
    if (element.isSvg || VOID.has(element.tag)) return undefined;
    const sources = this.cascade.pseudo(element, pseudo);
    if (sources.length === 0) return undefined;
    const contents = sources.flatMap((source) => ('content' in source ? [String(source.content)] : []));
    const content = contents.at(-1);
    if (content === undefined || content === 'none' || content === 'normal') return undefined;
    const text = this.contentText(content, element, place);
    if (text === undefined) return undefined;
    const children: MarkupNode[] = text === '' ? [] : [{ kind: 'text', text }];
    const node: ElementNode = { kind: 'element', tag: `::${pseudo}`, props: {}, children };
    this.sourcesOf.set(node, { userAgent: [], author: sources.filter((source) => !('content' in source)) });
    return node;
  }

  private contentText(content: string, { props }: HtmlElement, place: Place): string | undefined {
    const parts = content.match(/"(?:[^"\\]|\\[\s\S])*"|'(?:[^'\\]|\\[\s\S])*'|[\w-]+\([^)]*\)|[^\s"']+/g) ?? [];
    const texts = parts.map((part) => {
      if (/^["']/.test(part)) return unescaped(part.slice(1, -1));
      const attribute = /^attr\(\s*([\w-]+)\s*\)$/.exec(part)?.[1];
      if (attribute !== undefined) return props[attribute] ?? '';
      if (part === 'open-quote') return QUOTES[Math.min(this.quotes++, 1)][0];
      if (part === 'close-quote') return QUOTES[Math.min(Math.max(--this.quotes, 0), 1)][1];
      return undefined;
    });
    if (texts.every((text) => text !== undefined)) return texts.join('');
    this.report.unsupported(place, 'content', content);
    return undefined;
  }
}

const NO_SOURCES: NodeSources = { userAgent: [], author: [] };
/** Elements that are replaced or have no content. */
const VOID = new Set(['img', 'br', 'wbr', 'hr', 'svg']);
/** English quotation marks, and those within quotations. */
const QUOTES = ['“”', '‘’'];

/** A CSS string without its escapes. */
function unescaped(text: string): string {
  return text.replace(/\\(?:([0-9a-f]{1,6})\s?|\r?\n|([\s\S]))/gi, (_, code?: string, character?: string) => {
    if (code === undefined) return character ?? '';
    const point = Number.parseInt(code, 16);
    return point === 0 || point > 0x10ffff ? '\ufffd' : String.fromCodePoint(point);
  });
}

function placeOf({ tag, props, index, siblings }: HtmlElement, parent: Place | undefined): Place {
  const node: ElementNode = { kind: 'element', tag, props, children: [] };
  return { node, index: siblings.length > 1 ? index + 1 : 0, parent };
}
