// Selectors (Selectors 4): read from css-tree's nodes, and matched from the right to the left.
import type { AnPlusB, AttributeSelector, CssNode, Nth, PseudoClassSelector, Selector } from 'css-tree';
import { failure } from '../element.js';
import type { HtmlElement } from './document.js';

/** Tests of a part of a selector on an element: at least selectors × elements, more where selectors have combinators. */
export const MAX_MATCHES = 10_000_000;

/** Counts the tests of a document. */
export class MatchBudget {
  private tests = 0;

  /** @throws RenderError `render_failed` */
  count(): void {
    if (++this.tests > MAX_MATCHES) throw failure(`the selectors take more than ${MAX_MATCHES} tests of elements`);
  }
}

type Test = (element: HtmlElement, budget: MatchBudget) => boolean;
type Combinator = ' ' | '>' | '+' | '~';

export interface CompiledSelector {
  /** From the rightmost; each with the combinator between it and the one before it in the text. */
  readonly compounds: readonly { readonly tests: readonly Test[]; readonly combinator: Combinator | undefined }[];
  readonly specificity: number;
  /** `before`, `after` or `marker`. */
  readonly pseudo: string | undefined;
}

/** Whether a selector has a part that is not supported; its text is for the message. */
export class UnsupportedSelector extends Error {}

/** Specificities are compared as one number: ids, then classes, then types. */
const ID = 2 ** 20;
const CLASS = 2 ** 10;
const TYPE = 1;

const PSEUDO_ELEMENTS = ['before', 'after', 'marker'];
/** States that no element of a picture is in. */
const STATES = new Set(
  (
    'hover active focus focus-visible focus-within visited target checked disabled indeterminate placeholder-shown ' +
    'autofill fullscreen modal open popover-open invalid user-invalid'
  ).split(' '),
);

/** Reads a selector. @throws UnsupportedSelector */
export function compileSelector(selector: Selector): CompiledSelector {
  const compounds: { tests: Test[]; combinator: Combinator | undefined }[] = [{ tests: [], combinator: undefined }];
  let specificity = 0;
  let pseudo: string | undefined;
  if (selector.children.first?.type === 'Combinator') throw new UnsupportedSelector('a selector without a beginning');
  for (const part of selector.children) {
    if (part.type === 'Combinator') {
      const name = part.name as Combinator;
      if (!' >+~'.includes(name)) throw new UnsupportedSelector(`the combinator ${name}`);
      compounds.unshift({ tests: [], combinator: undefined });
      compounds[1] = { ...compounds[1], combinator: name };
      continue;
    }
    const { tests } = compounds[0];
    const found = simpleSelector(part);
    if ('pseudo' in found) pseudo = found.pseudo;
    else tests.push(found.test);
    specificity += found.specificity;
  }
  // the combinator of a compound is that before the next one: move it to the compound on its right
  const linked = compounds.map(({ tests }, i) => ({ tests, combinator: compounds[i + 1]?.combinator }));
  return { compounds: linked, specificity, pseudo };
}

type Simple = { readonly specificity: number } & ({ readonly test: Test } | { readonly pseudo: string });

function simpleSelector(part: CssNode): Simple {
  switch (part.type) {
    case 'TypeSelector': {
      const name = part.name.replace(/^\*?\|/, '');
      if (name === '*') return { test: () => true, specificity: 0 };
      const lower = name.toLowerCase();
      return { test: ({ tag, isSvg }) => (isSvg ? tag === name : tag === lower), specificity: TYPE };
    }
    case 'ClassSelector':
      return { test: ({ classes }) => classes.has(part.name), specificity: CLASS };
    case 'IdSelector':
      return { test: ({ props }) => props.id === part.name, specificity: ID };
    case 'AttributeSelector':
      return { test: attributeTest(part), specificity: CLASS };
    case 'PseudoClassSelector':
      return pseudoClass(part);
    case 'PseudoElementSelector':
      if (PSEUDO_ELEMENTS.includes(part.name)) return { pseudo: part.name, specificity: TYPE };
      throw new UnsupportedSelector(`::${part.name}`);
    default:
      throw new UnsupportedSelector(part.type === 'NestingSelector' ? '&' : part.type);
  }
}

function attributeTest({ name, matcher, value, flags }: AttributeSelector): Test {
  const key = name.name;
  const fold = flags?.toLowerCase() === 'i' ? (text: string) => text.toLowerCase() : (text: string) => text;
  const wanted = value ? fold(value.type === 'String' ? value.value : value.name) : '';
  const compare = (text: string): boolean => {
    switch (matcher) {
      case '=':
        return text === wanted;
      case '~=':
        return text.split(/\s+/).includes(wanted);
      case '|=':
        return text === wanted || text.startsWith(`${wanted}-`);
      case '^=':
        return wanted !== '' && text.startsWith(wanted);
      case '$=':
        return wanted !== '' && text.endsWith(wanted);
      case '*=':
        return wanted !== '' && text.includes(wanted);
      default:
        return true;
    }
  };
  return ({ props }) => Object.hasOwn(props, key) && compare(fold(props[key]));
}

/** The places of elements among those siblings that have their name. */
const placesByType = new WeakMap<readonly HtmlElement[], Map<HtmlElement, { index: number; count: number }>>();

