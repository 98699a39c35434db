// Loads the fonts of text layers, and the patterns that hyphenate them.

import { hyphenationPatterns } from '../contract/layers/hyphenation-languages.js';
import type { TextLayer } from '../contract/layers/index.js';
import type { FieldIssue } from '../contract/messages/issues.js';
import type { WarningCode } from '../detail-codes.js';
import { RenderError } from '../errors.js';
import type { FontRequest } from '../fonts/registry.js';
import { host } from '../host.js';
import { LayerText } from '../layers/text/layer-text.js';
import { layerStyle, type SpanStyle, spansOf } from '../layers/text/spans.js';
import { fontSettingWarnings } from '../layers/text/warnings.js';
import { ELLIPSIS } from '../layout/ellipsis.js';
import type { Locate } from '../stage-budget.js';
import type { FontStack } from '../text/font-stack.js';
import { hasPatterns, type Patterns, setPatterns } from '../text/hyphenation.js';
import type { LoadContext } from './context.js';

/** Loads the patterns of a language; throws RenderError `render_failed` where they can't be. */
export function loadHyphenation(language: string): void {
  const name = hyphenationPatterns(language);
  if (name === undefined || hasPatterns(name)) return;
  const { readHyphenation } = host();
  if (!readHyphenation) {
    const message = 'the library for browsers has no hyphenation patterns: use soft hyphens, or render on Node';
    throw new RenderError('render_failed', message);
  }
  setPatterns(name, readHyphenation(name) as Patterns);
}

export interface LoadedText {
  /** Undefined when a font can't be loaded. */
  readonly text: LayerText | undefined;
  readonly warnings: readonly FieldIssue<WarningCode>[];
  readonly failures: readonly { readonly field: string; readonly error: RenderError }[];
}

/** Limit per text: each weight of a variable font is a copy of its file in the text engine's memory. */
const MAX_FONTS = 64;
/** Limit for all texts of a scene. */
const MAX_SCENE_FONTS = 256;

/** Gives the path of a layer's field for the error about a stage's time limit. */
type LocateField = (field: string) => Locate;

/**
 * Loads the fonts of a text: the layer's fonts and each span's. Spans in one font share a stack, so that they are shaped
 * together. Throws only RenderError `render_timeout`.
 */
export async function loadText(layer: TextLayer, context: LoadContext, locate: LocateField): Promise<LoadedText> {
  try {
    return await loadSpans(layer, spansOf(layer), context, locate);
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === 'render_timeout') throw error;
    return { text: undefined, warnings: [], failures: [{ field: layer.spans ? 'spans' : 'text', error }] };
  }
}

async function loadSpans(
  layer: TextLayer,
  spans: readonly SpanStyle[],
  { assets, typefaces, signal, stages, fonts = new Set(), familyFiles }: LoadContext,
  locate: LocateField,
): Promise<LoadedText> {
  // a missing family is named once, however many of its weights and styles the text asks for
  const warnings = new Map<string, FieldIssue<WarningCode>>();
  const failures = new Map<string, RenderError>();
  const suffix = layer.maxLines === undefined ? '' : ELLIPSIS;
  const requests = [layerStyle(layer), ...spans];
  const keys = requests.map(fontRequestKey);
  const byKey = new Map<string, { readonly request: (typeof requests)[number]; text: string }>();
  requests.forEach((request, i) => {
    const known = byKey.get(keys[i]);
    if (known) known.text += request.text;
    else byKey.set(keys[i], { request, text: request.text });
  });
  if (byKey.size > MAX_FONTS) {
    const message = `the text has ${byKey.size} combinations of font, weight and style, expected at most ${MAX_FONTS}`;
    throw new RenderError('render_failed', message);
  }
  const variations = layer.fontVariations ? JSON.stringify(layer.fontVariations) : '';
  for (const key of byKey.keys()) fonts.add(key + variations);
  if (fonts.size > MAX_SCENE_FONTS) {
    const message = `this text and those before have ${fonts.size} combinations of font, weight, style and variations`;
    throw new RenderError('render_failed', `${message}, expected at most ${MAX_SCENE_FONTS} in all texts`);
  }
  const loaded = await Promise.all(
    Array.from(byKey, async ([key, { request, text }]): Promise<[string, FontStack | undefined]> => {
      const { customFontUrl, fontPlace } = request;
      try {
        const fetchFont = async (url: string) => (await assets.file(url, signal)).bytes;
        const runDecode = stages?.decoder(locate(`${fontPlace}customFontUrl`));
        const { stack, warning } = await typefaces.resolveStack(
          { ...request, familyFiles },
          text + suffix,
          fetchFont,
          runDecode,
        );
        if (warning) warnings.set(`${fontPlace}fontFamily`, warning);
        return [key, stack];
      } catch (error) {
        if (!(error instanceof RenderError) || error.code === 'render_timeout') throw error;
        failures.set(fontPlace + (customFontUrl ? 'customFontUrl' : 'fontFamily'), error);
        return [key, undefined];
      }
    }),
  );
  try {
    if (layer.hyphens === 'auto' && layer.language !== undefined) loadHyphenation(layer.language);
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    failures.set('hyphens', error);
  }
  const byFont = new Map(loaded);
  const [block, ...own] = keys.map((key) => byFont.get(key));
  const stacks =
    block && !own.includes(undefined) && !failures.has('hyphens') ? { block, spans: own as FontStack[] } : undefined;
  return {
    text: stacks && new LayerText(layer, stacks, spans, stages?.check),
    warnings: [
      ...Array.from(warnings, ([field, warning]) => ({ ...warning, field })),
      ...(stacks ? fontSettingWarnings(layer, stacks) : []),
    ],
    failures: Array.from(failures, ([field, error]) => ({ field, error })),
  };
}

/** Features and variations are the same throughout a layer. */
function fontRequestKey({ fontFamily, fontWeight, fontStyle, customFontUrl }: FontRequest): string {
  // a file replaces a single family
  const families = customFontUrl !== undefined && !fontFamily.includes(',') ? undefined : fontFamily;
  return JSON.stringify([customFontUrl, families, fontWeight, fontStyle]);
}

/** Counts the UTF-16 units of the text; infinite if it may be in a font from outside, whose rules may take any time to apply. */
export function unitsOf({ text, spans, customFontUrl }: TextLayer, { familyFiles }: LoadContext): number {
  if (familyFiles || customFontUrl || spans?.some((span) => span.customFontUrl)) return Number.POSITIVE_INFINITY;
  return spans ? spans.reduce((sum, span) => sum + span.text.length, 0) : text.length;
}
