// Maps the layers of a scene to their places in the caller's payload, for the paths in errors and warnings. Plain data.
import type { Detail } from '../errors.js';

export interface LayerOrigin {
  /** Of the layer: `layers[2]`, `hotspots.title`, `background`. */
  readonly path: string;
  /** The variable that fills the layer. Issues of these fields are reported at the variable's path. */
  readonly variable?: {
    readonly path: string;
    readonly fields: readonly string[];
    /** Whether the variable is an object; messages then name its field. */
    readonly isObject: boolean;
  };
  /** Of the layers in a group; absent where their places follow from the group's. */
  readonly layers?: readonly LayerOrigin[];
}

/** The first part of the path of a field in a group: the layer in it that has the field. */
const NESTED = /^layers\[(\d+)\](?:\.|$)/;

/**
 * The Detail of an issue of `field` (`url`, `shadow.blur`, `layers[0].url` of a layer in a group, or '' for the layer as a
 * whole) of the layer from `origin`.
 */
export function locateIssue(origin: LayerOrigin, field: string, message: string): Detail {
  const { path, variable, layers } = origin;
  const nested = layers && NESTED.exec(field);
  const owner = nested?.[1] === undefined ? undefined : layers?.[Number(nested[1])];
  if (nested && owner) return locateIssue(owner, field.slice(nested[0].length), message);
  const [top] = field.split(/[.[]/, 1);
  if (!variable?.fields.includes(top)) return { path: fieldPath(path, field), message };
  return { path: variable.path, message: variable.isObject ? `${field}: ${message}` : message };
}

/** `field`, as `locateIssue` takes it, of the value at `path`. */
export function fieldPath(path: string, field: string): string {
  return field === '' || field.startsWith('[') ? `${path}${field}` : `${path}.${field}`;
}
