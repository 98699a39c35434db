// The public library: renders payloads, which are canvases with layers or templates with variables, inspects and checks them.
import './contract/schema/jitless.js';
import './node-host.js';
import { createImageCache } from './assets/image-cache.js';
import type { Payload } from './contract/payload.js';
import { RenderError } from './errors.js';
import { createFontRegistry } from './fonts/registry.js';
import { type FontSource, loadUserFonts } from './fonts/user-fonts.js';
import type { AllowAddress } from './host.js';
import type { IconSet } from './icons/icon-set.js';
import { createHandler } from './links/handler.js';
import type { ImageHandler, ImageHandlerOptions } from './links/options.js';
import { allowAllAddresses, allowPublic } from './net/address-policy.js';
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
import {
  type ValidateOptions as CommonValidateOptions,
  checkedPayload,
  createRendererOf,
  validatePayload,
} from './renderer.js';
import { DEFAULTS, loadIcons, type Reach, type RendererState } from './renderer-state.js';
import * as dataRoom from './templates/data/data.js';
import { setDataRoom } from './templates/data/data-room.js';
import { setIconRoom } from './templates/icons/icon-room.js';
import * as iconRoom from './templates/icons/icons.js';
import type { Validation } from './templates/validate.js';
import { createWorkers, type SceneRenderer } from './workers/scene-renderer.js';

export { RenderError } from './errors.js';
export { listFonts } from './fonts/bundled.js';
export type { FontSource } from './fonts/user-fonts.js';
export type { ImageHandler, ImageHandlerOptions } from './links/options.js';
export { signImageUrl } from './links/sign.js';
export type * from './options.js';

// `validate` can't wait until they are loaded
setDataRoom(dataRoom);
setIconRoom(iconRoom);

/** Limits and surroundings of renders; every field has the default of the setting of the same name. */
export interface RendererOptions extends CommonOptions {
  /** The folder from which local paths in `url` and `customFontUrl` start. Without it, local files are refused. */
  readonly baseDirectory?: string;
  /**
   * Given, even if empty: images and fonts come from public addresses on the web's usual ports alone, and from these hosts
   * (`host` or `host:port`), whatever their address. Without it they come from anywhere.
   */
  readonly allowHosts?: readonly string[];
}

export interface CreateRendererOptions extends RendererOptions {
  /** Fonts whose families are used like the bundled ones, and before a bundled family of the same name. */
  readonly fonts?: readonly FontSource[];
  /** Sets of icons beside Lucide, for icons such as `mdi:star`. One of the prefix `lucide` takes its place. */
  readonly icons?: readonly IconifySet[];
  /**
   * Worker processes to render in, off the event loop; 0 by default: renders run in this process. They start when renders
   * need them. `timeoutMs` then interrupts painting too, and a crash fails one render alone.
   */
  readonly workers?: number;
}

/**
 * A renderer with its own fonts and image cache.
 * @example
 * const renderer = createRenderer({ timeoutMs: 10_000 });
 * for (const title of ['One', 'Two']) {
 *   const { bytes } = await renderer.render({
 *     canvas: { width: 400, height: 200, backgroundColor: 'white' },
 *     layers: [{ type: 'text', text: title, x: 20, y: 20, width: 360, height: 160, fontSize: 64 }],
 *   });
 *   console.log(bytes.length);
 * }
 * await renderer.close();
 */
export function createRenderer(options: CreateRendererOptions = {}): Renderer {
  const normalized = normalizeOptions(options);
  const { workers = 0, imageCacheBytes = DEFAULTS.imageCacheBytes } = normalized;
  const userFonts = normalized.fonts && loadUserFonts(normalized.fonts);
  const processes = createWorkers(workers, imageCacheBytes, userFonts);
  const shared: RendererState = {
    typefaces: userFonts ? userFonts.then(createFontRegistry) : createFontRegistry(),
    icons: normalized.icons && loadIcons(normalized.icons),
    ...(processes ? { elsewhere: inProcesses(processes) } : { cache: createImageCache(imageCacheBytes) }),
  };
  return createRendererOf(normalized, { shared, reachOf, close: async () => processes?.close() });
}

function inProcesses(processes: SceneRenderer): NonNullable<RendererState['elsewhere']> {
  return {
    async render(scene, job) {
      const { bytes, width, height, pages, warnings } = await processes.render(scene, job);
      // what comes from another process is part of a larger buffer
      return { bytes: new Uint8Array(bytes), width, height, warnings, ...(pages !== undefined && { pages }) };
    },
    async inspect(scene, job, findings) {
      const { broken: _, stages = [], ...inspected } = await processes.inspect(scene, { ...job, findings });
      return { ...inspected, stages };
    },
    openDocument: (signal) => processes.openDocument(signal),
  };
}

// fonts are kept for the whole process; decoded images only by a renderer
const processWide = createRendererOf<RendererOptions>(
  {},
  { shared: { typefaces: createFontRegistry() }, reachOf, close: async () => {} },
);

/**
 * Renders one payload: a canvas with layers, or a template with `options.variables`.
 * @throws RenderError with a stable `code` and, for a bad payload, its faults in `details`, at most 20 and a count of the others.
 * @example
 * const { bytes, mimeType } = await render({
 *   canvas: { width: 400, height: 200, backgroundColor: 'navy' },
 *   layers: [{ type: 'text', text: 'Hello', x: 20, y: 20, width: 360, height: 160, fontSize: 64, color: 'white' }],
 * });
 * console.log(mimeType, bytes.length);
 */
