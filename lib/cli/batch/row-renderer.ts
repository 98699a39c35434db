// Renders the rows of a batch in worker processes. The template is parsed once and its own assets are loaded once, in the
// command's process; a row's assets are loaded for that row.
import { type Assets, createAssets } from '../../assets/loader.js';
import type { FileFormat } from '../../codecs/codec.js';
import type { Strictness } from '../../contract/messages/strictness.js';
import type { IconSet } from '../../icons/icon-set.js';
import { loadDataFor } from '../../load-data.js';
import type { RenderSettings } from '../../settings.js';
import type { DesignOptions } from '../../templates/data/data.js';
import { withOutput } from '../../templates/output.js';
import { type PreparedTemplate, prepareTemplate } from '../../templates/resolve.js';
import type { JobResult } from '../../workers/job.js';
import { createSceneRenderer, type SceneRendererOptions } from '../../workers/scene-renderer.js';
import { addressPolicyFrom } from '../assets.js';

export interface RowRendererOptions extends Pick<DesignOptions, 'theme' | 'tokens' | 'locale'> {
  /** The template's. */
  readonly record: unknown;
  /** The URLs that the template itself names. */
  readonly templateUrls: ReadonlySet<string>;
  /** Folder to which local paths of the template and the rows are relative. */
  readonly baseDirectory: string;
  readonly settings: RenderSettings;
  /** Sets of icons beside the one of the package. */
  readonly icons?: readonly IconSet[] | undefined;
  /** Format of a template's pictures; PNG by default. */
  readonly format?: FileFormat | undefined;
  readonly quality?: number | undefined;
  readonly dpi?: number | undefined;
  readonly lossless?: boolean | undefined;
  /** Overrides the template's scale. */
  readonly scale?: number | undefined;
  /** The warnings that fail their row. */
  readonly strict: Strictness;
  readonly workers: SceneRendererOptions;
}

export interface FilledRow {
  readonly variables: Readonly<Record<string, unknown>>;
  /** Name of one of the template's sizes that replaces its own. */
  readonly size: string | undefined;
}

export interface RowRenderer {
  /** Rejects with RenderError, or with the signal's reason. */
  render(row: FilledRow, signal: AbortSignal): Promise<JobResult>;
  /** Lets running rows finish and ends the processes. */
  close(): Promise<void>;
}

export function createRowRenderer(options: RowRendererOptions): RowRenderer {
  const { record, templateUrls, baseDirectory, settings, icons, strict, theme, tokens, locale } = options;
  const design = { theme, tokens, locale };
  const allowAddress = addressPolicyFrom(settings);
  const { ASSET_TIMEOUT_MS, ASSET_MAX_BYTES: maxBytes, ASSET_MAX_PIXELS: maxPixels } = settings;
  const loading = { timeoutMs: ASSET_TIMEOUT_MS, maxBytes, maxPixels, baseDirectory, allowAddress, explain: true };
  const renderer = createSceneRenderer(options.workers);
  let shared = createAssets(loading);

  /** Templates by size: each is parsed once. */
  const templates = new Map<string | undefined, PreparedTemplate>();

  function templateOf(size: string | undefined): PreparedTemplate {
    const known = templates.get(size);
    if (known) return known;
    const template = prepareTemplate(record, {
      maxLayers: settings.MAX_LAYERS,
      maxExpandedLayers: settings.MAX_EXPANDED_LAYERS,
      icons,
      size,
      ...design,
    });
    templates.set(size, template);
    return template;
  }

  function assetsOfRow(): Assets {
    const own = createAssets(loading);
    const template = shared;
    const of = (url: string) => (templateUrls.has(url) ? template : own);
    return {
      source: (url, kind) => of(url).source(url, kind),
      file: (url, signal) => of(url).file(url, signal),
      image: (url, size) => of(url).image(url, size),
    };
  }

  return {
    async render({ variables, size }, signal) {
      const assets = assetsOfRow();
      await loadDataFor(record, { variables, locale: design.locale });
      try {
        const output = withOutput(templateOf(size).resolve(variables, assets.source), options);
        const { RENDER_TIMEOUT_MS: timeoutMs } = settings;
        return await renderer.render(output, { assets, strict, timeoutMs, signal, maxPixels });
      } catch (error) {
        // a failed asset stays failed in its loader, and the next row must try it again
        shared = createAssets(loading);
        throw error;
      }
    },
    close: () => renderer.close(),
  };
}
