// The tree of markup: React elements, Preact's or plain `{ type, props }` objects, with function components called and
// fragments opened. What is left are HTML elements and text.
import { RenderError } from '../errors.js';

/** An element as a caller writes it. */
export interface JsxElement {
  readonly type: unknown;
  readonly props: unknown;
}

/** Whatever JSX may have between its tags. */
export type JsxNode =
  | JsxElement
  | string
  | number
  | bigint
  | boolean
  | null
  | undefined
  | Iterable<JsxNode>
  | Promise<unknown>;

export interface ElementNode {
  readonly kind: 'element';
  /** In lower case, except names of SVG such as `linearGradient`. */
  readonly tag: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly children: readonly MarkupNode[];
}

export interface TextNode {
  readonly kind: 'text';
  readonly text: string;
}

export type MarkupNode = ElementNode | TextNode;

/** Bounds of markup, which may come from anyone. */
export const MAX_DEPTH = 256;
export const MAX_NODES = 10_000;

const REACT_FRAGMENT = Symbol.for('react.fragment');
/** Elements that only show their children. */
const TRANSPARENT = new Set<unknown>(
  ['react.fragment', 'react.strict_mode', 'react.profiler', 'react.suspense'].map((name) => Symbol.for(name)),
);
const MEMO = Symbol.for('react.memo');
const FORWARD_REF = Symbol.for('react.forward_ref');

/** The fragment of `platen/jsx-runtime`, which is React's too. */
export const Fragment = REACT_FRAGMENT;

/**
 * Calls the components of a tree, and waits for those that are async.
 * @throws RenderError `render_failed` for a class component, a hook, a foreign value, or a tree that is too large.
 */
export async function expandTree(root: JsxNode): Promise<readonly MarkupNode[]> {
  const budget = { nodes: 0 };
  return withJoinedText(await expand(root, 0, budget));
}

type Settled = Exclude<JsxNode, Promise<unknown>>;

/** What a promise has in the end. */
async function settled(promise: Promise<unknown>): Promise<Settled> {
  return (await promise) as Settled;
}

interface Budget {
  nodes: number;
}

async function expand(node: JsxNode, depth: number, budget: Budget): Promise<MarkupNode[]> {
  if (depth > MAX_DEPTH) throw failure(`the markup is nested more than ${MAX_DEPTH} levels deep`);
  const awaited: Settled = isPromise(node) ? await settled(node) : node;
  if (awaited === null || awaited === undefined || typeof awaited === 'boolean') return [];
  if (++budget.nodes > MAX_NODES) throw failure(`the markup has more than ${MAX_NODES} nodes`);
  if (typeof awaited === 'string' || typeof awaited === 'number' || typeof awaited === 'bigint') {
    return [{ kind: 'text', text: String(awaited) }];
  }
  if (isIterable(awaited)) {
    const parts: MarkupNode[] = [];
    for (const each of awaited) parts.push(...(await expand(each as JsxNode, depth + 1, budget)));
    return parts;
  }
  if (!isElement(awaited))
    throw failure(`received ${describe(awaited)} among the children, expected an element or text`);
  const { type } = awaited;
  const props = (awaited.props ?? {}) as Readonly<Record<string, unknown>>;
  const inside = () => expand(props.children as Settled, depth + 1, budget);
  if (typeof type === 'string') {
    return [{ kind: 'element', tag: tagOf(type), props, children: withJoinedText(await inside()) }];
  }
  if (TRANSPARENT.has(type)) return await inside();
  return await expand((await callComponent(type, props)) as Settled, depth + 1, budget);
}

/** Names of HTML are written in any case; those of SVG have capitals. */
function tagOf(type: string): string {
  return /^[A-Z]+$/.test(type) ? type.toLowerCase() : type;
}

async function callComponent(type: unknown, props: Readonly<Record<string, unknown>>): Promise<JsxNode> {
  const { $$typeof: kind, type: inner, render } = wrapperOf(type);
  if (kind === MEMO) return await callComponent(inner, props);
  const component = kind === FORWARD_REF ? render : type;
  const name = nameOf(component);
  if (typeof component !== 'function') throw failure(`received ${describe(type)} as a component, expected a function`);
  const prototype = component.prototype as
    | { readonly render?: unknown; readonly isReactComponent?: unknown }
    | undefined;
  if (prototype?.isReactComponent !== undefined || typeof prototype?.render === 'function') {
    throw failure(`${name}: class components are not supported, expected a function`);
  }
  try {
    return (await component(props, undefined)) as JsxNode;
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    // what React and Preact say outside of a render of their own
    const hook =
      /reading '(use[A-Z]\w*)'/.exec(message)?.[1] ?? (/hook call|reading '__H'/i.test(message) ? 'a hook' : undefined);
    if (hook === undefined) throw cause;
    throw failure(
      `${name}: hooks are not supported (${hook}), expected a component that depends on its props alone`,
      cause,
    );
  }
}

interface Wrapper {
  readonly $$typeof?: unknown;
  readonly type?: unknown;
  readonly render?: unknown;
}

function wrapperOf(type: unknown): Wrapper {
  return typeof type === 'object' && type !== null ? (type as Wrapper) : {};
}

function nameOf(component: unknown): string {
  const { displayName, name } = (component ?? {}) as { readonly displayName?: string; readonly name?: string };
  return displayName || name || 'a component';
}

/** Neighbouring texts as one: `{count} items` is a single text. */
function withJoinedText(nodes: readonly MarkupNode[]): MarkupNode[] {
  const joined: MarkupNode[] = [];
  for (const node of nodes) {
    const last = joined.at(-1);
    if (node.kind === 'text' && last?.kind === 'text') {
      joined[joined.length - 1] = { kind: 'text', text: last.text + node.text };
    } else joined.push(node);
  }
  return joined;
}

/** Whether a value has the form of an element: `type` and `props`. */
export function isElement(value: unknown): value is JsxElement {
  return typeof value === 'object' && value !== null && 'type' in value && 'props' in value;
}

function isPromise(value: unknown): value is Promise<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value;
}

function describe(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'symbol') return value.toString();
  const keys = typeof value === 'object' && value !== null ? Object.keys(value).slice(0, 3) : [];
  return keys.length > 0 ? `an object with ${keys.join(', ')}` : `a value of type ${typeof value}`;
}

export function failure(message: string, cause?: unknown): RenderError {
  return new RenderError('render_failed', message, cause === undefined ? {} : { cause });
}
