// Element trees to payloads. A front end: it measures nothing, and what comes out is plain data.
import { MAX_CANVAS } from '../contract/layers/output-size.js';
import type { CanvasPayload } from '../contract/payload.js';
import { RenderError, type Warning } from '../errors.js';
import { buildBoxes, type Defaults } from './boxes.js';
import type { StyleObject } from './css/style.js';
import { expandTree, type JsxNode } from './element.js';
import { familyField } from './layers/text.js';
import { buildLayers } from './layers/tree.js';
import { MarkupReport } from './report.js';
import { tailwindStyles } from './tailwind.js';

export type { Defaults } from './boxes.js';
export type { JsxElement, JsxNode } from './element.js';

/** A font by its name, as satori takes it; the bytes are an option of the renderer. */
export interface JsxFont {
  readonly name: string;
}

export interface JsxOptions {
  /** Pixels; 1200 by default. */
  readonly width?: number;
  /** Pixels; 630 by default. */
  readonly height?: number;
  /**
   * The values that elements start with: `css` (the default) has those of CSS, and an element with several children, not all
   * of them text, is a row; `satori` has those of the satori that @vercel/og uses, `satori-flex` those of its older versions.
   */
  readonly defaults?: Defaults;
  /** Fonts that the renderer has: text without a family of its own is set in them. */
  readonly fonts?: readonly JsxFont[];
  /** Whether what is not supported is an error instead of a warning. */
  readonly strict?: boolean;
  /**
   * Whether `className` and `class` are classes of Tailwind, as `tw` always is; false by default. They need the packages
   * `@unocss/core` and `@unocss/preset-wind3`.
   */
  readonly tailwind?: boolean;
}

export interface JsxResult {
  /** Plain data: the same element gives the same bytes of JSON. */
  readonly payload: CanvasPayload;
  /** What is not supported, each once, with the place of its first use as `path`. */
  readonly warnings: readonly Warning[];
}

const OPTIONS: Readonly<Record<keyof JsxOptions, string>> = {
  width: `a whole number from 1 to ${MAX_CANVAS}`,
  height: `a whole number from 1 to ${MAX_CANVAS}`,
  defaults: '"css", "satori" or "satori-flex"',
  fonts: 'an array of fonts',
  strict: 'true or false',
  tailwind: 'true or false',
};

/**
 * Translates an element tree to a payload: React's elements, Preact's, or plain `{ type, props }` objects. Function components
 * are called, async ones awaited.
 * @throws RenderError `render_failed` for what can't be translated, and with `strict` for what is not supported.
 * @example
 * const card = { type: 'div', props: { style: { padding: 40, fontSize: 60 }, children: 'Hello' } };
 * const { payload, warnings } = await fromJsx(card, { width: 800, height: 400 });
 * console.log(payload.layers.length, warnings.length); // 1 0
 */
export async function fromJsx(element: JsxNode, options: JsxOptions = {}): Promise<JsxResult> {
  checkOptions(options);
  const { width = 1200, height = 630, defaults = 'css', strict = false, tailwind = false } = options;
  const canvas = { width, height };
  const report = new MarkupReport(strict);
  const nodes = await expandTree(element);
  const classStyle = await tailwindStyles(nodes, { isOn: tailwind, canvas, report });
  const { body, boxes } = buildBoxes(nodes, { canvas, defaults, report, root: rootStyle(options), classStyle });
  const layers = buildLayers(boxes, body, canvas, report);
  return { payload: { canvas, layers } as unknown as CanvasPayload, warnings: report.warnings };
}

/** What all elements inherit. */
export function rootStyle({ fonts = [] }: Pick<JsxOptions, 'fonts'>): StyleObject {
  const families = [...new Set(fonts.map(({ name }) => name))];
  return families.length === 0 ? {} : { fontFamily: familyField(families.map((name) => `"${name}"`).join(', ')) };
}

/** @throws RenderError `invalid_request` */
export function checkOptions(options: JsxOptions): void {
  for (const [name, value] of Object.entries(options)) {
    const expected = OPTIONS[name as keyof JsxOptions];
    if (expected === undefined) throw new RenderError('invalid_request', `${name} is no known option`);
    if (value !== undefined && !isValid(name as keyof JsxOptions, value)) {
      throw new RenderError('invalid_request', `${name}: received ${JSON.stringify(value)}, expected ${expected}`);
    }
  }
}

function isValid(name: keyof JsxOptions, value: unknown): boolean {
  switch (name) {
    case 'width':
    case 'height':
      return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_CANVAS;
    case 'defaults':
      return ['css', 'satori', 'satori-flex'].includes(String(value));
    case 'fonts':
      return Array.isArray(value);
    case 'strict':
    case 'tailwind':
      return typeof value === 'boolean';
  }
}
