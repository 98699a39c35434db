// Loads the pictures and fonts of a scene's layers, each by the field that names it.
import type { Assets } from '../assets/loader.js';
import { type AssetReference, assetReferences } from '../contract/asset-references.js';
import type { BarcodeLayer, ImageLayer, Layer, QrcodeLayer, TextLayer } from '../contract/layers/index.js';
import { locateIssue } from '../contract/origins.js';
import { type Detail, isWasmTrap, RenderError, type Warning } from '../errors.js';
import type { FontRegistry } from '../fonts/registry.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import { qrcodeContent, qrLogoSize } from '../layers/codes/qrcode.js';
import type { Drawable } from '../layers/drawable.js';
import type { Space } from '../layers/frame.js';
import { imageContent } from '../layers/image.js';
import { cropWarning, paintedSize } from '../layers/image-placement.js';
import type { NaturalSize, PaintedSize, Picture } from '../layers/picture.js';
import { shapeContent } from '../layers/shape.js';
import { textContent, textWarnings } from '../layers/text.js';
import { ELLIPSIS } from '../layout/text-box.js';
import type { Scene } from '../templates/scene.js';
import { transformText } from '../text/transform.js';

export interface LoadContext {
  readonly assets: Assets;
  readonly typefaces: FontRegistry;
  /** Instead of the layers' own `verify`. */
  readonly verify?: 'off' | 'warn' | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when WebAssembly trapped but a fallback colour hides the failure: the process may still be damaged. */
  readonly onTrap?: (() => void) | undefined;
}

/** A layer whose assets are loaded. `prepare` lays it out and may add warnings. */
export interface Painter {
  readonly layer: Layer;
  prepare(): Drawable;
}

/** A code that is read back from the finished picture, and where its problem is reported. */
export interface CodeToVerify {
  readonly code: PaintedCode;
  /** Whether a problem fails the render. */
  readonly isRequired: boolean;
  readonly warnings: Warning[];
  locate(message: string): Detail;
}

/** The pictures of a layer by field. One that could not be loaded, and that a colour stands in for, is absent. */
type Pictures = ReadonlyMap<string, Picture>;

/** What is reported about one layer, by field. */
interface Report {
  warn(field: string, message: string): void;
  /** The layer can't be painted. Loading continues, so that one error names everything that is missing. */
  fail(field: string, error: RenderError): void;
  /** `mode`: of the layer. */
  verify(code: PaintedCode | undefined, mode: 'off' | 'warn' | 'error'): void;
}

interface Failure {
  readonly detail: Detail;
  readonly error: RenderError;
}

/**
 * Loads the layers' assets in parallel and adds warnings to the layers' lists. Throws one error that lists every asset that
 * can't be loaded, in the order of layers and fields. `codes`: gets those that are to be verified, as they are prepared.
 */
export async function loadLayers(
  { layers, origins }: Scene,
  space: Space,
  context: LoadContext,
  warnings: readonly Warning[][],
  codes: CodeToVerify[],
): Promise<Painter[]> {
  const locate = (i: number, field: string, message: string): Detail => {
    const { id } = layers[i];
    return { ...locateIssue(origins[i], field, message), ...(id !== undefined && { layerId: id }) };
  };
  const failures: Failure[][] = layers.map(() => []);
  const loading = layers.map((layer, i) => {
    const report: Report = {
      warn: (field, message) => warnings[i].push(locate(i, field, message)),
      fail: (field, error) => failures[i].push({ detail: locate(i, field, error.message), error }),
      verify(code, own) {
        const mode = context.verify ?? own;
        if (!code || mode === 'off') return;
        const isRequired = mode === 'error';
        codes.push({ code, isRequired, warnings: warnings[i], locate: (message) => locate(i, 'data', message) });
      },
    };
    return load(layer, space, report, context);
  });
  const results = await Promise.allSettled(loading);
  context.signal?.throwIfAborted();
  const painters = results.flatMap((result, i): Painter[] => {
    if (result.status === 'rejected') throw result.reason;
    const prepare = result.value;
    if (!prepare) return [];
    return [{ layer: layers[i], prepare: () => withLocation(prepare, (message) => locate(i, 'text', message)) }];
  });
  throwFailures(failures.flat());
  return painters;
}

function throwFailures(failures: readonly Failure[]): void {
  const [first] = failures;
  if (!first) return;
  const { code } = (failures.find(({ error }) => error.code === 'render_failed') ?? first).error;
  const details = failures.map(({ detail }) => detail);
  // a process in which WebAssembly has trapped is replaced: pass the trap on as the cause
  const trap = failures.map(({ error }) => error.cause).find((cause) => isWasmTrap(cause));
  throw new RenderError(code, `${first.detail.path}: ${first.detail.message}`, { details, cause: trap });
}

/** Layout fails only in `prepare`: adds the layer's location to the error, as for loading errors. */
function withLocation(prepare: Prepare, locate: (message: string) => Detail): Drawable {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RenderError) || error.details.length > 0) throw error;
    const detail = locate(error.message);
    throw new RenderError(error.code, `${detail.path}: ${detail.message}`, { details: [detail], cause: error.cause });
  }
}

type Prepare = Painter['prepare'];