export async function render(payload: Payload, options: RendererOptions & RenderOptions = {}): Promise<RenderResult> {
  return processWide.render(payload, options);
}

/**
 * Renders a PDF of several pages, and streams it page by page: its memory is that of one page and an index. The stream fails
 * with a RenderError.
 * @example
 * const canvas = { width: 400, height: 200 };
 * const stream = renderDocument({ pages: [{ canvas, layers: [] }, { canvas, layers: [] }], document: { title: 'Two pages' } });
 * const bytes = await new Response(stream).arrayBuffer();
 * console.log(bytes.byteLength);
 */
export function renderDocument(
  document: PagesPayload,
  options: RendererOptions & DocumentOptions = {},
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return processWide.renderDocument(document, options);
}

/**
 * Renders one payload to pixels instead of an encoded file. Throws as `render` does.
 * @example
 * const { data, width } = await renderToPixels({ canvas: { width: 2, height: 1, backgroundColor: 'red' }, layers: [] });
 * console.log(width, data); // 255, 0, 0, 255, 255, 0, 0, 255
 */
export async function renderToPixels(
  payload: Payload,
  options: RendererOptions & PixelOptions = {},
): Promise<PixelResult> {
  return processWide.renderToPixels(payload, options);
}

/**
 * Says what a render of the payload would draw, without drawing it: the boxes of its layers, the lines and fonts of texts,
 * the shown parts of images. Images and fonts are fetched. Throws as `render` does.
 * @example
 * const { layers } = await inspect({
 *   canvas: { width: 400, height: 200 },
 *   layers: [{ type: 'text', text: 'Hello', x: 20, y: 20, width: 360, height: 160, fontSize: 64 }],
 * });
 * console.log(layers[0].box, layers[0].lines);
 */
export async function inspect(payload: Payload, options: RendererOptions & InspectOptions = {}): Promise<Inspection> {
  return processWide.inspect(payload, options);
}

/** Options of `validate`, with the same defaults as a render's. */
export type ValidateOptions = CommonValidateOptions & Pick<CreateRendererOptions, 'baseDirectory' | 'icons'>;

/**
 * Checks a payload without rendering it, without network and without files. Never throws on a bad payload: everything that
 * is wrong is in `details`. With `variables`, a template is checked as they fill it.
 * @example
 * const { valid, details } = validate({ canvas: { width: 0, height: 200 }, layers: [] });
 * if (!valid) for (const { path, message } of details) console.log(path, message);
 */
export function validate(payload: unknown, options: ValidateOptions = {}): Validation {
  return validatePayload(payload, options, { ...filesOf(options), icons: iconsOf(options) });
}

/**
 * Takes data of unknown type, such as JSON from elsewhere, as a payload. It is checked as `validate` does.
 * @throws RenderError `invalid_request` whose `details` list what is wrong, at most 20 problems and a count of the others.
 * @example
 * const payload = parsePayload(JSON.parse('{"canvas":{"width":400,"height":200},"layers":[]}'));
 * const { bytes } = await render(payload);
 * console.log(bytes.length);
 */
export function parsePayload(payload: unknown, options: ValidateOptions = {}): Payload {
  return checkedPayload(payload, options, { ...filesOf(options), icons: iconsOf(options) });
}

function iconsOf({ icons }: Pick<CreateRendererOptions, 'icons'>): readonly IconSet[] | undefined {
  return icons && iconRoom.readIconSets(icons.map((json, i) => ({ name: `icons[${i}]`, json })));
}

function filesOf({ baseDirectory }: Pick<RendererOptions, 'baseDirectory'>): Pick<Reach, 'baseDirectory'> {
  return baseDirectory === undefined ? {} : { baseDirectory };
}

function reachOf(options: RendererOptions): Reach {
  return { ...filesOf(options), allowAddress: guardOf(options.allowHosts) };
}

/** Returns the policy for addresses that may be fetched from. An invalid host is the caller's fault. */
function guardOf(allowHosts: readonly string[] | undefined): AllowAddress {
  if (!allowHosts) return allowAllAddresses;
  try {
    return allowPublic(allowHosts);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new RenderError('invalid_request', `allowHosts: ${cause.message}`, { cause });
  }
}

/**
 * The route of signed image links (`…/ID.png?v.NAME=value&…&signature=…`) for a server of your own: answers a request with the
 * image of a template, as the service does at `/v1/images/`. `signImageUrl` signs the links. It does not wait for anything
 * until a request comes; a malformed `key` rejects the requests with TypeError.
 * @throws TypeError for a bad `maxAge` or an unknown option.
 * @example
 * const handle = createImageHandler({
 *   templates: { card: { name: 'Card', width: 400, height: 200, hotspots: [] } },
 *   key: `lnk_live_${'A'.repeat(43)}`,
 * });
 * const { status } = await handle(new Request('https://example.com/images/card.png?signature=none'));
 * console.log(status); // 403
 */
export function createImageHandler(options: ImageHandlerOptions): ImageHandler {
  return createHandler(options, (template, callOptions) => render(template, callOptions));
}
