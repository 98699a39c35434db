// Fills a template with variables (docs/templates.md#variables). Variables are data: placeholders in them are not expanded, and
// their names can't collide with properties of Object.prototype.

import { autoSizeOf } from '../contract/layers/canvas.js';
import type { LayerType } from '../contract/layers/index.js';
import { childrenOf, countLayers, walkLayers } from '../contract/layers/nested-layers.js';
import { joinPath, limitWarnings, summary } from '../contract/messages/issues.js';
import type { LayerOrigin } from '../contract/messages/origins.js';
import { isObject } from '../contract/schema/fields.js';
import { parseWith } from '../contract/schema/normalize.js';
import { pictureAlt } from '../contract/template/data-schemas.js';
import {
  type FixedLayer,
  type Hotspot,
  listTemplateLayers,
  MAIN_FIELDS,
  type Template,
  type TemplateLayer,
} from '../contract/template/parse.js';
import { literalPlaceholders } from '../contract/template/record-strings.js';
import { unknownInFixedLayer, unknownInHotspot, unknownInLayer } from '../contract/unknown-fields.js';
import { type Detail, RenderError, type Warning } from '../errors.js';
import type { PreparedData } from './data/data.js';
import { dataRoom } from './data/data-room.js';
import { type ExpandedLayer, isPageNumber, PlaceholderExpansion, withPageNumbers } from './placeholders.js';
import type { RawScene } from './scene.js';
import { matchVariables, type Variable } from './variables.js';

interface PlacedLayer {
  readonly layer: unknown;
  readonly origin: LayerOrigin;
}

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };
/** Fields that an object variable can't override. */
const FIXED_FIELDS = ['key', 'label', 'type'];

export interface AppliedTemplate extends RawScene {
  /** Faults that make the scene impossible. */
  readonly faults: readonly Detail[];
  /** The layers before lib/data expanded them. */
  readonly written: readonly unknown[];
  /** The color behind the layers before it is parsed; undefined unless lib/data has expanded it. */
  readonly color?: unknown;
}

interface ApplyOptions {
  /** A variable that brings more layers is not searched for unknown fields. */
  readonly maxLayers: number;
  readonly data?: PreparedData | undefined;
  /** Whether page numbers take the place of `{{page}}` and `{{pages}}` later. */
  readonly numbersPages?: boolean | undefined;
}

/**
 * The template's scene: the background, then the layers, with the hotspots as `variables` (key or label → value) fill them.
 * Never throws: invalid values are reported as `variables.KEY` when the layers are checked.
 */
export function applyTemplate(
  template: Template,
  values: Readonly<Record<string, unknown>>,
  { maxLayers, data, numbersPages = false }: ApplyOptions,
): AppliedTemplate {
  const { name, width, height, scale, background, document } = template;
  const { variables, warnings: doubtful } = data?.readVariables(values) ?? { variables: values, warnings: [] };
  const { variableOf, variableNamed: named, warnings: unused } = matchVariables(template, variables, data?.names);
  const warnings: Warning[] = [...unused, ...doubtful];
  const variableNamed = numbersPages ? withPageNumbers(named) : named;
  const expansion = new PlaceholderExpansion(variableNamed);
  const literal: Warning[] = [];
  const filling: Filling = {
    variableOf,
    warnings,
    expand(layer, path, fixedFields) {
      if (data) return { layer, inserted: [] };
      if (template.placeholders) return expansion.expand(layer, path, fixedFields);
      literal.push(...literalPlaceholders(layer, path, fixedFields, (name) => numbersPages && isPageNumber(name)));
      return { layer, inserted: [] };
    },
  };
  const placed = [...backgroundOf(template, filling), ...template.layers.flatMap((each) => place(each, filling))];
  const written = placed.map(({ layer }) => layer);
  const plain = {
    layers: written,
    origins: placed.map(({ origin }) => origin),
    warnings: [],
    color: undefined,
    alt: plainAlt(template, filling),
  };
  const expanded = data?.expand(placed, namedValues(template, variables, variableOf), variableNamed) ?? plain;
  const { layers, origins, color, alt } = expanded;
  warnings.push(...expanded.warnings);
  const backgroundColor =
    color === undefined ? (background.color ?? TRANSPARENT) : dataRoom().backgroundOf(color, 'background.color');
  return {
    canvas: { width, height, scale, ...autoSizeOf(template), backgroundColor },
    document: { title: name, ...document },
    alt: checkedAlt(alt),
    layers,
    origins,
    warnings: limitWarnings(warnings, expansion.warnings, literal, unknownFields(template, variableOf, maxLayers)),
    faults: expansion.faults,
    written,
    color,
  };
}

