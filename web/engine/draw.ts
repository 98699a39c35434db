// Draws payloads as the service does: the same checks, fonts, limits and watermark, so that the pixels are the same.
import { createImageCache } from '../../lib/assets/image-cache.js';
import { type Assets, createAssets } from '../../lib/assets/loader.js';
import { parseAssetUrl } from '../../lib/assets/source.js';
import type { FileFormat } from '../../lib/codecs/codec.js';
import { parseRequest } from '../../lib/contract/api/request.js';
import { limitWarnings } from '../../lib/contract/messages/issues.js';
import { isTemplate } from '../../lib/contract/template/record-layers.js';
import { unknownInRequest } from '../../lib/contract/unknown-fields.js';
import { createFontRegistry, type FontRegistry } from '../../lib/fonts/registry.js';
import { loadDataFor } from '../../lib/load-data.js';
import type { Inspected } from '../../lib/render/inspected.js';
import { RetainedScene } from '../../lib/render/retained.js';
import { type Rendered, renderScene } from '../../lib/render.js';
import { DEFAULTS } from '../../lib/renderer-state.js';
import { resolve, resolveRequest } from '../../lib/templates/resolve.js';
import type { Scene } from '../../lib/templates/scene.js';
import { type Validation, validatePayloadAndLayers } from '../../lib/templates/validate.js';
import { matchFonts, placesOfUnknownFamily, withFonts } from '../../lib/templates/workspace-fonts.js';
import type { EngineSettings, PictureStage, Source } from './messages.js';
import type { Remote } from './remote.js';

/** Limit of the cache of decoded images, in bytes. */
const IMAGE_CACHE_BYTES = 64 * 2 ** 20;

export interface DrawOptions {
  /** Encodes a file instead of returning pixels. */
  readonly encode?: { readonly format: FileFormat; readonly quality?: number | undefined };
  /** Overrides the layers' own `verify`. */
  readonly verify?: 'off' | 'warn';
  /**
   * Draws for a document that is being edited: the picture describes the layers, and the carets of the text at the path
   * `carets`. The paint steps are kept for the next such draw, which gives only the pixels that changed unless `isWhole`.
   */
  readonly edit?: { readonly carets?: string | undefined; readonly isWhole?: boolean | undefined };
  readonly signal: AbortSignal;
}

export interface Drawn extends Rendered, Inspected {
  readonly quality: number;
  /** Number of pictures drawn for edited documents. */
  readonly serial: number;
  readonly timings: Partial<Record<PictureStage, number>>;
}

interface ServerFonts {
  readonly typefaces: FontRegistry;
  /** Names of the server's own fonts. */
  readonly families: readonly string[];
}

export type Draw = (source: Source, options: DrawOptions) => Promise<Drawn>;

export function createDraw({ watermark, maxLayers }: EngineSettings, remote: Remote): Draw {
  const cache = createImageCache(IMAGE_CACHE_BYTES);
  const retained = new RetainedScene();

  let serverFonts: Promise<ServerFonts> | undefined;
  /** Loads the server's fonts together with the bundled ones. A failed request is not cached. */
  function loadServerFonts(): Promise<ServerFonts> {
    serverFonts ??= remote.readServerFonts().then(
      (fonts) => ({ typefaces: createFontRegistry(fonts), families: fonts.map(({ family }) => family) }),
      (error) => {
        serverFonts = undefined;
        throw error;
      },
    );
    return serverFonts;
  }

  function createLoader(): Assets {
    return createAssets({
      timeoutMs: DEFAULTS.assetTimeoutMs,
      maxBytes: DEFAULTS.assetMaxBytes,
      maxPixels: DEFAULTS.assetMaxPixels,
      fetchAsset: remote.fetchAsset,
      readAsset: remote.readAsset,
      cache,
    });
  }

  async function resolveSource(source: Source, assets: Assets, signal: AbortSignal): Promise<Scene> {
    const { payload, variables, size } = source;
    const options = { maxLayers, checkUrl: assets.source };
    await loadDataFor(payload, { variables });
    if (isTemplate(payload)) return resolve(payload, { ...options, variables, size });
    const request = parseRequest(payload, { maxLayers });
    const record =
      request.kind === 'template'
        ? await remote.findRecord({ id: request.templateId, version: request.templateVersion }, signal)
        : undefined;
    await loadDataFor(record, { variables: request.kind === 'template' ? request.variables : undefined });
    const scene = resolveRequest(request, record, options);
    return { ...scene, warnings: limitWarnings(unknownInRequest(payload, request.kind), scene.warnings) };
  }

  /** Adds the workspace's fonts to the scene. A font that can't be loaded counts as unknown, as in the service. */
  async function addFonts(scene: Scene, families: readonly string[], assets: Assets, signal: AbortSignal) {
    const places = placesOfUnknownFamily(scene, families);
    if (places.length === 0) return scene;
    const fonts = matchFonts(places, await remote.listFonts(signal));
    const loaded = await Promise.allSettled([...fonts.values()].map((url) => assets.file(url, signal)));
    signal.throwIfAborted();
    const usable = new Set([...fonts.values()].filter((_, i) => loaded[i]?.status === 'fulfilled'));
    return withFonts(scene, fonts, (url) => usable.has(url));
  }

  return async (source, { encode, verify, edit, signal }) => {
    const timings: Partial<Record<PictureStage, number>> = {};
    const began = performance.now();
    const assets = createLoader();
    const resolved = await resolveSource(source, assets, signal);
    timings.check = performance.now() - began;
    const added = performance.now();
    const { typefaces, families } = await loadServerFonts();
    const scene = await addFonts(resolved, families, assets, signal);
    const fontsMs = performance.now() - added;
    const quality = encode?.quality ?? scene.quality;
    let inspected: Inspected = { layers: [] };
    const rendered = await renderScene(scene, {
      assets,
      typefaces,
      watermark,
      verify,
      signal,
      ...(edit && {
        retained,
        onlyChanged: !edit.isWhole,
        caretsOf: edit.carets,
        onInspected(found) {
          inspected = found;
        },
      }),
      ...(encode ? { format: encode.format, quality } : { pixels: true }),
      onStage(stage, milliseconds) {
        timings[stage] = milliseconds + (stage === 'load' ? fontsMs : 0);
      },
    });
    // without a file to write, the stage is only a copy
    if (!encode) delete timings.encode;
    return { ...rendered, ...inspected, quality, serial: retained.paintCount, timings };
  };
}

/** Finds errors and doubtful values in a payload. Only drawing knows whether the workspace has a font for a family. */
export function validate({ payload, variables, size }: Source, { maxLayers }: EngineSettings): Validation {
  const checkUrl = (url: string) => void parseAssetUrl(url, { hasAssets: true });
  const found = validatePayloadAndLayers(payload, { maxLayers, variables, size, checkUrl });
  return { ...found, warnings: found.warnings.filter(({ code }) => code !== 'unknown_font') };
}
