// The tree of boxes that a tree of elements generates (CSS Display 3): each element with its computed style and its display.
import { HIDDEN_TAGS, INLINE_TAGS, SHEET } from './css/sheet.js';
import { computeStyle, parseStyleText, type Style, type StyleObject } from './css/style.js';
import type { ElementNode, MarkupNode } from './element.js';
import type { MarkupReport, Place } from './report.js';

/** The values that elements start with. */
export type Defaults = 'css' | 'satori' | 'satori-flex';

export type Display =
  | 'block'
  | 'flex'
  | 'grid'
  | 'inline'
  | 'inline-block'
  | 'inline-flex'
  | 'inline-grid'
  | 'list-item'
  | 'inline-table'
  | `table${'' | '-row-group' | '-header-group' | '-footer-group' | '-row' | '-cell' | '-caption' | '-column' | '-column-group'}`;

export interface ElementBox {
  readonly kind: 'box';
  readonly node: ElementNode;
  readonly place: Place;
  readonly style: Style;
  readonly display: Display;
  readonly children: readonly Box[];
  readonly language?: string | undefined;
  /** The number of a list item. */
  readonly ordinal?: number | undefined;
  /** The style of its marker, where that has one of its own. */
  readonly marker?: Style | undefined;
}

/** Text in the style of its element. */
export interface TextRun {
  readonly kind: 'run';
  readonly text: string;
  readonly style: Style;
}

export type Box = ElementBox | TextRun;

export interface BoxOptions {
  readonly canvas: { readonly width: number; readonly height: number };
  readonly defaults: Defaults;
  readonly report: MarkupReport;
  /** Styles of the root, which all inherit. */
  readonly root: StyleObject;
  /** The declarations of HTML's elements. Without a `display` among them, an element is inline. */
  readonly cascade?: ((node: ElementNode) => Cascaded) | undefined;
  /** The style of an element's classes; of their declarations, later ones win. */
  readonly classStyle?: ((node: ElementNode) => StyleObject | undefined) | undefined;
}

/** Style objects before and after those of an element's attributes. */
export interface Cascaded {
  readonly userAgent: readonly StyleObject[];
  readonly author: readonly StyleObject[];
  /** The declarations of `::marker`. */
  readonly marker?: readonly StyleObject[] | undefined;
}

const BODY: ElementNode = { kind: 'element', tag: 'body', props: {}, children: [] };

/** The boxes of the root elements. */
export function buildBoxes(nodes: readonly MarkupNode[], options: BoxOptions): { body: Style; boxes: readonly Box[] } {
  const { canvas, report, root } = options;
  const body = computeStyle([root], { parent: undefined, canvas, place: { node: BODY, index: 0 }, report });
  return { body, boxes: childBoxes(nodes, { style: body, place: undefined, language: undefined }, options) };
}

interface Parent {
  readonly style: Style;
  readonly place: Place | undefined;
  readonly language: string | undefined;
}

function childBoxes(nodes: readonly MarkupNode[], parent: Parent, options: BoxOptions): Box[] {
  const elements = nodes.filter((node) => node.kind === 'element');
  return nodes.flatMap((node): readonly Box[] => {
    if (node.kind === 'text') return [{ kind: 'run', text: node.text, style: parent.style }];
    const index = elements.length > 1 ? elements.indexOf(node) + 1 : 0;
    return elementBoxes(node, { node, index, parent: parent.place }, parent, options);
  });
}

/** The box of an element; those of its children in its place with `display: contents`, none with `none`. */
function elementBoxes(node: ElementNode, place: Place, parent: Parent, options: BoxOptions): readonly Box[] {
  const { report, canvas, defaults } = options;
  const { tag, props, children } = node;
  if (HIDDEN_TAGS.has(tag)) {
    if (tag === 'script' || tag === 'style') report.warn(place, `<${tag}> is not supported`);
    return [];
  }
  reportHandlers(node, place, report);
  const sources = styleSources(node, options);
  const style = computeStyle(sources, { parent: parent.style, canvas, place, report });
  const value = style.get('display');
  if (value === 'none') return [];
  const language = typeof props.lang === 'string' ? props.lang : parent.language;
  if (value === 'contents' && !isReplaced(tag)) return childBoxes(children, { style, place, language }, options);
  const display = options.cascade && value === '' ? 'inline' : displayOf(value, node, defaults);
  const inner = isReplaced(tag) ? [] : childBoxes(children, { style, place, language }, options);
  const numbered = withOrdinals(node, inner);
  const box: ElementBox = { kind: 'box', node, place, style, display, children: numbered, language };
  const marker = display === 'list-item' ? (options.cascade?.(node).marker ?? []) : [];
  if (marker.length === 0) return [box];
  return [{ ...box, marker: computeStyle(marker, { parent: style, canvas, place, report }) }];
}