function placeByType(element: HtmlElement): { readonly index: number; readonly count: number } {
  const { siblings } = element;
  let places = placesByType.get(siblings);
  if (!places) {
    places = new Map();
    const groups = new Map<string, HtmlElement[]>();
    for (const each of siblings) {
      const group = groups.get(each.tag);
      if (group) group.push(each);
      else groups.set(each.tag, [each]);
    }
    for (const group of groups.values()) {
      group.forEach((each, index) => {
        places!.set(each, { index, count: group.length });
      });
    }
    placesByType.set(siblings, places);
  }
  return places.get(element)!;
}

function pseudoClass(part: PseudoClassSelector): Simple {
  const name = part.name.toLowerCase();
  const of = (test: Test): Simple => ({ test, specificity: CLASS });
  switch (name) {
    case 'first-child':
      return of(({ index }) => index === 0);
    case 'last-child':
      return of(({ index, siblings }) => index === siblings.length - 1);
    case 'only-child':
      return of(({ siblings }) => siblings.length === 1);
    case 'first-of-type':
      return of((element) => placeByType(element).index === 0);
    case 'last-of-type':
      return of((element) => {
        const { index, count } = placeByType(element);
        return index === count - 1;
      });
    case 'only-of-type':
      return of((element) => placeByType(element).count === 1);
    case 'root':
      return of(({ parent }) => parent === undefined);
    case 'empty':
      return of(({ children }) => children.length === 0);
    case 'link':
    case 'any-link':
      return of(({ tag, props }) => tag === 'a' && 'href' in props);
    case 'nth-child':
    case 'nth-last-child':
    case 'nth-of-type':
    case 'nth-last-of-type':
      return nthSelector(name, part);
    case 'not':
    case 'is':
    case 'where':
    case 'matches':
    case '-webkit-any':
      return listSelector(name, part);
    default:
      if (STATES.has(name)) return of(() => false);
      // old style sheets have one colon
      if (PSEUDO_ELEMENTS.includes(name)) return { pseudo: name, specificity: TYPE };
      throw new UnsupportedSelector(`:${name}`);
  }
}

function nthSelector(name: string, part: PseudoClassSelector): Simple {
  const nth = part.children?.first as Nth | CssNode | undefined;
  if (nth?.type !== 'Nth') throw new UnsupportedSelector(`:${name}()`);
  const { a, b } = stepOf(nth.nth);
  if (nth.selector) throw new UnsupportedSelector(`:${name}(… of …)`);
  const isLast = name.includes('last');
  const isOfType = name.endsWith('of-type');
  const test: Test = (element) => {
    const { index, count } = isOfType ? placeByType(element) : { index: element.index, count: element.siblings.length };
    const offset = (isLast ? count - index : index + 1) - b;
    return a === 0 ? offset === 0 : offset / a >= 0 && offset % a === 0;
  };
  return { test, specificity: CLASS };
}

function stepOf(nth: AnPlusB | CssNode): { a: number; b: number } {
  if (nth.type === 'Identifier') return { a: 2, b: nth.name.toLowerCase() === 'odd' ? 1 : 0 };
  const { a, b } = nth as AnPlusB;
  const step = a === null ? 0 : a === '' || a === '+' ? 1 : a === '-' ? -1 : Number(a);
  return { a: step, b: Number(b ?? 0) };
}

function listSelector(name: string, part: PseudoClassSelector): Simple {
  const list = part.children?.first;
  if (list?.type !== 'SelectorList') throw new UnsupportedSelector(`:${name}()`);
  const selectors = compileList(list.children);
  if (selectors.some(({ pseudo }) => pseudo !== undefined)) throw new UnsupportedSelector(`:${name}()`);
  const isAny: Test = (element, budget) => selectors.some((selector) => matches(element, selector, budget));
  const test: Test = name === 'not' ? (element, budget) => !isAny(element, budget) : isAny;
  return { test, specificity: name === 'where' ? 0 : mostSpecific(selectors) };
}

function compileList(children: Iterable<CssNode>): CompiledSelector[] {
  return [...children].map((child) => {
    if (child.type !== 'Selector') throw new UnsupportedSelector('a list');
    return compileSelector(child);
  });
}

function mostSpecific(selectors: readonly CompiledSelector[] = []): number {
  return Math.max(0, ...selectors.map(({ specificity }) => specificity));
}

/** Whether an element matches a selector. */
export function matches(element: HtmlElement, selector: CompiledSelector, budget: MatchBudget): boolean {
  return matchFrom(element, selector, 0, budget) === Match.Yes;
}

/**
 * A mismatch says which elements further left are still worth a try, so that the work grows with the depth of the tree and
 * not with its power (as in Servo's selectors).
 */
enum Match {
  Yes,
  TryLaterSibling,
  TryAncestor,
  Never,
}

function matchFrom(element: HtmlElement, selector: CompiledSelector, index: number, budget: MatchBudget): Match {
  budget.count();
  const { tests, combinator } = selector.compounds[index];
  if (!tests.every((test) => test(element, budget))) return Match.TryLaterSibling;
  if (combinator === undefined) return Match.Yes;
  const isSibling = combinator === '+' || combinator === '~';
  const next = ({ siblings, index: at, parent }: HtmlElement) => (isSibling ? siblings[at - 1] : parent);
  for (let other = next(element); other; other = next(other)) {
    const result = matchFrom(other, selector, index + 1, budget);
    if (result === Match.Yes || result === Match.Never || combinator === '+') return result;
    if (combinator === '>') return Match.TryAncestor;
    if (combinator === '~' && result === Match.TryAncestor) return result;
  }
  return isSibling ? Match.TryAncestor : Match.Never;
}
