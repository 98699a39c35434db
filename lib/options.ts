// The types of the library that are the same in every runtime: payloads, options and results.
import type { DocumentFormat, OutputFormat } from './codecs/codec.js';
import type { Inspection } from './contract/api/inspection.js';
import type { FindingOptions } from './contract/messages/findings.js';
import type { StrictOptions } from './contract/messages/strictness.js';
import type { DocumentInput, Payload, Variables } from './contract/payload.js';
import type { Warning } from './errors.js';

export type { DocumentFormat, OutputFormat } from './codecs/codec.js';
export type {
  ImageInspection,
  InspectedBox,
  InspectedLine,
  Inspection,
  InspectionTimings,
  LayerInspection,
  TextInspection,
} from './contract/api/inspection.js';
export type {
  Finding,
  FindingCode,
  FindingOptions,
  FixOperation,
  SafeAreaName,
  Severity,
} from './contract/messages/findings.js';
export type {
  BarcodeHotspot,
  BarcodeLayer,
  CanvasPayload,
  GroupHotspot,
  GroupLayer,
  Hotspot,
  IconHotspot,
  IconLayer,
  ImageHotspot,
  ImageLayer,
  InPlaceHotspot,
  Layer,
  LayerOverrides,
  Payload,
  QrcodeHotspot,
  QrcodeLayer,
  ShapeHotspot,
  ShapeLayer,
  Template,
  TextHotspot,
  TextLayer,
  Variables,
  VariableValue,
} from './contract/payload.js';
export type { DetailCode, WarningCode } from './detail-codes.js';
export type { Detail, RenderErrorCode, Warning } from './errors.js';
export type { FontFamily } from './fonts/bundled.js';
export type { Validation } from './templates/validate.js';

/** A set of icons in the JSON format of Iconify: what `@iconify-json/mdi/icons.json` and its like are. */
export interface IconifySet {
  /** What stands before the colon in names: `mdi` for `mdi:star`. */
  readonly prefix: string;
  /** Icons by name: an SVG body of paths, basic shapes and groups, and what differs from the sizes of the set. */
  readonly icons: Readonly<Record<string, object>>;
  /** Other names: each has a `parent`, and may turn (`rotate`, in quarter turns) or mirror it (`hFlip`, `vFlip`). */
  readonly aliases?: Readonly<Record<string, object>>;
  /** Sizes of icons that say none; 16 by default. */
  readonly width?: number;
  readonly height?: number;
  readonly left?: number;
  readonly top?: number;
}

/** Limits of renders and the images in memory; every field has the default of the setting of the same name. */
export interface CommonOptions {
  /** Milliseconds for one remote image or font, redirects included; 10,000 by default. */
  readonly assetTimeoutMs?: number;
  /** Bytes of one image or font, after content decoding; 25 MiB by default. */
  readonly assetMaxBytes?: number;
  /** Pixels of one decoded image; 67,108,864 by default. */
  readonly assetMaxPixels?: number;
  /** Milliseconds for one render; 30,000 by default. */
  readonly timeoutMs?: number;
  /** Layers of one payload; 500 by default. */
  readonly maxLayers?: number;
  /** Layers that lists and components of one payload may make; 5,000 by default. */
  readonly maxExpandedLayers?: number;
  /** Bytes of decoded images that a renderer keeps for its next payloads; 128 MiB by default, 0 keeps none. */
  readonly imageCacheBytes?: number;
  /** Images by name, as encoded files: `{ 'logo.png': bytes }` is `memory:logo.png` in the `url` of an image. */
  readonly images?: Readonly<Record<string, Uint8Array>>;
}