/** The values that expressions see: a hotspot's is that of its key, also where its label names the variable. */
function namedValues(
  { hotspots }: Template,
  variables: Readonly<Record<string, unknown>>,
  variableOf: VariableOf,
): Readonly<Record<string, unknown>> {
  const filled = hotspots.flatMap((hotspot) => {
    const variable = variableOf(hotspot);
    return variable ? [[hotspot.key, variable.value] as const] : [];
  });
  return { ...variables, ...Object.fromEntries(filled) };
}

/** The template's alternative text, with its placeholders filled. */
function plainAlt({ alt, data }: Template, { expand }: Filling): string | undefined {
  if (alt === undefined || data) return undefined;
  return expand({ alt }, '').layer.alt as string | undefined;
}

/** An alternative text that values of variables may be in. Throws RenderError `render_failed` if it is too long. */
export function checkedAlt(alt: string | undefined): string | undefined {
  const { details } = parseWith(pictureAlt.optional(), alt, alt, 'alt');
  if (details.length > 0) throw new RenderError('render_failed', summary(details, 1), { details });
  return alt;
}

type RawLayer = Readonly<Record<string, unknown>>;

/** The values that fill layers. */
interface Filling {
  readonly variableOf: VariableOf;
  /** Expands the placeholders in the fields of a layer but those that come from a variable. */
  readonly expand: (layer: RawLayer, path: string, fixedFields?: readonly string[]) => ExpandedLayer<RawLayer>;
  readonly warnings: Warning[];
}

/** Unknown fields of the layers, of the hotspots, hidden ones included, and of object variables with the layers in them. */
function* unknownFields({ layers }: Template, variableOf: VariableOf, maxLayers: number): Generator<Warning> {
  for (const each of listTemplateLayers(layers)) {
    if (each.key === undefined) {
      yield* unknownInFixedLayer(each.layer, each.path);
      continue;
    }
    const { key, type, layer } = each;
    yield* unknownInHotspot(layer, joinPath('hotspots', key));
    const { name, value } = variableOf(each) ?? {};
    if (name === undefined || !isObject(value)) continue;
    const path = joinPath('variables', name);
    for (const found of unknownInValue(value, type, maxLayers)) {
      yield { ...found, path, message: `${found.path}: ${found.message}` };
    }
  }
}

/** The unknown fields of an object that fills a hotspot of that type, and of the layers that it brings. */
function* unknownInValue(
  value: Readonly<Record<string, unknown>>,
  type: Hotspot['type'],
  maxLayers: number,
): Generator<Warning> {
  yield* unknownInHotspot(value, '', type);
  const brought = childrenOf({ type, layers: value.layers });
  if (countLayers(brought, maxLayers) > maxLayers) return;
  for (const { layer, path } of walkLayers(brought)) if (isObject(layer)) yield* unknownInLayer(layer, path);
}

function backgroundOf({ width, height, background: { url } }: Template, { expand }: Filling): PlacedLayer[] {
  const path = 'background';
  const { layer, inserted } = expand({ type: 'image', x: 0, y: 0, width, height, url, alt: '' }, path);
  return layer.url === undefined ? [] : [{ layer, origin: { ...originOf(path, inserted), fillsCanvas: true } }];
}

