// Loads the pictures and fonts of a scene's layers by the field that names each.
import type { AssetFile } from '../assets/asset-file.js';
import { decodeWarning } from '../codecs/index.js';
import { orientationMap } from '../codecs/orientation.js';
import { type AssetReference, assetReferences } from '../contract/layers/asset-references.js';
import type { Canvas } from '../contract/layers/canvas.js';
import type { BarcodeLayer, GroupLayer, ImageLayer, Layer, QrcodeLayer, TextLayer } from '../contract/layers/index.js';
import { isWasmTrap, RenderError, type Warning } from '../errors.js';
import type { MeasuredLayer } from '../findings/measured.js';
import { compose, IDENTITY } from '../geometry/affine.js';
import { qrcodeContent, qrLogoSize } from '../layers/codes/qrcode.js';
import type { PreparedLayer } from '../layers/composite.js';
import type { Drawable } from '../layers/drawable.js';
import { maskAsImage, maskContent } from '../layers/effects/mask-image.js';
import { type Frame, frameOf, isTooLarge, MAX_ENLARGEMENT, type Space } from '../layers/frame.js';
import { type GroupDrawable, groupContent, groupSpace } from '../layers/group.js';
import { imageContent } from '../layers/image.js';
import { cropWarning, paintedSize } from '../layers/image-placement.js';

import type { NaturalSize, PaintedSize, Picture } from '../layers/picture.js';
import { shapeContent } from '../layers/shape.js';
import { textContent } from '../layers/text/text.js';
import { textWarnings } from '../layers/text/warnings.js';
import type { PictureFile } from '../paint/target.js';
import type { Scene } from '../templates/scene.js';
import type { FontStack } from '../text/font-stack.js';
import type { LoadContext } from './context.js';
import { fitCanvas } from './fit-canvas.js';
import { type LoadedText, loadText, unitsOf } from './fonts.js';
import { inspectHidden, inspectLayer, inspectText, type LoadedImage } from './inspect.js';
import type { Inspected } from './inspected.js';
import { type LaidOut, layOut } from './lay-out.js';
import { loadParts } from './optional-parts.js';
import { type CodeToVerify, Report, throwFailures, withLocation } from './report.js';
import type { RetainedLayer } from './retained.js';

/** The pictures of a layer by field. A picture that a colour replaces, because it could not be loaded, is absent. */
type Pictures = ReadonlyMap<string, LoadedImage>;

const NO_PICTURES: Pictures = new Map();

/** A layer whose assets are loaded. `prepare` lays it out and may add warnings. */
export interface Painter {
  prepare(): PreparedLayer;
}

/** The inputs of loading, and the texts that layout has loaded. */
type Context = LoadContext & Pick<LaidOut, 'textOf'>;

export interface LoadedLayers {
  /** The canvas after the layers have decided its size. */
  readonly canvas: Canvas;
  /** A painter for each visible layer. */
  readonly painters: readonly Painter[];
  /** Holds the prepared layers for the next draw. */
  readonly slot: RetainedLayer | undefined;
  /** Codes of the prepared layers that are to be read back from the picture. */
  codes(): CodeToVerify[];
  /** The warnings so far, in drawing order. */
  warnings(): Warning[];
  /** Descriptions of the prepared layers. */
  inspected(): Inspected;
  /** What was measured of the layers, for findings. */
  measured(): MeasuredLayer[];
}

/**
 * Loads the layers' assets in parallel. Throws one error that lists every asset that can't be loaded, in the order of layers
 * and fields.
 */
export async function loadLayers(scene: Scene, space: Space, context: LoadContext): Promise<LoadedLayers> {
  const { layers, origins, familyFiles } = scene;
  const reports = layers.map((layer, i) => new Report(layer, origins[i], context.verify));
  const withFonts = { ...context, fonts: new Set<string>(), familyFiles };
  const { layers: inBoxes, textOf } = await layOut(layers, scene.canvas, reports, withFonts);
  const { canvas, layers: laidOut, warnings: cut } = fitCanvas(scene, inBoxes, reports);
  const withTexts = { ...withFonts, textOf };
  const painting = loadParts(laidOut);
  if (painting) await painting;
  const slot = context.retained?.begin();
  const loading = laidOut.map((layer, i) => load(layer, space, reports[i], withTexts, slot?.of(i)));
  await Promise.allSettled(loading.filter((loaded) => loaded instanceof Promise));
  context.signal?.throwIfAborted();
  const painters: Painter[] = [];
  for (const loaded of loading) {
    const prepare = loaded instanceof Promise ? await loaded : loaded;
    if (prepare) painters.push({ prepare });
  }
  throwFailures(reports.flatMap((report) => report.allFailures()));
  return {
    canvas,
    painters,
    slot,
    codes: () => reports.flatMap((report) => report.allCodes()),
    warnings: () => [...reports.flatMap((report) => report.allWarnings()), ...cut],
    inspected: () => inspectedBy(reports, context),
    measured: () => reports.map((report) => report.allMeasured()),
  };
}

