// Checks what a payload has for lib/data, without its variables: syntax, declarations, tokens, components and lists.
import { cellLayers, walkLayers } from '../contract/layers/nested-layers.js';
import { closestMatch, didYouMean } from '../contract/messages/closest-match.js';
import { issue, joinPath } from '../contract/messages/issues.js';
import { fieldPath } from '../contract/messages/origins.js';
import { isObject } from '../contract/schema/fields.js';
import type { Detail, Warning } from '../errors.js';
import { declarationIssues } from './declarations.js';
import { readEach } from './each.js';
import { CELL_NAMES, dynamicFields, laterTexts } from './plan.js';
import { SWITCH } from './resolver.js';
import { parseString, type StringPart } from './strings.js';
import { freeNames } from './syntax.js';
import { themeIssues, tokenIssues } from './tokens.js';

type Json = Readonly<Record<string, unknown>>;

/** Fields of a template's record or a payload that lib/data reads. */
export interface DataFields {
  readonly layers?: unknown;
  readonly hotspots?: unknown;
  readonly background?: unknown;
  readonly alt?: unknown;
  readonly components?: unknown;
  readonly variables?: unknown;
  readonly tokens?: unknown;
  readonly themes?: unknown;
}

export interface DataFindings {
  readonly details: readonly Detail[];
  readonly warnings: readonly Warning[];
  /** The variables that expressions read. */
  readonly names: ReadonlySet<string>;
}

/** Names that expressions have besides variables. */
const OWN_NAMES = ['vars', 'tokens', 'locale', 'props'];

/** `isTemplate`: whether expressions are read. `declared`: the names that are known; undefined if any name may be. */
export function checkData(
  fields: DataFields,
  { isTemplate, declared }: { readonly isTemplate: boolean; readonly declared?: ReadonlySet<string> | undefined },
): DataFindings {
  const check = new Check(isTemplate, declared);
  const { details } = check;
  details.push(...checkDefinitions(fields), ...declarationIssues(fields.variables, 'variables'));
  check.strings({ alt: fields.alt }, '', []);
  if (isObject(fields.background)) check.strings({ ...fields.background, type: 'image' }, 'background', []);
  for (const list of ['layers', 'hotspots'] as const) check.layers(fields[list], list, { bound: [], isCopied: false });
  check.components(fields.components);
  return check;
}

/** The faults of tokens, themes and components, without those of the layers in components. */
export function checkDefinitions({ components, themes, tokens }: DataFields): Detail[] {
  const details = [...tokenIssues(tokens, 'tokens'), ...themeIssues(themes, 'themes')];
  for (const [name, component] of Object.entries(isObject(components) ? components : {})) {
    details.push(...componentIssues(component, joinPath('components', name)));
  }
  return details;
}

function componentIssues(component: unknown, path: string): Detail[] {
  if (!isObject(component)) return [issue(path, component, 'an object with layers')];
  const { layers, params } = component;
  const faults = Array.isArray(layers) ? [] : [issue(`${path}.layers`, layers, 'an array of layers')];
  return [...faults, ...declarationIssues(params, `${path}.params`)];
}

interface Place {
  /** Names of `each` around the layer. */
  readonly bound: readonly string[];
  /** Whether it is in a list or a component, where no key can be. */
  readonly isCopied: boolean;
}

class Check implements DataFindings {
  readonly details: Detail[] = [];
  readonly warnings: Warning[] = [];
  readonly names = new Set<string>();

  constructor(
    private readonly isTemplate: boolean,
    private readonly declared: ReadonlySet<string> | undefined,
  ) {}

  components(components: unknown): void {
    for (const [name, component] of Object.entries(isObject(components) ? components : {})) {
      const path = joinPath('components', name);
      if (!isObject(component)) continue;
      // props are not variables: what a component names has no declaration here
      const inside = new Check(this.isTemplate, undefined);
      inside.layers(component.layers, `${path}.layers`, { bound: [], isCopied: true });
      this.details.push(...inside.details);
      this.warnings.push(...inside.warnings);
    }
  }

  layers(list: unknown, path: string, place: Place): void {
    if (!Array.isArray(list)) return;
    list.forEach((layer: unknown, i) => {
      if (isObject(layer)) this.#layer(layer, joinPath(path, i), place);
    });
  }

