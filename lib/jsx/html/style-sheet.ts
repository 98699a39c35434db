// Style sheets as lists of rules, with the media queries that hold on the canvas resolved.
import type { Atrule, CssNode, Declaration, Rule } from 'css-tree';
import parse from 'css-tree/parser';
import { camelCase } from '../css/declarations.js';
import { failure } from '../element.js';
import type { MarkupReport, Place } from '../report.js';
import { mediaMatches } from './media.js';
import { type CompiledSelector, compileSelector, UnsupportedSelector } from './selectors.js';

export interface StyleDeclaration {
  /** As style objects write it. */
  readonly property: string;
  readonly value: string;
  readonly isImportant: boolean;
}

export interface StyleRule {
  readonly selector: CompiledSelector;
  readonly declarations: readonly StyleDeclaration[];
}

export interface SheetContext {
  readonly canvas: { readonly width: number; readonly height: number };
  readonly report: MarkupReport;
  readonly place: Place;
}

export interface ParsedSheet {
  readonly rules: readonly StyleRule[];
  readonly fontFaces: readonly (readonly StyleDeclaration[])[];
}

/** At-rules without effect on a picture that stands still. */
const WITHOUT_EFFECT = new Set([
  'charset',
  'keyframes',
  '-webkit-keyframes',
  '-moz-keyframes',
  'page',
  'view-transition',
]);
const MAX_TEXT = 60;
/** Brackets in brackets: the parser calls itself for each. */
const MAX_BRACKETS = 64;

/** @throws RenderError `render_failed` */
function checkNesting(text: string): void {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const character = text[i];
    if (character === '\\') i++;
    else if (character === '"' || character === "'") i = endOfString(text, i);
    else if ('({['.includes(character)) depth++;
    else if (')}]'.includes(character)) depth = Math.max(0, depth - 1);
    if (depth > MAX_BRACKETS) throw failure(`a style sheet is nested more than ${MAX_BRACKETS} brackets deep`);
  }
}

/** Finds the end of a string, which is its quote or the end of its line. */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === text[start] || text[i] === '\n') return i;
  }
  return text.length;
}

/** Reads a style sheet. What is malformed or not supported is dropped with a warning. */
export function parseSheet(text: string, context: SheetContext): ParsedSheet {
  const { place, report } = context;
  const rules: StyleRule[] = [];
  const fontFaces: (readonly StyleDeclaration[])[] = [];
  const warn = (message: string) => report.warn(place, message);

  const readRule = (rule: Rule): void => {
    if (rule.prelude.type === 'Raw') {
      warn(`${shortened(rule.prelude.value)} is no selector, and its rule is dropped`);
      return;
    }
    const declarations = readBlock(rule.block.children);
    for (const selector of rule.prelude.children) {
      try {
        if (selector.type !== 'Selector') throw new UnsupportedSelector(selector.type);
        rules.push({ selector: compileSelector(selector), declarations });
      } catch (error) {
        if (!(error instanceof UnsupportedSelector)) throw error;
        warn(`${error.message} of a selector is not supported`);
      }
    }
  };

  const readBlock = (children: Iterable<CssNode>): StyleDeclaration[] => {
    const declarations: StyleDeclaration[] = [];
    for (const child of children) {
      if (child.type === 'Declaration') declarations.push(readDeclaration(child));
      else if (child.type === 'Raw') reportRaw(child.value, warn);
      else if (child.type !== 'Comment') warn('rules in rules are not supported');
    }
    return declarations;
  };

  const readAtRule = (rule: Atrule): void => {
    const name = rule.name.toLowerCase();
    const prelude = rule.prelude?.type === 'Raw' ? rule.prelude.value : '';
    if (WITHOUT_EFFECT.has(name)) return;
    if (name === 'font-face' && rule.block) fontFaces.push(readBlock(rule.block.children));
    else if (name === 'media' && rule.block) {
      const reject = (part: string) => warn(`@media ${shortened(part)} is not supported, and does not hold`);
      if (mediaMatches(prelude, context.canvas, reject)) readAll(rule.block.children);
    } else warn(`@${name} is not supported`);
  };

  const readAll = (children: Iterable<CssNode>): void => {
    for (const child of children) {
      if (child.type === 'Rule') readRule(child);
      else if (child.type === 'Atrule') readAtRule(child);
      else if (child.type === 'Raw') reportRaw(child.value, warn);
    }
  };

  checkNesting(text);
  const sheet = parse(text, { parseValue: false, parseAtrulePrelude: false, parseCustomProperty: false });
  if (sheet.type === 'StyleSheet') readAll(sheet.children);
  return { rules, fontFaces };
}

/** Reads the declarations of a `style` attribute. */
export function parseInlineStyle(text: string, place: Place, report: MarkupReport): StyleDeclaration[] {
  checkNesting(text);
  const list = parse(text, { context: 'declarationList', parseValue: false, parseCustomProperty: false });
  if (list.type !== 'DeclarationList') return [];
  const declarations: StyleDeclaration[] = [];
  for (const child of list.children) {
    if (child.type === 'Declaration') declarations.push(readDeclaration(child));
    else if (child.type === 'Raw') reportRaw(child.value, (message) => report.warn(place, message));
  }
  return declarations;
}

function readDeclaration({ property, value, important }: Declaration): StyleDeclaration {
  const written = value.type === 'Raw' ? value.value : '';
  const text = written.replace(/\/\*[\s\S]*?\*\//g, ' ').trim();
  return { property: camelCase(asName(property)), value: text, isImportant: important !== false };
}

/** Properties in lower case, except custom ones; `-webkit-x` becomes `WebkitX`. */
function asName(property: string): string {
  return property.startsWith('--') ? property : property.toLowerCase();
}

function reportRaw(value: string, warn: (message: string) => void): void {
  if (/^[\s;]*$/.test(value)) return;
  warn(`${shortened(value)} is no declaration, and is dropped`);
}

function shortened(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return JSON.stringify(line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line);
}