function inspectedBy(reports: readonly Report[], { caretsOf }: LoadContext): Inspected {
  const layers = reports.flatMap((report) => report.allInspected());
  if (caretsOf === undefined) return { layers };
  for (const report of reports) {
    const carets = report.findCarets(caretsOf);
    if (carets) return { layers, carets };
  }
  return { layers };
}

/** The layer's `prepare`; undefined if the layer is hidden, or its font or data failed. */
type Loaded = Painter['prepare'] | undefined;

/**
 * Loads the layer. Returns no promise if there is nothing to wait for: for 60 small shapes, promises take a tenth of the time.
 */
function load(
  layer: Layer,
  space: Space,
  report: Report,
  context: Context,
  slot: RetainedLayer | undefined,
): Loaded | Promise<Loaded> {
  const frame = frameOf(layer, space);
  if (!layer.visible) {
    if (context.onInspected) inspectHidden(layer, frame, report);
    return undefined;
  }
  if (isTooLarge(frame)) {
    const message = `enlarges the layer more than ${MAX_ENLARGEMENT} times, with the groups around it`;
    report.fail('transform', new RenderError('render_failed', message));
    return undefined;
  }
  const references = assetReferences(layer).filter(({ kind }) => kind === 'image');
  const pictures =
    references.length === 0 ? NO_PICTURES : loadPictures(references, layer, frame, report, context, slot);
  const content = loadContent(layer, frame, report, context, slot);
  const complete = (pictures: Pictures, content: LayerContent | undefined): Loaded => {
    const mask = maskContent(layer, frame, pictures.get('maskImage.url'));
    if (!content) return undefined;
    return () => {
      const layers = content.prepareLayers?.() ?? NO_LAYERS;
      const uses = slot && usesOf(content, references.length, pictures, layers);
      const cached = slot?.find(layer, space, report);
      if (uses && cached && isSameList(cached.uses, uses)) {
        report.adopt(cached.report);
        slot.keep({ ...cached, report });
        return cached.prepared;
      }
      const { meaningOf } = context;
      const prepare = (): PreparedLayer => ({
        effects: layer,
        content: content.prepare(pictures, layers, cached?.prepared),
        mask,
        meaning: meaningOf && (() => meaningOf(layer, frame)),
      });
      const prepared = withLocation(prepare, (failure) => report.locate(failure));
      if (context.onInspected) report.inspect(inspectLayer(layer, frame, prepared, pictures.get('url')));
      if (context.measures) report.measure({ layer, frame, prepared, picture: measuredPicture(pictures.get('url')) });
      if (uses) slot.keep({ layer, space, uses, prepared, report });
      return prepared;
    };
  };
  if (pictures instanceof Promise || content instanceof Promise) {
    return Promise.all([pictures, content]).then((loaded) => complete(...loaded));
  }
  return complete(pictures, content);
}

function measuredPicture(picture: LoadedImage | undefined) {
  return picture && { ...picture, format: picture.natural.format };
}

const NO_LAYERS: readonly PreparedLayer[] = [];

/** The loaded content that a layer paints. */
interface LayerContent {
  /**
   * Prepares the layer's drawing. `last` is the one that the last draw prepared from other nested layers, pictures or fonts.
   */
  prepare(pictures: Pictures, layers: readonly PreparedLayer[], last: PreparedLayer | undefined): Drawable;
  /** Prepares the layers of a group. */
  prepareLayers?(): readonly PreparedLayer[];
  /** The fonts of a text. */
  readonly stacks?: readonly FontStack[];
}

function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((each, i) => each === other[i]);
}

/**
 * Lists the objects that stay identical in the next draw if nothing changed. `count` is the number of pictures that the layer
 * names.
 */
function usesOf(
  { stacks = [] }: LayerContent,
  count: number,
  pictures: Pictures,
  layers: readonly PreparedLayer[],
): readonly unknown[] {
  const faces = stacks.flatMap(({ primary, named = [], fallbacks: { text, symbols, emoji } }) => [
    primary,
    ...named,
    ...text,
    ...symbols,
    ...emoji,
  ]);
  // a picture that could not be loaded may load next time
  const failed = pictures.size < count ? [Symbol('failed')] : [];
  return [...faces, ...Array.from(pictures.values(), ({ pixmap }) => pixmap), ...failed, ...layers];
}