/** Overrides for one render. */
export interface RenderOptions extends StrictOptions {
  /** Overrides the payload's `format`. A document, SVG or PDF, is asked for here alone. */
  readonly format?: OutputFormat | 'jpg' | DocumentFormat;
  /** Overrides the payload's `quality`: 1–100; PNG ignores it. */
  readonly quality?: number;
  /** Overrides the payload's `dpi`: pixels per inch, 1–2400, noted in the file. */
  readonly dpi?: number;
  /** Overrides the payload's `lossless`: whether WebP and AVIF lose nothing, whatever `quality` says. */
  readonly lossless?: boolean;
  /** Overrides the payload's scale: pixels of the image per pixel of the layers' coordinates, 0.1–8. */
  readonly scale?: number;
  /**
   * Values for the hotspots of a template, by key or by label. A string, number or boolean is the text, URL or data; an object
   * overrides fields of the layer; `null` hides it. Hotspots without a value keep their default.
   */
  readonly variables?: Variables | Readonly<Record<string, unknown>>;
  /** Name of one of a template's sizes, which replaces its own width and height. */
  readonly size?: string;
  /** Name of one of the payload's themes, whose tokens replace others of the same names. */
  readonly theme?: string;
  /** Tokens by name, which replace those of the payload and its theme. */
  readonly tokens?: Readonly<Record<string, unknown>>;
  /** Language tag of the reader, in place of the payload's locale. */
  readonly locale?: string;
  /** What the picture shows, in place of the payload's `alt`: at most 2,000 characters, which are stored in the file. */
  readonly alt?: string;
  /** Ends the render early: the promise is then rejected with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A finished picture. */
export interface RenderResult {
  /** The encoded file. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly format: OutputFormat | DocumentFormat;
  /** `image/png`, `image/jpeg`, `image/webp`, `image/avif`, `image/svg+xml` or `application/pdf`. */
  readonly mimeType: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /**
   * What the picture shows, for the `alt` of an `<img>`: the payload's, else at most 1,000 characters that are composed of its
   * texts and its layers' `alt`. Empty for decoration.
   */
  readonly alt: string;
  /** Milliseconds from call to result. */
  readonly durationMs: number;
  /** Doubtful values that did not stop the render, each with its path in the payload. */
  readonly warnings: readonly Warning[];
}

/** Pixels have no file. */
export type PixelOptions = Omit<RenderOptions, 'format' | 'quality' | 'dpi' | 'lossless' | 'alt'>;

/** An inspection makes no file, and its warnings fail nothing. */
export interface InspectOptions
  extends Omit<PixelOptions, 'strict' | 'allow'>,
    Pick<RenderOptions, 'alt'>,
    FindingOptions {
  /** Whether the inspection has findings, and their fixes; false by default. The options of findings have no effect without. */
  readonly findings?: boolean;
}

/** The pixels of a render. */
export interface PixelResult {
  /** RGBA with straight alpha, 4 bytes a pixel, row by row from the top, as `ImageData` has them. The caller's own. */
  readonly data: Uint8ClampedArray<ArrayBuffer>;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  /** Warnings like those of RenderResult. */
  readonly warnings: readonly Warning[];
}

/** A page of a document, with what only this page has. */
export interface PageWithOptions
  extends Pick<RenderOptions, 'variables' | 'size' | 'scale' | 'theme' | 'tokens' | 'locale'> {
  readonly payload: Payload;
  /** The folder from which local paths of this page start; in Node alone. */
  readonly baseDirectory?: string;
}

/** A PDF of several pages. */
export interface PagesPayload extends DocumentInput {
  /** 1 to 500 payloads. A template has its variables beside it: `{ payload: template, variables }`. */
  readonly pages: readonly (Payload | PageWithOptions)[];
}

/** Overrides and listeners of one document. */
export interface DocumentOptions extends StrictOptions, Pick<RenderOptions, 'signal'> {
  /** Called when a payload of `pages` was painted. */
  readonly onPage?: (page: PaintedPage) => void;
}

/** What became of one payload of a document. */
export interface PaintedPage {
  /** Its index in `pages`. */
  readonly index: number;
  /** The pages that it fills: one, or more with a group that has `paginate`. */
  readonly pages: number;
  /** Pixels of its image. */
  readonly width: number;
  readonly height: number;
  /** Each with its path in the document, such as `pages[2].layers[0]`. */
  readonly warnings: readonly Warning[];
}

/** The key of `close` for `await using`; none where a program's `lib` does not declare it. */
export type AsyncDispose = SymbolConstructor[Extract<keyof SymbolConstructor, 'asyncDispose'>];

/** Renders payloads one after the other or at once, and keeps fonts and decoded images warm between them. */
export interface Renderer extends Record<AsyncDispose, () => Promise<void>> {
  /**
   * Renders one payload: a canvas with layers, or a template with `options.variables`.
   * @throws RenderError with a stable `code` and, for a bad payload, its faults in `details`, at most 20 and a count of the others.
   */
  render(payload: Payload, options?: RenderOptions): Promise<RenderResult>;
  /** Renders one payload to pixels instead of an encoded file. Throws as `render` does. */
  renderToPixels(payload: Payload, options?: PixelOptions): Promise<PixelResult>;
  /** Says what a render would draw, without drawing it: boxes, lines of texts, parts of images. Throws as `render` does. */
  inspect(payload: Payload, options?: InspectOptions): Promise<Inspection>;
  /**
   * Renders a PDF of several pages, and streams it page by page. `timeoutMs` is for each payload. The stream fails with a
   * RenderError.
   */
  renderDocument(document: PagesPayload, options?: DocumentOptions): ReadableStream<Uint8Array<ArrayBuffer>>;
  /** Lets the renders under way finish and ends the worker processes, if there are any. Their later renders are rejected. */
  close(): Promise<void>;
}
