// The cascade (CSS Cascade 5): the declarations of an element from the browser's sheet, the sheets of the document and its
// style attribute, in the order in which later ones win.
import type { StyleObject } from '../css/style.js';
import type { MarkupReport, Place } from '../report.js';
import type { HtmlElement } from './document.js';
import { MatchBudget, matches } from './selectors.js';
import { parseInlineStyle, parseSheet, type StyleDeclaration, type StyleRule } from './style-sheet.js';
import { USER_AGENT_SHEET } from './user-agent.js';

export type PseudoElement = 'before' | 'after' | 'marker';

export class Cascade {
  private readonly budget = new MatchBudget();
  private readonly userAgent: readonly StyleRule[];
  private readonly author: readonly StyleRule[];

  constructor(
    author: readonly StyleRule[],
    private readonly context: { readonly canvas: { width: number; height: number }; readonly report: MarkupReport },
  ) {
    const place: Place = { node: { kind: 'element', tag: 'style', props: {}, children: [] }, index: 0 };
    this.userAgent = bySpecificity(parseSheet(USER_AGENT_SHEET, { ...context, place }).rules);
    this.author = bySpecificity(author);
  }

  /** The style objects of an element, of which later ones win: one for each declaration. */
  sources(element: HtmlElement, place: Place): { readonly userAgent: StyleObject[]; readonly author: StyleObject[] } {
    const own = element.props.style;
    const inline = own === undefined ? [] : parseInlineStyle(own, place, this.context.report);
    return {
      userAgent: this.matching(this.userAgent, element, undefined).map(styleObject),
      author: inOrder([this.matching(this.author, element, undefined), inline]).map(styleObject),
    };
  }

  /** The declarations of one of its pseudo-elements. */
  pseudo(element: HtmlElement, pseudo: PseudoElement): StyleObject[] {
    const userAgent = this.matching(this.userAgent, element, pseudo);
    return [...userAgent, ...inOrder([this.matching(this.author, element, pseudo)])].map(styleObject);
  }

  private matching(
    rules: readonly StyleRule[],
    element: HtmlElement,
    pseudo: PseudoElement | undefined,
  ): StyleDeclaration[] {
    return rules.flatMap(({ selector, declarations }) =>
      selector.pseudo === pseudo && matches(element, selector, this.budget) ? declarations : [],
    );
  }
}

function bySpecificity(rules: readonly StyleRule[]): StyleRule[] {
  return [...rules].sort((one, other) => one.selector.specificity - other.selector.specificity);
}

/** Important declarations come after all others. */
function inOrder(lists: readonly (readonly StyleDeclaration[])[]): StyleDeclaration[] {
  const all = lists.flat();
  return [...all.filter(({ isImportant }) => !isImportant), ...all.filter(({ isImportant }) => isImportant)];
}

function styleObject({ property, value }: StyleDeclaration): StyleObject {
  return { [property]: value };
}