/** Loads the layer's content apart from its pictures; undefined if that failed. */
function loadContent(
  layer: Layer,
  frame: Frame,
  report: Report,
  context: Context,
  slot: RetainedLayer | undefined,
): LayerContent | undefined | Promise<LayerContent | undefined> {
  switch (layer.type) {
    case 'text':
      return prepareText(layer, frame, report, context);
    case 'image':
      return { prepare: (pictures) => prepareImage(layer, frame, pictures.get('url'), report) };
    case 'qrcode':
      return { prepare: (pictures) => prepareQrcode(layer, frame, report, pictures.get('logo.url')) };
    case 'barcode':
      return loadBarcode(layer, frame, report, context);
    case 'shape':
      return { prepare: () => shapeContent(layer, frame) };
    case 'group':
      return loadGroup(layer, frame, report, context, slot);
  }
}

function prepareImage(layer: ImageLayer, frame: Frame, picture: Picture | undefined, report: Report): Drawable {
  const warning = picture && cropWarning(layer.crop, picture.natural);
  if (warning !== undefined) report.warn({ code: 'crop_outside', field: 'crop', message: warning });
  return imageContent(layer, frame, picture);
}

function prepareQrcode(layer: QrcodeLayer, frame: Frame, report: Report, logo: Picture | undefined): Drawable {
  const { content, warnings, code: painted } = qrcodeContent(layer, frame, logo);
  for (const warning of warnings) report.warn(warning);
  report.verify(painted, layer.verify);
  if (painted) report.measure({ code: painted });
  return content;
}

/**
 * Encodes the data, and loads the fonts of the text beneath the code. Imports encoder and painter when a payload first needs
 * them. Returns undefined, and reports it, if no code can hold the data.
 */
async function loadBarcode(
  layer: BarcodeLayer,
  frame: Frame,
  report: Report,
  { typefaces }: LoadContext,
): Promise<LayerContent | undefined> {
  const [{ encodeBarcode }, { barcodeContent, fitBarcode, shownText }] = await Promise.all([
    import('../barcodes/encode.js'),
    import('../layers/codes/barcode.js'),
  ]);
  try {
    const code = encodeBarcode(layer, fitBarcode(layer, frame));
    const request = { fontFamily: layer.fontFamily, fontWeight: 400, fontStyle: 'normal' } as const;
    const font = layer.showText ? await typefaces.resolveStack(request, shownText(layer), noCustomFont) : undefined;
    if (font?.warning) report.warn(font.warning);
    const prepare = () => {
      const { content, warnings, code: painted } = barcodeContent(layer, frame, code, font?.stack);
      for (const warning of warnings) report.warn(warning);
      report.verify(painted, layer.verify);
      if (painted) report.measure({ code: painted });
      return content;
    };
    return { prepare, stacks: font ? [font.stack] : [] };
  } catch (error) {
    if (!(error instanceof RenderError)) throw error;
    report.fail('data', error);
    return undefined;
  }
}

function noCustomFont(): Promise<never> {
  return Promise.reject(new Error('the font is a bundled one'));
}

/** Loads the group's layers in the group's space. */
function loadGroup(
  layer: GroupLayer,
  frame: Frame,
  report: Report,
  context: Context,
  slot: RetainedLayer | undefined,
): LayerContent | Promise<LayerContent> {
  const inner = groupSpace(frame);
  const loading = layer.layers.map((each, index) =>
    load(each, inner, report.of(each, index), context, slot?.of(index)),
  );
  const complete = (loaded: readonly Loaded[]): LayerContent => ({
    prepareLayers: () => loaded.flatMap((prepare) => prepare?.() ?? []),
    prepare: (_pictures, layers, last) =>
      groupContent(layer, frame, layers, last?.content as GroupDrawable | undefined),
  });
  const isLoaded = (each: Loaded | Promise<Loaded>): each is Loaded => !(each instanceof Promise);
  return loading.every(isLoaded) ? complete(loading) : Promise.all(loading).then(complete);
}

/**
 * Prepares the text's content. Returns undefined, and reports it, if it has too many spans or one of its fonts can't be loaded.
 */
function prepareText(
  layer: TextLayer,
  frame: Frame,
  report: Report,
  context: Context,
): LayerContent | undefined | Promise<LayerContent | undefined> {
  const laidOut = context.textOf(layer);
  if (laidOut) return textOf(layer, frame, report, context, laidOut);
  return loadText(layer, context, (field) => report.locateStage(field)).then((loaded) =>
    textOf(layer, frame, report, context, loaded),
  );
}

