// Where the layers of a scene come from in what the caller sent, as plain data: for the paths in errors and warnings.
import type { Detail } from '../errors.js';

export interface LayerOrigin {
  /** Of the layer: `layers[2]`, `hotspots.title`, `background`. */
  readonly path: string;
  /** The variable that fills the layer: findings about these of its fields belong to the variable's path. */
  readonly variable?: {
    readonly path: string;
    readonly fields: readonly string[];
    /** Whether the variable is an object, whose field a finding names. */
    readonly isObject: boolean;
  };
}

/** A finding about `field` (`url`, `shadow.blur`, or '' for the layer as a whole) of the layer from `origin`. */
export function locateIssue({ path, variable }: LayerOrigin, field: string, message: string): Detail {
  const [top] = field.split(/[.[]/, 1);
  if (!variable?.fields.includes(top)) return { path: fieldPath(path, field), message };
  return { path: variable.path, message: variable.isObject ? `${field}: ${message}` : message };
}

/** `field`, as `locateIssue` takes it, of the value at `path`. */
export function fieldPath(path: string, field: string): string {
  return field === '' || field.startsWith('[') ? `${path}${field}` : `${path}.${field}`;
}
