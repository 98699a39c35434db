// Fills a template with variables (SEMANTICS section 4). Variables are data: placeholders in them are not expanded, and their
// names can't collide with properties of Object.prototype.

import { isObject } from '../contract/fields.js';
import { joinPath } from '../contract/issues.js';
import type { LayerOrigin } from '../contract/origins.js';
import {
  type Hotspot,
  listTemplateLayers,
  MAIN_FIELDS,
  type Template,
  type TemplateLayer,
} from '../contract/template.js';
import { unknownInFixedLayer, unknownInHotspot } from '../contract/unknown-fields.js';
import { limitWarnings } from '../contract/warnings.js';
import type { Warning } from '../errors.js';
import type { RawScene } from './scene.js';
import { matchVariables, type Variable } from './variables.js';

interface PlacedLayer {
  readonly layer: unknown;
  readonly origin: LayerOrigin;
}

const TRANSPARENT = { r: 0, g: 0, b: 0, a: 0 };
/** Fields that an object variable can't override. */
const FIXED_FIELDS = ['key', 'label', 'type'];

/**
 * The template's scene: the background, then the layers, with the hotspots as `variables` (key or label → value) fill them.
 * Never throws: invalid values are reported as `variables.KEY` when the layers are checked.
 */
export function applyTemplate(template: Template, variables: Readonly<Record<string, unknown>>): RawScene {
  const { width, height, scale, background } = template;
  const { variableOf, warnings: unused } = matchVariables(template.hotspots, variables);
  const warnings: Warning[] = [...unused];
  const placed = [...backgroundOf(template), ...template.layers.flatMap((each) => place(each, variableOf, warnings))];
  return {
    canvas: { width, height, scale, backgroundColor: background.color ?? TRANSPARENT },
    layers: placed.map(({ layer }) => layer),
    origins: placed.map(({ origin }) => origin),
    warnings: limitWarnings(warnings, unknownFields(template, variableOf)),
  };
}

/** Unknown fields of the layers, of the hotspots, hidden ones included, and of object variables. */
function* unknownFields(
  { layers }: Template,
  variableOf: (hotspot: Hotspot) => Variable | undefined,
): Generator<Warning> {
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
    for (const found of unknownInHotspot(value, '', type)) {
      yield { path, message: `${found.path}: ${found.message}` };
    }
  }
}

function backgroundOf({ width, height, background: { url } }: Template): PlacedLayer[] {
  return url === undefined
    ? []
    : [{ layer: { type: 'image', x: 0, y: 0, width, height, url }, origin: { path: 'background' } }];
}

type VariableOf = (hotspot: Hotspot) => Variable | undefined;

/** The layer, or the hotspot as a layer, with the layers in it; empty if it is hidden or has no main value. */
function place(each: TemplateLayer, variableOf: VariableOf, warnings: Warning[]): PlacedLayer[] {
  const placed =
    each.key === undefined
      ? [{ layer: each.layer, origin: { path: each.path } }]
      : fill(each, variableOf(each), warnings);
  if (each.children.length === 0) return placed;
  return placed.map(({ layer, origin }) => {
    // a variable may bring layers of its own
    if (!isObject(layer) || layer.layers !== each.layer.layers) return { layer, origin };
    const children = each.children.flatMap((child) => place(child, variableOf, warnings));
    return {
      layer: { ...layer, layers: children.map((child) => child.layer) },
      origin: { ...origin, layers: children.map((child) => child.origin) },
    };
  });
}

/** The hotspot as a layer; empty if it is hidden or has no main value. */
function fill({ key, type, layer }: Hotspot, variable: Variable | undefined, warnings: Warning[]): PlacedLayer[] {
  const main = MAIN_FIELDS[type];
  const lacksMain = (filled: Hotspot['layer']) => main !== undefined && isAbsent(filled[main]);
  const origin = { path: joinPath('hotspots', key) };
  if (!variable) return lacksMain(layer) ? [] : [{ layer, origin }];
  const { name, value } = variable;
  if (value === null) return [];
  const path = joinPath('variables', name);
  // checking the layers reports that the value is no object
  if (main === undefined && !isObject(value)) return [{ layer: value, origin: { path } }];
  const overrides = isObject(value) ? overridesOf(value) : new Map([[main as string, toText(value)]]);
  const filled = { ...layer, ...Object.fromEntries(overrides) };
  if (lacksMain(filled)) {
    warnings.push({ path, message: `gives no ${main}, and there is no default: nothing is drawn` });
    return [];
  }
  return [
    {
      layer: filled,
      origin: { ...origin, variable: { path, fields: [...overrides.keys()], isObject: isObject(value) } },
    },
  ];
}

function overridesOf(value: Readonly<Record<string, unknown>>): Map<string, unknown> {
  return new Map(
    Object.entries(value).filter(([field, given]) => !FIXED_FIELDS.includes(field) && given !== undefined),
  );
}

/** Converts a number or boolean to text. The layer's schema checks other values. */
function toText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null;
}
