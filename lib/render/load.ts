// Loads the pictures and fonts of a scene's layers, each by the field that names it.
import type { Assets } from '../assets/loader.js';
import { type AssetReference, assetReferences } from '../contract/asset-references.js';
import type { BarcodeLayer, GroupLayer, ImageLayer, Layer, QrcodeLayer, TextLayer } from '../contract/layers/index.js';
import { type LayerOrigin, locateIssue } from '../contract/origins.js';
import { type Detail, isWasmTrap, RenderError, type Warning } from '../errors.js';
import type { FontRegistry } from '../fonts/registry.js';
import type { PaintedCode } from '../layers/codes/painted-code.js';
import { qrcodeContent, qrLogoSize } from '../layers/codes/qrcode.js';
import type { PreparedLayer } from '../layers/composite.js';
import type { Drawable } from '../layers/drawable.js';
import { maskAsImage, maskContent } from '../layers/effects/mask-image.js';
import type { Space } from '../layers/frame.js';
import { groupContent, groupSpace } from '../layers/group.js';
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
  prepare(): PreparedLayer;
}

/** A code that is read back from the finished picture, and where its problem is reported. */
export interface CodeToVerify {
  /** Undefined when the layer's box is empty. */
  readonly code: PaintedCode | undefined;
  /** Whether a problem fails the render. */
  readonly isRequired: boolean;
  readonly warnings: Warning[];
  locate(message: string): Detail;
}

/** The pictures of a layer by field. One that could not be loaded, and that a colour stands in for, is absent. */
type Pictures = ReadonlyMap<string, Picture>;

interface Failure {
  readonly detail: Detail;
  readonly error: RenderError;
}

/** The codes that are to be read back, and how, when that is not up to each layer. */
interface Verification {
  readonly mode: LoadContext['verify'];
  readonly codes: CodeToVerify[];
}

/** What is reported about one layer, by field. */
class Report {
  private readonly warnings: Warning[] = [];
  private readonly failures: Failure[] = [];
  private readonly nested: Report[] = [];

  /** `place`: the path of the layer in the one that `origin` is of, with a dot after it; '' for that one. */
  constructor(
    private readonly layer: Layer,
    private readonly origin: LayerOrigin,
    private readonly verification: Verification,
    private readonly place = '',
  ) {}

  locate(field: string, message: string): Detail {
    const { id } = this.layer;
    return { ...locateIssue(this.origin, this.place + field, message), ...(id !== undefined && { layerId: id }) };
  }

  warn(field: string, message: string): void {
    this.warnings.push(this.locate(field, message));
  }

  /** The layer can't be painted. Loading continues, so that one error names everything that is missing. */
  fail(field: string, error: RenderError): void {
    this.failures.push({ detail: this.locate(field, error.message), error });
  }

  /** `own`: of the layer. */
  verify(code: PaintedCode | undefined, own: 'off' | 'warn' | 'error'): void {
    const mode = this.verification.mode ?? own;
    if (mode === 'off') return;
    const locate = (message: string) => this.locate('data', message);
    this.verification.codes.push({ code, isRequired: mode === 'error', warnings: this.warnings, locate });
  }

  /** The report about layer `index` of the group. */
  of(layer: Layer, index: number): Report {
    const report = new Report(layer, this.origin, this.verification, `${this.place}layers[${index}].`);
    this.nested.push(report);
    return report;
  }

  /** The warnings about the layer and the layers in it, in drawing order. */
  allWarnings(): Warning[] {
    return [...this.warnings, ...this.nested.flatMap((report) => report.allWarnings())];
  }

  allFailures(): Failure[] {
    return [...this.failures, ...this.nested.flatMap((report) => report.allFailures())];
  }
}

interface LoadedLayers {
  /** One for each layer that is visible. */
  readonly painters: readonly Painter[];
  /** The warnings so far, in drawing order. */
  warnings(): Warning[];
}

/**
 * Loads the layers' assets in parallel. Throws one error that lists every asset that can't be loaded, in the order of layers
 * and fields. `codes`: gets those that are to be verified, as they are prepared.
 */
export async function loadLayers(
  { layers, origins }: Scene,
  space: Space,
  context: LoadContext,
  codes: CodeToVerify[],
): Promise<LoadedLayers> {
  const reports = layers.map((layer, i) => new Report(layer, origins[i], { mode: context.verify, codes }));
  const loading = layers.map((layer, i) => load(layer, space, reports[i], context));
  const results = await Promise.allSettled(loading);
  context.signal?.throwIfAborted();
  const painters = results.flatMap((result): Painter[] => {
    if (result.status === 'rejected') throw result.reason;
    return result.value ? [{ prepare: result.value }] : [];
  });
  throwFailures(reports.flatMap((report) => report.allFailures()));
  return { painters, warnings: () => reports.flatMap((report) => report.allWarnings()) };
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
function withLocation(prepare: Painter['prepare'], locate: (message: string) => Detail): PreparedLayer {
  try {
    return prepare();
  } catch (error) {
    if (!(error instanceof RenderError) || error.details.length > 0) throw error;
    const detail = locate(error.message);
    throw new RenderError(error.code, `${detail.path}: ${detail.message}`, { details: [detail], cause: error.cause });
  }
}

/** Loads the layer and returns its `prepare`; undefined if it is hidden, or its font or data failed. */
async function load(
  layer: Layer,
  space: Space,
  report: Report,
  context: LoadContext,
): Promise<Painter['prepare'] | undefined> {
  if (!layer.visible) return undefined;
  const [pictures, prepare] = await Promise.all([
    loadPictures(layer, space, report, context),
    loadContent(layer, space, report, context),
  ]);
  const mask = maskContent(layer, space, pictures.get('maskImage.url'));
  if (!prepare) return undefined;
  const locate = (message: string) => report.locate('text', message);
  return () => withLocation(() => ({ effects: layer, content: prepare(pictures), mask }), locate);
}

type Prepare = (pictures: Pictures) => Drawable;

/** Loads what the layer needs beside pictures; undefined if that failed. */
async function loadContent(
  layer: Layer,
  space: Space,
  report: Report,
  context: LoadContext,
): Promise<Prepare | undefined> {
  switch (layer.type) {
    case 'text':
      return loadText(layer, space, report, context);
    case 'image':
      return (pictures) => prepareImage(layer, space, pictures.get('url'), report);
    case 'qrcode':
      return (pictures) => prepareQrcode(layer, space, report, pictures.get('logo.url'));
    case 'barcode':
      return loadBarcode(layer, space, report, context);
    case 'shape':
      return () => shapeContent(layer, space);
    case 'group':
      return loadGroup(layer, space, report, context);
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

/** Loads the layers in the group, in its space. */
async function loadGroup(
  layer: GroupLayer,
  space: Space,
  report: Report,
  context: LoadContext,
): Promise<Prepare | undefined> {
  const inner = groupSpace(layer, space);
  const preparations = await Promise.all(
    layer.layers.map((each, index) => load(each, inner, report.of(each, index), context)),
  );
  return () =>
    groupContent(
      layer,
      space,
      preparations.flatMap((prepare) => prepare?.() ?? []),
    );
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
  if (layer.type === 'qrcode' && layer.logo && field === 'logo.url') {
    return qrLogoSize(layer, layer.logo, space, natural);
  }
  if (layer.type === 'image' && field === 'url') return paintedSize(layer, space, natural);
  const { maskImage } = layer;
  if (field !== 'maskImage.url' || !maskImage || !('url' in maskImage)) return undefined;
  return paintedSize(maskAsImage(layer, maskImage), space, natural);
}
