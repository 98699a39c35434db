// Makes plain layers of layers with lists, conditions, components, tokens and expressions. What comes out has no trace of them.

import { nearestNames } from '../contract/messages/closest-match.js';
import { joinPath } from '../contract/messages/issues.js';
import type { LayerOrigin } from '../contract/messages/origins.js';
import { isObject } from '../contract/schema/fields.js';
import { CONTROL_FIELDS } from '../contract/template/data-fields.js';
import type { Detail, Warning } from '../errors.js';
import type { Background } from '../raster/fill.js';
import { VariableReader } from './declarations.js';
import { type Each, readEach } from './each.js';
import { GroupExpansion, type GroupOptions } from './groups/index.js';
import type { Names, RootNames } from './names.js';
import {
  ExpansionStop,
  FAILED,
  type OriginalLayer,
  type ResolutionOptions,
  Resolver,
  type Surroundings,
} from './resolver.js';
import { styled } from './styles.js';
import { asValue, describe, isList, recordOf, type Value, type ValueObject } from './value.js';

/** Maximum components inside each other. */
const MAX_COMPONENT_DEPTH = 16;

type Json = Readonly<Record<string, unknown>>;

export interface ExpansionOptions extends ResolutionOptions, Omit<GroupOptions, 'expandCell'> {
  /** Components by name, as the payload has them. */
  readonly components: unknown;
  readonly variables: ValueObject;
  /** Maximum layers that come out of the payload. */
  readonly maxLayers: number;
}

export class Expansion {
  readonly #resolver: Resolver;
  readonly #groups: GroupExpansion;
  readonly #root: Surroundings;
  /** The components that the layer is in. */
  readonly #components: string[] = [];
  #count = 0;
  /** The list or table that layers are made of; too many are its fault. */
  #countPath = '';

  constructor(private readonly options: ExpansionOptions) {
    this.#resolver = new Resolver(options);
    const expandCell: GroupOptions['expandCell'] = (original, around, path) => {
      this.#countPath = path;
      const layers = this.#expand(original, around);
      this.#countPath = '';
      return layers;
    };
    const countLayer = (path: string) => this.#countLayer(path);
    this.#groups = new GroupExpansion({ ...options, expandCell }, this.#resolver, countLayer);
    this.#root = { names: this.#namesOf(options.variables), suffix: '' };
  }

  get faults(): readonly Detail[] {
    return this.#resolver.faults;
  }

  get warnings(): readonly Warning[] {
    return this.#resolver.warnings;
  }