/** Numbers the items of a list: from `start`, up or down, and on from each `value` (HTML section 4.4.8). */
function withOrdinals({ tag, props }: ElementNode, children: readonly Box[]): readonly Box[] {
  const items = children.filter((box) => box.kind === 'box' && box.display === 'list-item');
  if (items.length === 0) return children;
  const isReversed = tag === 'ol' && props.reversed !== undefined && props.reversed !== false;
  const step = isReversed ? -1 : 1;
  let next = (tag === 'ol' ? wholeNumber(props.start) : undefined) ?? (isReversed ? items.length : 1);
  return children.map((box) => {
    if (box.kind !== 'box' || box.display !== 'list-item') return box;
    const ordinal = wholeNumber(box.node.props.value) ?? next;
    next = ordinal + step;
    return { ...box, ordinal };
  });
}

function wholeNumber(value: unknown): number | undefined {
  const text = String(value ?? '').trim();
  return /^[+-]?\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** What an element declares, the last to win. */
function styleSources(node: ElementNode, { cascade, defaults, classStyle }: BoxOptions): StyleObject[] {
  const { tag, props } = node;
  const sheet = SHEET[tag] ?? {};
  if (cascade) {
    const { userAgent, author } = cascade(node);
    return [sheet, ...userAgent, attributes(node), ...author];
  }
  const base = defaults === 'satori-flex' && !isText(tag) ? FLEX_BASE : {};
  return [base, sheet, attributes(node), classStyle?.(node) ?? {}, styleOf(props.style)];
}

/** Every box of older versions of satori. */
const FLEX_BASE: StyleObject = { display: 'flex', boxSizing: 'border-box', position: 'relative' };

function isText(tag: string): boolean {
  return tag === 'br' || tag === 'wbr';
}

export function isReplaced(tag: string): boolean {
  return tag === 'img' || tag === 'svg';
}

function displayOf(value: string, { tag, children }: ElementNode, defaults: Defaults): Display {
  switch (value) {
    case 'flex':
    case 'grid':
    case 'inline-grid':
    case 'inline':
    case 'inline-block':
    case 'inline-flex':
      return value;
    case '':
      break;
    default:
      return value.includes('table') || value === 'list-item' ? (value as Display) : 'block';
  }
  if (INLINE_TAGS.has(tag)) return 'inline';
  if (defaults !== 'css' || children.length < 2 || children.every(isInline)) return 'block';
  return 'flex';
}

function isInline(node: MarkupNode): boolean {
  return node.kind === 'text' || INLINE_TAGS.has(node.tag);
}

function styleOf(style: unknown): StyleObject {
  if (typeof style === 'string') return parseStyleText(style);
  return typeof style === 'object' && style !== null ? (style as StyleObject) : {};
}

/** Attributes that are styles. */
function attributes({ tag, props }: ElementNode): StyleObject {
  const { dir, hidden, width, height } = props;
  return {
    ...(dir === 'rtl' || dir === 'ltr' ? { direction: dir } : {}),
    ...(hidden === true || hidden === '' ? { display: 'none' } : {}),
    ...(isReplaced(tag) && { width: attributeLength(width), height: attributeLength(height) }),
  };
}

function attributeLength(value: unknown): string | undefined {
  const text = String(value ?? '').trim();
  if (/^\d*\.?\d+$/.test(text)) return `${text}px`;
  return /^\d*\.?\d+(?:%|px|em|rem|vw|vh)$/.test(text) ? text : undefined;
}

function reportHandlers({ props }: ElementNode, place: Place, report: MarkupReport): void {
  for (const name of Object.keys(props)) {
    if (/^on[A-Z]/.test(name)) report.warn(place, `${name}: event handlers are not supported`);
    if (name === 'dangerouslySetInnerHTML') report.warn(place, 'dangerouslySetInnerHTML is not supported');
  }
}