/** Returns the origin; leaves out `inserted` if it is empty, as for most layers. */
function originOf(path: string, inserted: ExpandedLayer<RawLayer>['inserted']): LayerOrigin {
  return inserted.length === 0 ? { path } : { path, inserted };
}

function hotspotOrigin(
  { key, path: recordPath }: Hotspot,
  path: string,
  inserted: ExpandedLayer<RawLayer>['inserted'],
): LayerOrigin {
  return { ...originOf(path, inserted), key, recordPath };
}

type VariableOf = (hotspot: Hotspot) => Variable | undefined;

/** The layer, or the hotspot as a layer, with the layers in it; empty if it is hidden or has no main value. */
function place(each: TemplateLayer, filling: Filling): PlacedLayer[] {
  const layers = each.key === undefined ? placeFixed(each, filling) : fill(each, filling);
  if (each.children.length === 0) return layers;
  return layers.map(({ layer, origin }) => {
    // a variable may bring its own layers
    if (!isObject(layer) || layer.layers !== each.layer.layers) return { layer, origin };
    const children = each.children.flatMap((child) => place(child, filling));
    return {
      layer: { ...layer, layers: children.map((child) => child.layer) },
      origin: { ...origin, layers: children.map((child) => child.origin) },
    };
  });
}

function placeFixed({ layer: rawLayer, path }: FixedLayer, { expand }: Filling): PlacedLayer[] {
  const { layer, inserted } = expand(rawLayer, path);
  // as for a hotspot without a default and without a variable
  if (layer !== rawLayer && lacksMain(layer)) return [];
  return [{ layer, origin: originOf(path, inserted) }];
}

/** The hotspot as a layer; empty if it is hidden or has no main value. */
function fill(hotspot: Hotspot, { variableOf, expand, warnings }: Filling): PlacedLayer[] {
  const { key, type } = hotspot;
  const main = MAIN_FIELDS[type];
  const variable = variableOf(hotspot);
  const at = joinPath('hotspots', key);
  if (!variable) {
    const { layer, inserted } = expand(hotspot.layer, at);
    return lacksMain(layer) ? [] : [{ layer, origin: hotspotOrigin(hotspot, at, inserted) }];
  }
  const { name, value } = variable;
  if (value === null) return [];
  const path = joinPath('variables', name);
  // checking the layers reports that the value is no object
  if (main === undefined && !isObject(value)) return [{ layer: value, origin: { path } }];
  const overrides = isObject(value) ? overridesOf(value) : new Map([[main as string, toText(value)]]);
  // a variable's text stands in place of the hotspot's spans
  const replaced: RawLayer = type === 'text' && overrides.has('text') ? { spans: undefined } : {};
  const fields = [...overrides.keys()];
  const { layer, inserted } = expand(hotspot.layer, at, [...fields, ...Object.keys(replaced)]);
  const filled = { ...layer, ...replaced, ...Object.fromEntries(overrides) };
  if (lacksMain(filled)) {
    warnings.push({
      code: 'unusable_value',
      path,
      message: `gives no ${main}, and there is no default: nothing is drawn`,
    });
    return [];
  }
  const variableOrigin = { path, fields, isObject: isObject(value) };
  return [{ layer: filled, origin: { ...hotspotOrigin(hotspot, at, inserted), variable: variableOrigin } }];
}

/** Whether the layer is of a type that needs a main value, and has none. */
function lacksMain(layer: RawLayer): boolean {
  const main = MAIN_FIELDS[layer.type as LayerType];
  return main !== undefined && isAbsent(layer[main]) && (main !== 'text' || isAbsent(layer.spans));
}

function overridesOf(value: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(
    Object.entries(value).filter(([field, fieldValue]) => !FIXED_FIELDS.includes(field) && fieldValue !== undefined),
  );
}

/** Converts a number or boolean to text. The layer's schema checks other values. */
function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