/** Loads the layer and returns its `prepare`; undefined when its font can't be loaded, or its data not encoded. */
async function load(layer: Layer, space: Space, report: Report, context: LoadContext): Promise<Prepare | undefined> {
  const [pictures, prepareText] = await Promise.all([
    loadPictures(layer, space, report, context),
    layer.type === 'text' ? loadText(layer, space, report, context) : undefined,
  ]);
  switch (layer.type) {
    case 'text':
      return prepareText;
    case 'image':
      return () => prepareImage(layer, space, pictures.get('url'), report);
    case 'qrcode':
      return () => prepareQrcode(layer, space, report, pictures.get('logo.url'));
    case 'barcode':
      return loadBarcode(layer, space, report, context);
    case 'shape':
      return () => shapeContent(layer, space);
  }
}

function prepareImage(layer: ImageLayer, space: Space, picture: Picture | undefined, report: Report): Drawable {
  const warning = picture && cropWarning(layer.crop, picture.natural);
  if (warning !== undefined) report.warn('crop', warning);
  return imageContent(layer, space, picture);
}

function prepareQrcode(layer: QrcodeLayer, space: Space, report: Report, logo: Picture | undefined): Drawable {
  const { content, warnings, code } = qrcodeContent(layer, space, logo);
  for (const { field, message } of warnings) report.warn(field, message);
  report.verify(code, layer.verify);
  return content;
}

/**
 * Encodes the data, and loads the fonts of the text beneath it. Encoder and painter are imported when a payload first needs
 * them. Undefined when no code holds the data, which is reported.
 */
async function loadBarcode(
  layer: BarcodeLayer,
  space: Space,
  report: Report,
  { typefaces }: LoadContext,
): Promise<Prepare | undefined> {
  const [{ encodeBarcode }, { barcodeContent, fitBarcode, shownText }] = await Promise.all([
    import('../barcodes/encode.js'),
    import('../layers/codes/barcode.js'),
  ]);
  try {
    const code = encodeBarcode(layer, fitBarcode(layer, space));
    const request = { fontFamily: layer.fontFamily, fontWeight: 400, fontStyle: 'normal' } as const;
    const font = layer.showText ? await typefaces.resolveStack(request, shownText(layer), noCustomFont) : undefined;
    if (font?.warning) report.warn('fontFamily', font.warning);
    return () => {
      const { content, warnings, code: painted } = barcodeContent(layer, space, code, font?.stack);
      for (const { field, message } of warnings) report.warn(field, message);
      report.verify(painted, layer.verify);
      return content;
    };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    report.fail('data', error);
    return undefined;
  }
}

function noCustomFont(): Promise<never> {
  return Promise.reject(new Error('the font is a bundled one'));
}

/** The text's `prepare`; undefined when its font can't be loaded, which is reported. */
async function loadText(
  layer: TextLayer,
  space: Space,
  report: Report,
  { assets, typefaces, signal }: LoadContext,
): Promise<Prepare | undefined> {
  const text = transformText(layer.text, layer.textTransform) + (layer.maxLines === undefined ? '' : ELLIPSIS);
  try {
    const { stack, warning } = await typefaces.resolveStack(layer, text, async (url) => {
      const { bytes } = await assets.file(url, signal);
      return bytes;
    });
    if (warning) report.warn('fontFamily', warning);
    return () => {
      const { content, layout } = textContent(layer, space, stack);
      for (const message of textWarnings(layer, layout)) report.warn('text', message);
      return content;
    };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    report.fail(layer.customFontUrl ? 'customFontUrl' : 'fontFamily', error);
    return undefined;
  }
}

type LoadedPicture = { readonly field: string } & ({ readonly picture: Picture } | { readonly error: RenderError });

async function loadPictures(layer: Layer, space: Space, report: Report, context: LoadContext): Promise<Pictures> {
  const references = assetReferences(layer).filter(({ kind }) => kind === 'image');
  const loaded = await Promise.all(references.map((reference) => loadPicture(layer, reference, space, context)));
  const pictures = new Map<string, Picture>();
  for (const result of loaded) {
    const { field } = result;
    if ('picture' in result) pictures.set(field, result.picture);
    else if (layer.type === 'image' && field === 'url' && layer.fallbackColor) {
      if (isWasmTrap(result.error.cause)) context.onTrap?.();
      report.warn(field, `fallbackColor is shown instead: ${result.error.message}`);
    } else report.fail(field, result.error);
  }
  return pictures;
}

async function loadPicture(
  layer: Layer,
  { field, url }: AssetReference,
  space: Space,
  { assets, signal }: LoadContext,
): Promise<LoadedPicture> {
  try {
    const { header: natural } = await assets.file(url, signal);
    const size = pictureSize(layer, field, space, natural);
    const isVisible = size !== undefined && size.width > 0 && size.height > 0;
    const pixmap = await assets.image(url, { ...(isVisible && { size }), ...(signal && { signal }) });
    const isCut = natural.format === 'svg' && isVisible && size.part !== undefined;
    return { field, picture: { pixmap, natural, isCut } };
  } catch (error) {
    if (error instanceof RenderError) return { field, error };
    throw error;
  }
}

/** The size at which the picture of `field` is painted: an SVG is rasterized at it. Undefined: its own size. */
function pictureSize(layer: Layer, field: string, space: Space, natural: NaturalSize): PaintedSize | undefined {
  if (layer.type === 'qrcode' && layer.logo && field === 'logo.url')
    return qrLogoSize(layer, layer.logo, space, natural);
  return layer.type === 'image' && field === 'url' ? paintedSize(layer, space, natural) : undefined;
}
