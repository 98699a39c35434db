// `ImageResponse` of @vercel/og: a web Response whose body is the picture of an element. Each entry has its renderer.
import { RenderError } from '../errors.js';
import { type Defaults, fromJsx, type JsxNode } from '../jsx/index.js';
import type { OutputFormat, Renderer } from '../options.js';

/** A font as satori takes it. */
export interface OgFont {
  readonly name: string;
  readonly data: ArrayBuffer | Uint8Array;
  readonly weight?: number;
  readonly style?: 'normal' | 'italic';
}

export interface ImageResponseOptions {
  /** Pixels; 1200 by default. */
  readonly width?: number;
  /** Pixels; 630 by default. */
  readonly height?: number;
  /** TTF, OTF, WOFF or WOFF2 files. Text without a family is set in them. */
  readonly fonts?: readonly OgFont[] | undefined;
  /** Accepted and without effect: emoji are those of the bundled font, and none are fetched. */
  readonly emoji?: string;
  /** Accepted and without effect. */
  readonly debug?: boolean;
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: HeadersInit;
  /** `png` by default. */
  readonly format?: OutputFormat;
  /** 1–100; PNG ignores it. */
  readonly quality?: number;
  /** The values that elements start with; `satori` by default. */
  readonly defaults?: Defaults;
  /** Whether `className` and `class` are classes of Tailwind, as `tw` always is. */
  readonly tailwind?: boolean;
}

/** What @vercel/og sends in production; `headers` may say otherwise. */
const CACHE_CONTROL = 'public, immutable, no-transform, max-age=31536000';

/** Makes the renderer of a response with these fonts. */
export type RendererFor = (fonts: readonly FontFile[]) => Pick<Renderer, 'render'>;

export interface FontFile {
  readonly family: string;
  readonly data: Uint8Array;
  readonly weight?: number;
  readonly style?: 'normal' | 'italic';
}

/** The class of an entry whose renderers are made by `rendererFor`. */
export function imageResponseOf(rendererFor: RendererFor) {
  const withoutFonts = { renderer: undefined as Pick<Renderer, 'render'> | undefined };
  const known = new WeakMap<readonly OgFont[], Pick<Renderer, 'render'>>();
  const rendererOf = (fonts: readonly OgFont[] = []) => {
    if (fonts.length === 0) {
      withoutFonts.renderer ??= rendererFor([]);
      return withoutFonts.renderer;
    }
    let renderer = known.get(fonts);
    if (!renderer) {
      renderer = rendererFor(fonts.map(fontFile));
      known.set(fonts, renderer);
    }
    return renderer;
  };

  /**
   * A response with the picture of an element. Errors of the render break its body off, as those of any stream.
   * @example
   * const response = new ImageResponse({ type: 'div', props: { style: { fontSize: 60 }, children: 'Hello' } }, { width: 800, height: 400 });
   * const png = new Uint8Array(await response.arrayBuffer());
   */
  return class ImageResponse extends Response {
    constructor(element: JsxNode, options: ImageResponseOptions = {}) {
      const { status, statusText, headers, format = 'png' } = options;
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          try {
            controller.enqueue(await picture(element, options, rendererOf(options.fonts)));
            controller.close();
          } catch (error) {
            controller.error(error);
          }
        },
      });
      const all = new Headers({ 'content-type': `image/${format}`, 'cache-control': CACHE_CONTROL });
      new Headers(headers).forEach((value, name) => {
        all.set(name, value);
      });
      super(body, {
        headers: all,
        ...(status !== undefined && { status }),
        ...(statusText !== undefined && { statusText }),
      });
    }
  };
}

async function picture(
  element: JsxNode,
  {
    width = 1200,
    height = 630,
    fonts = [],
    format = 'png',
    quality,
    defaults = 'satori',
    tailwind = false,
  }: ImageResponseOptions,
  renderer: Pick<Renderer, 'render'>,
): Promise<Uint8Array> {
  const { payload } = await fromJsx(element, { width, height, fonts, defaults, tailwind });
  const { bytes } = await renderer.render(payload, { format, ...(quality !== undefined && { quality }) });
  return bytes;
}

function fontFile({ name, data, weight, style }: OgFont, index: number): FontFile {
  const isBytes = data instanceof Uint8Array || data instanceof ArrayBuffer;
  if (typeof name !== 'string' || !isBytes) {
    throw new RenderError(
      'invalid_request',
      `fonts[${index}]: expected an object with a name and data, an ArrayBuffer`,
    );
  }
  const bytes = data instanceof Uint8Array ? data : new Uint8Array(data);
  return { family: name, data: bytes, ...(weight !== undefined && { weight }), ...(style !== undefined && { style }) };
}
