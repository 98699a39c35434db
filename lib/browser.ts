// The library for browsers, workers and edge runtimes: the same renders as index.ts, without Node. It is bundled
// (scripts/browser.mjs), with the codecs in separate files.
import { createImageCache } from './assets/image-cache.js';
import { fetchAsset } from './browser/fetch-asset.js';
import { type Sources, setBrowserHost } from './browser/host.js';
import type { Payload } from './contract/payload.js';
import { RenderError } from './errors.js';
import { createFontRegistry } from './fonts/registry.js';
import { type FontSource as AnyFontSource, loadUserFonts } from './fonts/user-fonts.js';
import { type ImageHandler, type ImageHandlerOptions, maxAgeOf } from './links/options.js';
import { normalizeOptions } from './normalize-options.js';
import type {
  CommonOptions,
  DocumentOptions,
  IconifySet,
  Inspection,
  InspectOptions,
  PagesPayload,
  PixelOptions,
  PixelResult,
  Renderer,
  RenderOptions,
  RenderResult,
} from './options.js';
import { checkedPayload, createRendererOf, type ValidateOptions, validatePayload } from './renderer.js';
import { DEFAULTS, loadIcons, type Reach, type RendererState } from './renderer-state.js';
import type { Validation } from './templates/validate.js';

export { RenderError } from './errors.js';
export { listFonts } from './fonts/bundled.js';
export type { WasmName } from './host.js';
export type { ImageHandler, ImageHandlerOptions } from './links/options.js';
export type * from './options.js';
export type { ValidateOptions } from './renderer.js';

/** Limits and surroundings of renders. */
export interface RendererOptions extends CommonOptions, Sources {}

/** A font file, as bytes. What is not given is read from the file. */
export type FontSource = Omit<AnyFontSource, 'data' | 'path'> & { readonly data: Uint8Array };

export interface CreateRendererOptions extends RendererOptions {
  /** Fonts whose families are used like the bundled ones, and before a bundled family of the same name. */
  readonly fonts?: readonly FontSource[];
  /** Sets of icons beside Lucide, for icons such as `mdi:star`. One of the prefix `lucide` takes its place. */
  readonly icons?: readonly IconifySet[];
}

/** Replaced by the text of fonts/manifest.json when the bundle is built. */
declare const FONT_MANIFEST: string;

const addSources = setBrowserHost({
  manifest: FONT_MANIFEST,
  // a separate file: pages with `fontsUrl` and `wasmUrl` don't load it
  packageUrls: () => import('./package-urls.js'),
});

/** A renderer with its own fonts and image cache. */
export function createRenderer(options: CreateRendererOptions = {}): Renderer {
  const normalized = normalizeOptions(options);
  const reach = reachOf(normalized);
  const { imageCacheBytes = DEFAULTS.imageCacheBytes } = normalized;
  const userFonts = normalized.fonts && loadUserFonts(normalized.fonts);
  const shared: RendererState = {
    typefaces: userFonts ? userFonts.then(createFontRegistry) : createFontRegistry(),
    icons: normalized.icons && loadIcons(normalized.icons),
    cache: createImageCache(imageCacheBytes),
  };
  return createRendererOf(normalized, { shared, reachOf: () => reach, close: async () => {} });
}

// fonts are kept for the whole page; decoded images only by a renderer
const pageWide = createRendererOf<RendererOptions>(
  {},
  { shared: { typefaces: createFontRegistry() }, reachOf, close: async () => {} },
);

/**
 * Renders one payload: a canvas with layers, or a template with `options.variables`.
 * @throws RenderError with a stable `code` and, for a bad payload, its faults in `details`, at most 20 and a count of the others.
 */
export async function render(payload: Payload, options: RendererOptions & RenderOptions = {}): Promise<RenderResult> {
  return pageWide.render(payload, options);
}

/** Renders a PDF of several pages, and streams it page by page. The stream fails with a RenderError. */
export function renderDocument(
  document: PagesPayload,
  options: RendererOptions & DocumentOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return pageWide.renderDocument(document, options);
}

/** Renders one payload to pixels instead of an encoded file. Throws as `render` does. */
export async function renderToPixels(
  payload: Payload,
  options: RendererOptions & PixelOptions = {},
): Promise<PixelResult> {
  return pageWide.renderToPixels(payload, options);
}

/**
 * Says what a render of the payload would draw, without drawing it: the boxes of its layers, the lines and fonts of texts,
 * the shown parts of images. Images and fonts are fetched. Throws as `render` does.
 */
export async function inspect(payload: Payload, options: RendererOptions & InspectOptions = {}): Promise<Inspection> {
  return pageWide.inspect(payload, options);
}

/**
 * Checks a payload without rendering it and without network. Never throws on a bad payload: everything that is wrong is in
 * `details`. With `variables`, a template is checked as they fill it.
 */
export function validate(payload: unknown, options: ValidateOptions = {}): Validation {
  return validatePayload(payload, options, {});
}

/**
 * Takes data of unknown type, such as JSON from elsewhere, as a payload. It is checked as `validate` does.
 * @throws RenderError `invalid_request` whose `details` list what is wrong, at most 20 problems and a count of the others.
 * @example
 * const payload = parsePayload(await (await fetch('card.json')).json());
 * const { bytes } = await render(payload);
 */
export function parsePayload(payload: unknown, options: ValidateOptions = {}): Payload {
  return checkedPayload(payload, options, {});
}

function reachOf(options: RendererOptions): Reach {
  useSources(options);
  const { fetch } = options;
  return fetch ? { fetchAsset: (url, policy) => fetchAsset(fetch, url, policy) } : {};
}

/** Options that exist on Node alone, for callers without types. */
const NODE_OPTIONS = new Map([
  ['baseDirectory', 'there are no local files here'],
  ['allowHosts', 'the browser decides which addresses can be fetched'],
  ['workers', 'there are no worker processes here; platen/worker renders in a web worker'],
]);

function useSources(options: RendererOptions): void {
  for (const [name, reason] of NODE_OPTIONS) {
    if ((options as Readonly<Record<string, unknown>>)[name] === undefined) continue;
    throw new RenderError('invalid_request', `${name}: ${reason}`);
  }
  addSources(options);
}

/**
 * Signs the URL of an image and returns it with `&signature=` at its end. Edge runtimes sign; browsers must not, because who
 * has the key can sign any link.
 * `url`: the link with all of its parameters: a whole URL, or a path that starts with `/`.
 * `privateKey`: as `platen links create` prints it.
 * Rejects with TypeError when the URL or the key is malformed, or the URL is signed already.
 */
export async function signImageUrl(url: string | URL, privateKey: string): Promise<string> {
  const { signImageUrl: sign } = await import('./links/sign.js');
  return await sign(url, privateKey);
}

/**
 * The route of signed image links (`…/ID.png?v.NAME=value&…&signature=…`) for a server of your own: answers a request with the
 * image of a template, as the service does at `/v1/images/`. `signImageUrl` signs the links. It does not wait for anything
 * until a request comes; a malformed `key` rejects the requests with TypeError.
 * @throws TypeError for a bad `maxAge` or an unknown option.
 */
export function createImageHandler(options: ImageHandlerOptions): ImageHandler {
  maxAgeOf(options);
  let handler: Promise<ImageHandler> | undefined;
  return async (request) => {
    handler ??= import('./links/handler.js').then(({ createHandler }) =>
      createHandler(options, (template, callOptions) => render(template, callOptions)),
    );
    return (await handler)(request);
  };
}
