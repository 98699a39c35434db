// Reads a payload, or the payload that markup becomes: HTML in `.html` and `.htm` files, the element of a `.jsx` or `.tsx` file,
// or an element tree as JSON.
import { definedFields } from '../contract/json/defined-fields.js';
import { isObject } from '../contract/schema/fields.js';
import type { Warning } from '../errors.js';
import type { JsxElement, JsxResult } from '../jsx/index.js';
import { UsageError } from './parse-options.js';
import { type LoadedPayload, readPayload, readText } from './payload.js';
import type { CliContext } from './stdio.js';

export interface MarkupOptions {
  readonly source: string;
  /** Pixels of the canvas of markup. */
  readonly width?: number;
  readonly height?: number;
}

export interface LoadedMarkup extends LoadedPayload {
  /** What is not supported of the markup. */
  readonly warnings: readonly Warning[];
}

/** Throws RenderError for what can't be read or translated, and UsageError for a canvas beside a payload. */
export async function readPayloadOrMarkup(options: MarkupOptions, context: CliContext): Promise<LoadedMarkup> {
  const { source, width, height } = options;
  const canvas = definedFields({ width, height });
  if (/\.html?$/i.test(source)) {
    const { text, baseDirectory } = await readText(source, context);
    const { fromHtml } = await import('../jsx/html/index.js');
    return loaded(fromHtml(text, canvas), baseDirectory);
  }
  const { value, baseDirectory } = await readTree(source, context);
  if (isObject(value) && 'type' in value && 'props' in value && !('canvas' in value)) {
    const { fromJsx } = await import('../jsx/index.js');
    return loaded(await fromJsx(value as unknown as JsxElement, canvas), baseDirectory);
  }
  const given = width === undefined ? (height === undefined ? undefined : '--height') : '--width';
  if (given !== undefined) throw new UsageError(`${given} is the canvas of markup: a payload has its own`);
  return { value, baseDirectory, warnings: [] };
}

/** The payload or the element tree of a file. */
async function readTree(source: string, context: CliContext): Promise<LoadedPayload> {
  if (!/\.[jt]sx$/i.test(source)) return await readPayload(source, context);
  const { loadMarkupModule } = await import('./markup-module.js');
  return await loadMarkupModule(source, context);
}

function loaded({ payload, warnings }: JsxResult, baseDirectory: string): LoadedMarkup {
  return { value: payload, baseDirectory, warnings };
}
