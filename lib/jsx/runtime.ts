// `platen/jsx-runtime`, for `"jsxImportSource": "platen"`: elements are plain objects, and nothing else has to be installed.
import { Fragment, type JsxElement } from './element.js';

export { Fragment };

/** Makes an element. */
export function jsx(type: unknown, props: Readonly<Record<string, unknown>>): JsxElement {
  return { type, props };
}

export const jsxs = jsx;
export const jsxDEV = jsx;

export declare namespace JSX {
  type Element = JsxElement;
  type ElementType = string | ((props: never) => unknown);
  interface IntrinsicElements {
    readonly [name: string]: Readonly<Record<string, unknown>>;
  }
  interface ElementChildrenAttribute {
    readonly children: unknown;
  }
}