function textOf(
  layer: TextLayer,
  frame: Frame,
  report: Report,
  context: Context,
  { text, warnings, failures }: LoadedText,
): LayerContent | undefined {
  for (const warning of warnings) report.warn(warning);
  for (const { field, error } of failures) report.fail(field, error);
  if (!text) return undefined;
  const { stages } = context;
  const paintable = () => textContent(layer, frame, text);
  const prepare = () => {
    const painted = stages
      ? stages.layout(report.locateStage('text'), unitsOf(layer, context), paintable)
      : paintable();
    const found = textWarnings(layer, painted);
    for (const warning of found) report.warn({ ...warning, field: 'text' });
    if (context.measures) {
      const missing = found.filter(({ code }) => code === 'missing_glyphs');
      report.measure({ text: painted, missing: missing.map((each) => report.locate({ ...each, field: 'text' })) });
    }
    if (context.onInspected) {
      report.inspectText(inspectText(layer, frame, painted));
      report.keepText({ layer, frame, text });
    }
    return painted.content;
  };
  return { prepare, stacks: [text.stacks.block, ...text.stacks.spans] };
}

type LoadedPicture = { readonly field: string } & ({ readonly picture: LoadedImage } | { readonly error: RenderError });

async function loadPictures(
  references: readonly AssetReference[],
  layer: Layer,
  frame: Frame,
  report: Report,
  context: LoadContext,
  slot: RetainedLayer | undefined,
): Promise<Pictures> {
  const loaded = await Promise.all(
    references.map((reference) => loadPicture(layer, reference, frame, report, context, slot)),
  );
  const pictures = new Map<string, LoadedImage>();
  for (const result of loaded) {
    const { field } = result;
    if ('picture' in result) pictures.set(field, result.picture);
    else if (layer.type === 'image' && field === 'url' && layer.fallbackColor) {
      if (isWasmTrap(result.error.cause)) context.onTrap?.();
      const message = `fallbackColor is shown instead: ${result.error.message}`;
      report.warn({ code: 'image_replaced', field, message });
    } else report.fail(field, result.error);
  }
  return pictures;
}

async function loadPicture(
  layer: Layer,
  { field, url }: AssetReference,
  frame: Frame,
  report: Report,
  { assets, signal, stages }: LoadContext,
  slot: RetainedLayer | undefined,
): Promise<LoadedPicture> {
  try {
    const file = await assets.file(url, signal);
    const natural = file.header;
    const size = pictureSize(layer, field, frame, natural);
    const isVisible = size !== undefined && size.width > 0 && size.height > 0;
    const decidingSize = natural.format === 'svg' && isVisible ? size : undefined;
    const known = await slot?.findPicture(field, file, decidingSize);
    const runDecode = stages?.decoder(report.locateStage(field));
    const options = { ...(isVisible && { size }), ...(signal && { signal }), runDecode };
    const isCut = decidingSize?.part !== undefined;
    const picture = known ?? {
      pixmap: await assets.image(url, options),
      natural,
      isCut,
      file,
      original: pictureFile(file),
    };
    const warning = decodeWarning(picture.pixmap);
    if (warning !== undefined) report.warn({ code: 'color_profile_ignored', field, message: warning });
    slot?.keepPicture(field, { picture, size: decidingSize });
    return { field, picture };
  } catch (error) {
    if (!(error instanceof RenderError) || error.code === 'render_timeout') throw error;
    return { field, error };
  }
}

/** The files that documents contain as they are: one for each. */
const pictureFiles = new WeakMap<AssetFile, PictureFile>();

function pictureFile(file: AssetFile): PictureFile | undefined {
  const { header, bytes } = file;
  if (header.format !== 'jpeg') return undefined;
  const known = pictureFiles.get(file);
  if (known) return known;
  const { width, height, orientation } = header.stored;
  const toSquare = compose(orientationMap(orientation, width, height), {
    ...IDENTITY,
    a: 1 / header.width,
    d: 1 / header.height,
  });
  const original = { bytes, width, height, toSquare };
  pictureFiles.set(file, original);
  return original;
}

/**
 * Computes the size at which the picture of `field` is painted and an SVG rasterized; undefined means the picture's natural
 * size.
 */
function pictureSize(layer: Layer, field: string, frame: Frame, natural: NaturalSize): PaintedSize | undefined {
  if (layer.type === 'qrcode' && layer.logo && field === 'logo.url') {
    return qrLogoSize(layer, layer.logo, frame, natural);
  }
  if (layer.type === 'image' && field === 'url') return paintedSize(layer, frame, natural);
  const { maskImage } = layer;
  if (field !== 'maskImage.url' || !maskImage || !('url' in maskImage)) return undefined;
  return paintedSize(maskAsImage(layer, maskImage), frame, natural);
}
