// Loads the input of `platen PAYLOAD` and `platen inspect`: the payload, the variables that fill it, and the renderer with its fonts.

import { resolve } from 'node:path';
import { definedFields } from '../contract/json/defined-fields.js';
import { formatReceived } from '../contract/json/describe.js';
import { issue } from '../contract/messages/issues.js';
import { choiceHint, expectedChoice } from '../contract/messages/value-hints.js';
import type { Payload } from '../contract/payload.js';
import { isObject } from '../contract/schema/fields.js';
import { listSamples, type SampleSet } from '../contract/template/samples.js';
import { RenderError, type Warning } from '../errors.js';
import type { FontSource, Renderer, RendererOptions, RenderOptions } from '../index.js';
import { type RenderSettings, readRenderSettings } from '../settings.js';
import type { SourceOptions, VariableOptions } from './args.js';
import { loadIcons } from './icons.js';
import { readPayloadOrMarkup } from './markup.js';
import { readPayload } from './payload.js';
import type { CliContext } from './stdio.js';

export interface RenderSource {
  /** JSON from a file: the renderer checks it. */
  readonly payload: Payload;
  readonly options: RendererOptions &
    Pick<RenderOptions, 'scale' | 'size' | 'variables' | 'theme' | 'tokens' | 'locale' | 'alt' | 'signal'>;
  /** Renderer with the fonts of `--fonts`; `options` has the limits and the host's parts. */
  readonly renderer: Pick<Renderer, 'render' | 'renderDocument' | 'inspect'>;
  /** About markup. */
  readonly warnings: readonly Warning[];
}

/** Reads the files that the command names. Throws errors that `report` can format. */
export async function readSource(command: SourceOptions, context: CliContext): Promise<RenderSource> {
  const renderSettings = readRenderSettings(context.environment);
  const settings = rendererOptions(renderSettings);
  // Load the engine while the files are read: both take time.
  const [loaded, variables, tokens, icons, library] = await Promise.all([
    readPayloadOrMarkup(command, context),
    command.variables && readVariables(command.variables, context),
    command.tokens === undefined ? undefined : readObject(command.tokens, 'tokens', context),
    loadIcons(renderSettings),
    import('../index.js'),
  ]);
  const { value, baseDirectory, warnings } = loaded;
  const sample = command.sample === undefined ? undefined : sampleNamed(value, command.sample);
  const size = command.size ?? sample?.size;
  const options = {
    ...settings,
    baseDirectory,
    ...definedFields({ scale: command.scale, size, theme: command.theme, tokens, signal: context.signal }),
    ...definedFields({ locale: command.locale, alt: command.alt }),
    ...((sample ?? variables) && { variables: { ...sample?.variables, ...variables } }),
  };
  const payload = value as Payload;
  const fonts = command.fonts === undefined ? undefined : await fontsIn(resolve(context.directory, command.fonts));
  if (!fonts && !icons) return { payload, options, renderer: library, warnings };
  const renderer = library.createRenderer({ ...settings, ...definedFields({ fonts, icons: icons?.json }) });
  return { payload, options, renderer, warnings };
}

async function fontsIn(folder: string): Promise<FontSource[]> {
  const { listFontFiles } = await import('../fonts/font-folder.js');
  return await listFontFiles(folder);
}

/** Throws RenderError `invalid_request` if the payload has no sample set of that name. */
function sampleNamed(payload: unknown, name: string): SampleSet {
  const samples = listSamples(payload);
  const sample = samples.find((each) => each.name === name);
  if (sample) return sample;
  const names = samples.map((each) => each.name);
  const expected = names.length === 0 ? 'none: the payload has no sample sets' : expectedChoice(names);
  const { message } = issue('', name, expected, choiceHint(name, names));
  throw new RenderError('invalid_request', `--sample: ${message}`);
}

export function rendererOptions(settings: RenderSettings): RendererOptions {
  return {
    assetTimeoutMs: settings.ASSET_TIMEOUT_MS,
    assetMaxBytes: settings.ASSET_MAX_BYTES,
    assetMaxPixels: settings.ASSET_MAX_PIXELS,
    ...(settings.ASSET_ALLOW_HOSTS && { allowHosts: settings.ASSET_ALLOW_HOSTS }),
    timeoutMs: settings.RENDER_TIMEOUT_MS,
    maxLayers: settings.MAX_LAYERS,
    maxExpandedLayers: settings.MAX_EXPANDED_LAYERS,
  };
}

/**
 * Combines the variables of --vars and --var; the latter win. The text of a --var is taken literally, never as JSON.
 * Throws RenderError if the file can't be read or does not hold a JSON object.
 */
async function readVariables({ file, pairs }: VariableOptions, context: CliContext): Promise<Record<string, unknown>> {
  const value = file === undefined ? {} : await readObject(file, 'variables', context);
  // fromEntries, not assignments: a variable may be named __proto__.
  return Object.fromEntries([...Object.entries(value), ...pairs]);
}

/** The object in a JSON file. Throws as `readPayload` does; `content` names what it holds. */
export async function readObject(file: string, content: string, context: CliContext): Promise<Record<string, unknown>> {
  const { value } = await readPayload(file, context);
  if (isObject(value)) return value;
  const message = `${file}: received ${formatReceived(value)}, expected an object of ${content}`;
  throw new RenderError('invalid_request', message);
}