  #layer(layer: Json, path: string, { bound, isCopied }: Place): void {
    let inner = bound;
    let copies = isCopied;
    if (layer.each !== undefined && layer.each !== null) {
      const { each, details } = readEach(layer.each, `${path}.each`);
      this.details.push(...details);
      if (each) {
        this.#expression(each.list, each.path, bound);
        inner = [...bound, each.as, each.index];
      }
      copies = true;
      this.layers(layer.else, `${path}.else`, { bound, isCopied: true });
    }
    if (copies && layer.key !== undefined && layer.key !== null) {
      const message = 'a layer of a list or a component has no key: expressions fill it';
      this.details.push({ code: 'conflicting_values', path: `${path}.key`, message });
    }
    if (typeof layer.visible === 'string') this.#expression(layer.visible, `${path}.visible`, inner);
    if (layer.when !== undefined && layer.when !== null && typeof layer.when !== 'boolean') {
      this.#expression(layer.when, `${path}.when`, bound);
    }
    this.strings(layer, path, inner);
    for (const { field, text, names, isFormat } of laterTexts(layer)) {
      const at = fieldPath(path, field);
      if (typeof text === 'string' && (isFormat || this.isTemplate))
        this.#later(text, at, [...inner, ...names], isFormat);
    }
    for (const { layer: cell, field, isRow } of cellLayers(layer)) {
      const bound = isRow ? [...inner, ...CELL_NAMES] : inner;
      if (isObject(cell)) this.#layer(cell, fieldPath(path, field), { bound, isCopied: true });
    }
    if (layer.type === 'component') this.#use(layer, path, inner);
    if (layer.type === 'group') this.layers(layer.layers, `${path}.layers`, { bound: inner, isCopied: copies });
  }

  #use({ component, props }: Json, path: string, bound: readonly string[]): void {
    if (typeof component !== 'string') {
      this.details.push(issue(`${path}.component`, component, 'the name of a component'));
    }
    if (props === undefined || props === null) return;
    if (isObject(props)) this.strings({ value: props }, path, bound, (field) => field.replace(/^value/, 'props'));
    else this.details.push(issue(`${path}.props`, props, 'an object of props by name'));
  }

  #expression(source: unknown, path: string, bound: readonly string[]): void {
    if (!this.isTemplate) {
      this.details.push({ code: 'invalid_value', path, message: `expressions need ${SWITCH}` });
      return;
    }
    const parsed = typeof source === 'string' ? parseString(source, { isTemplate: true, isCss: false }) : undefined;
    if (parsed?.fault !== undefined) this.#fault(path, parsed.fault);
    else if (parsed?.alone?.kind !== 'expression') {
      this.details.push(issue(path, source, 'one expression such as {{= items }}'));
    } else this.#parts([parsed.alone], path, bound);
  }

  #later(format: string, path: string, bound: readonly string[], isFormat: boolean): void {
    if (!this.isTemplate) {
      this.#fault(path, `expressions need ${SWITCH}`);
      return;
    }
    const string = parseString(format, { isTemplate: true, isCss: false });
    if (string?.fault !== undefined) this.#fault(path, string.fault);
    else if (string) this.#parts(string.parts, path, bound);
    else if (isFormat) this.details.push(issue(path, format, 'an expression such as {{= number(value) }}'));
  }

  /** The strings of a layer, or of another object with fields. */
  strings(owner: Json, path: string, bound: readonly string[], rename = (field: string) => field): void {
    for (const { field, string } of dynamicFields(owner, this.isTemplate)) {
      const at = fieldPath(path, rename(field));
      if (string.fault === undefined) this.#parts(string.parts, at, bound);
      else this.#fault(at, string.fault);
    }
  }

  #fault(path: string, message: string): void {
    this.details.push({ code: 'invalid_value', path, message });
  }

  #parts(parts: readonly StringPart[], path: string, bound: readonly string[]): void {
    for (const part of parts) {
      if (typeof part === 'string' || !('kind' in part)) continue;
      if (part.kind === 'token') {
        this.#parts(part.fallback ?? [], path, bound);
        continue;
      }
      for (const name of freeNames(part.node)) {
        if (bound.includes(name) || OWN_NAMES.includes(name)) continue;
        this.names.add(name);
        if (!this.declared || this.declared.has(name)) continue;
        const meant = closestMatch(name, this.declared);
        if (meant === undefined) continue;
        const message = `{{=${part.source}}} names the variable ${name}, which is not declared${didYouMean(meant)}`;
        this.warnings.push({ code: 'unknown_placeholder', path, message });
      }
    }
  }
}

/** The layers of a payload with those in `else` and in components; stops counting above `max`. */
export function countWrittenLayers({ layers, hotspots, components }: DataFields, max: number): number {
  let count = 0;
  const visit = (list: unknown): void => {
    if (!Array.isArray(list)) return;
    for (const { layer } of walkLayers<unknown>(list)) {
      if (++count > max) return;
      if (!isObject(layer)) continue;
      if (layer.else !== undefined) visit(layer.else);
      visit(cellLayers(layer).map((cell) => cell.layer));
    }
  };
  visit(layers);
  visit(hotspots);
  if (isObject(components)) for (const each of Object.values(components)) if (isObject(each)) visit(each.layers);
  return count;
}
