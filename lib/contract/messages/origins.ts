// Maps the layers of a scene to their places in the caller's payload, for the paths in errors and warnings. Plain data.
import type { DetailCode } from '../../detail-codes.js';
import type { Detail } from '../../errors.js';
import type { FieldIssue } from './issues.js';

export interface LayerOrigin {
  /** Path of the layer: `layers[2]`, `hotspots.title`, `background`. */
  readonly path: string;
  /** Whether the layer is as large as the canvas, whatever size that gets. */
  readonly fillsCanvas?: boolean;
  /** The variable that fills the layer. Issues of these fields are reported at the variable's path. */
  readonly variable?: {
    readonly path: string;
    readonly fields: readonly string[];
    /** Whether the variable is an object; messages then name its field. */
    readonly isObject: boolean;
  };
  /** The fields that the value of one variable is inserted in, with the path of the variable. */
  readonly inserted?: readonly { readonly field: string; readonly path: string }[];
  /** Origins of a group's layers; absent if their paths follow from the group's. */
  readonly layers?: readonly LayerOrigin[];
  /** A hotspot's key, and the place of its raw layer in the template's record. */
  readonly key?: string;
  readonly recordPath?: string;
}

/** The first part of the path of a field in a group: the layer in it that has the field. */
const NESTED = /^layers\[(\d+)\](?:\.|$)/;

/**
 * The Detail of an issue of a field (`url`, `shadow.blur`, `layers[0].url` of a layer in a group, or '' for the layer as a
 * whole) of the layer from `origin`.
 */
export function locateIssue<Code extends DetailCode>(
  origin: LayerOrigin,
  { field, ...found }: FieldIssue<Code>,
): Detail<Code> {
  const { message } = found;
  const { path, variable, inserted, layers } = origin;
  const nested = layers && NESTED.exec(field);
  const owner = nested?.[1] === undefined ? undefined : layers?.[Number(nested[1])];
  if (nested && owner) return locateIssue(owner, { ...found, field: field.slice(nested[0].length) });
  const [top] = field.split(/[.[]/, 1);
  if (!variable?.fields.includes(top)) {
    const at = fieldPath(path, field);
    const source = inserted?.find((each) => each.field === field);
    return source ? { ...found, path: source.path, message: `${at}: ${message}` } : { ...found, path: at };
  }
  return { ...found, path: variable.path, message: variable.isObject ? `${field}: ${message}` : message };
}

/** The paths of a layer. */
export interface LayerPlace {
  /** Path in the form that errors and warnings use. */
  readonly path: string;
  /** Path of the raw layer; undefined if a variable brings the layer. */
  readonly recordPath: string | undefined;
  /** The hotspot's key; undefined for other layers. */
  readonly key: string | undefined;
  /** Fields of the raw layer that have a variable's value: `text`, `spans[0].text`. */
  readonly filled: readonly string[];
}

/** The origin that the layer at `nested` (`layers[0].layers[2]`, or '' for the layer itself) follows from, and how. */
export function originOf(
  origin: LayerOrigin,
  nested: string,
): { readonly origin: LayerOrigin; readonly nested: string } {
  const first = NESTED.exec(nested);
  const owner = first?.[1] === undefined ? undefined : origin.layers?.[Number(first[1])];
  return first && owner ? originOf(owner, nested.slice(first[0].length)) : { origin, nested };
}

/** The layer at `nested`, as `originOf` takes it, of the layer from `from`. */
export function locateLayer(from: LayerOrigin, place: string): LayerPlace {
  const { origin, nested } = originOf(from, place);
  const { path, key, recordPath = path, variable, inserted = [] } = origin;
  if (nested === '') {
    return { path, recordPath, key, filled: [...(variable?.fields ?? []), ...inserted.map(({ field }) => field)] };
  }
  const isBrought = variable?.fields.includes('layers');
  return {
    path: fieldPath(path, nested),
    recordPath: isBrought ? undefined : fieldPath(recordPath, nested),
    key: undefined,
    filled: [],
  };
}

/** `field`, as `locateIssue` takes it, of the value at `path`. */
export function fieldPath(path: string, field: string): string {
  if (path === '') return field;
  return field === '' || field.startsWith('[') ? `${path}${field}` : `${path}.${field}`;
}