  /** The layers that are drawn. Not all of them if there are faults. `behind`: the fill of the canvas. */
  expand(layers: readonly OriginalLayer[], behind?: Background): OriginalLayer[] {
    const expanded = this.#stoppable(() => layers.flatMap((each) => this.#expand(each, this.#root))) ?? [];
    if (this.#resolver.faults.length > 0) return expanded;
    return this.#stoppable(() => this.#groups.expandAll(expanded, behind)) ?? [];
  }

  /** The fields of an object that is no layer, such as the background; `path` is its own. */
  expandFields(fields: Json, path: string): Json {
    return this.#stoppable(() => this.#resolver.fields(fields, path, this.#root)?.fields) ?? {};
  }

  #stoppable<Result>(run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      if (error instanceof ExpansionStop) return undefined;
      throw error;
    }
  }

  #namesOf(variables: ValueObject, props?: ValueObject): RootNames {
    const { tokens, locale, formatter } = this.options;
    const get = (name: string): Value | undefined =>
      name === 'tokens' ? tokens.all() : name === 'locale' ? locale : name === 'props' ? props : undefined;
    return { variables, names: { get }, formatter };
  }

  #expand({ layer, origin }: OriginalLayer, around: Surroundings): OriginalLayer[] {
    if (!isObject(layer)) return [{ layer, origin }];
    if (layer.each === undefined || layer.each === null) return this.#single(layer, origin, around);
    const { each, details } = readEach(layer.each, `${origin.path}.each`);
    for (const { path, message, code } of details) this.#resolver.fault(path, message, code);
    return each ? this.#copies(layer, origin, each, around) : [];
  }

  #copies(layer: Json, origin: LayerOrigin, each: Each, around: Surroundings): OriginalLayer[] {
    const { path, recordPath = path } = origin;
    const list = this.#resolver.expression(each.list, each.path, around);
    if (list === FAILED) return [];
    if (list !== null && !isList(list)) {
      this.#resolver.expressionFault(each.list, each.path, `received ${describe(list)}, expected a list`);
      return [];
    }
    const entries = list ?? [];
    if (entries.length === 0) {
      const others: readonly unknown[] = Array.isArray(layer.else) ? layer.else : [];
      return others.flatMap((other, i) =>
        this.#expand({ layer: other, origin: { path: `${path}.else[${i}]` } }, around),
      );
    }
    if (entries.length > each.max) {
      const message = `the list has ${entries.length} entries, and max is ${each.max}: the others are left out`;
      this.#resolver.warn({ code: 'list_cut', path: each.path, message });
    }
    const outerPath = this.#countPath;
    const copies = entries.slice(0, each.max).flatMap((entry, i) => {
      this.#countPath = `${path}.each`;
      const item: Names = { name: each.as, value: asValue(entry), outer: around.names };
      const names: Names = { name: each.index, value: i, outer: item };
      const inside = { ...around, names, suffix: `${around.suffix}[${i}]` };
      return this.#single(layer, { path: `${path}.each[${i}]`, recordPath }, inside);
    });
    this.#countPath = outerPath;
    return copies;
  }

  /** The layer, which is no list any more; empty if it is hidden. */
  #single(raw: Json, origin: LayerOrigin, around: Surroundings): OriginalLayer[] {
    const { path, variable } = origin;
    const isHidden = raw.visible === false;
    const isDecided = typeof raw.visible === 'string';
    if (isHidden || (isDecided && !this.#resolver.condition(raw.visible, `${path}.visible`, around))) return [];
    this.#countLayer(path);
    const isComponent = raw.type === 'component';
    const children = isComponent ? this.#component(raw, origin, around) : this.#children(raw, origin, around);
    const resolved = this.#resolver.fields(raw, path, around, variable?.fields);
    if (!resolved || (isComponent && !children)) return [];
    const layer: Record<string, unknown> = { ...styled(resolved.fields, path, this.options.tokens, this.#resolver) };
    for (const field of CONTROL_FIELDS) delete layer[field];
    if (isDecided) delete layer.visible;
    if (isComponent) layer.type = 'group';
    if (around.suffix !== '' && typeof layer.id === 'string') layer.id += around.suffix;
    if (raw.type === 'chart' || raw.type === 'table') this.#groups.add(layer, around);
    const { inserted } = resolved;
    const placed: LayerOrigin = { ...origin, ...(inserted.length > 0 && { inserted }) };
    if (!children) return [{ layer, origin: placed }];
    layer.layers = children.map((child) => child.layer);
    return [{ layer, origin: { ...placed, layers: children.map((child) => child.origin) } }];
  }

  #countLayer(path: string): void {
    const { maxLayers } = this.options;
    if (++this.#count <= maxLayers) return;
    const message = `the payload expands to more layers than expected: at most ${maxLayers} (MAX_EXPANDED_LAYERS)`;
    this.#resolver.fault(this.#countPath === '' ? path : this.#countPath, message, 'limit_exceeded');
    throw new ExpansionStop();
  }

  /** The layers in a group; undefined if the layer has none of its own. */
  #children(raw: Json, origin: LayerOrigin, around: Surroundings): OriginalLayer[] | undefined {
    const isBrought = origin.variable?.fields.includes('layers');
    if (raw.type !== 'group' || !Array.isArray(raw.layers) || isBrought) return undefined;
    const layers = raw.layers.map((layer: unknown, i): OriginalLayer => ({ layer, origin: childOrigin(origin, i) }));
    if (raw.switch !== true) return layers.flatMap((each) => this.#expand(each, around));
    const first = layers.find(({ layer, origin: { path } }) => {
      const when = isObject(layer) ? layer.when : undefined;
      return when === undefined || when === null || this.#resolver.condition(when, `${path}.when`, around);
    });
    return first ? this.#expand(first, around) : [];
  }

  /** The layers of the component that the layer uses; undefined if there is a fault. */
  #component(raw: Json, { path }: LayerOrigin, around: Surroundings): OriginalLayer[] | undefined {
    const { component: name } = raw;
    const at = `${path}.component`;
    const known = isObject(this.options.components) ? this.options.components : {};
    const definition = typeof name === 'string' && Object.hasOwn(known, name) ? known[name] : undefined;
    if (typeof name !== 'string' || !isObject(definition)) {
      this.#resolver.fault(at, unknownComponent(name, Object.keys(known)));
      return undefined;
    }
    if (this.#components.includes(name)) {
      const circle = [...this.#components.slice(this.#components.indexOf(name)), name].join(' → ');
      this.#resolver.fault(at, `the component ${name} contains itself in a circle: ${circle}`);
      return undefined;
    }
    if (this.#components.length >= MAX_COMPONENT_DEPTH) {
      this.#resolver.fault(
        at,
        `received more than ${MAX_COMPONENT_DEPTH} components inside each other, expected fewer`,
      );
      return undefined;
    }
    const props = this.#props(raw, definition, path, around);
    if (!props) return undefined;
    const inside: Surroundings = {
      names: this.#namesOf({}, props),
      suffix: around.suffix,
      variableNamed: (prop) =>
        Object.hasOwn(props, prop) ? { name: prop, value: props[prop], path: `${path}.props.${prop}` } : undefined,
    };
    const layers: readonly unknown[] = Array.isArray(definition.layers) ? definition.layers : [];
    const list = `${joinPath('components', name)}.layers`;
    this.#components.push(name);
    const children = layers.flatMap((layer, i) => this.#expand({ layer, origin: { path: joinPath(list, i) } }, inside));
    this.#components.pop();
    return children;
  }

  /** The props with the types and defaults of the component's params. */
  #props(raw: Json, { params }: Json, path: string, around: Surroundings): ValueObject | undefined {
    const at = `${path}.props`;
    const own = isObject(raw.props) ? raw.props : {};
    const values = new Map<string, Value>();
    for (const [name, value] of Object.entries(own)) {
      const resolved = this.#resolver.deep(value, joinPath(at, name), around);
      if (resolved === FAILED) return undefined;
      values.set(name, resolved);
    }
    const given = recordOf(values);
    if (!isObject(params)) return given;
    const reader = new VariableReader();
    const props = reader.readAll(given, params, at);
    for (const { path: faulty, message, code } of reader.faults) this.#resolver.fault(faulty, message, code);
    for (const warning of reader.warnings) this.#resolver.warn(warning);
    return reader.faults.length > 0 ? undefined : (props as ValueObject);
  }
}

/** The place of a layer in a group. */
function childOrigin({ path, recordPath, layers }: LayerOrigin, index: number): LayerOrigin {
  const known = layers?.[index];
  if (known) return known;
  const list = `.layers[${index}]`;
  return { path: path + list, ...(recordPath !== undefined && { recordPath: recordPath + list }) };
}

function unknownComponent(name: unknown, known: readonly string[]): string {
  if (typeof name !== 'string') return `received ${describe(asValue(name))}, expected the name of a component`;
  if (/^tpl_\w+@\d+$/.test(name)) return `${name} is a component of a workspace, which the service alone has`;
  const nearest = nearestNames(name, known);
  return `there is no component ${name}; ${nearest.length === 0 ? 'the payload has none' : `the nearest are ${nearest.join(', ')}`}`;
}
