// The library's functions for payloads of any type: tests build payloads from parts, and give wrong ones on purpose.
import {
  type CreateRendererOptions,
  type InspectOptions,
  createRenderer as libraryCreateRenderer,
  inspect as libraryInspect,
  render as libraryRender,
  renderToPixels as libraryRenderToPixels,
  type Payload,
  type PixelOptions,
  type Renderer,
  type RendererOptions,
  type RenderOptions,
} from '../lib/index.js';

export const render = (payload: unknown, options?: RendererOptions & RenderOptions) =>
  libraryRender(payload as Payload, options);
export const renderToPixels = (payload: unknown, options?: RendererOptions & PixelOptions) =>
  libraryRenderToPixels(payload as Payload, options);
export const inspect = (payload: unknown, options?: RendererOptions & InspectOptions) =>
  libraryInspect(payload as Payload, options);

/** A renderer that takes any payload. */
export interface AnyRenderer extends Omit<Renderer, 'render' | 'renderToPixels' | 'inspect'> {
  render(payload: unknown, options?: RenderOptions): ReturnType<Renderer['render']>;
  renderToPixels(payload: unknown, options?: PixelOptions): ReturnType<Renderer['renderToPixels']>;
  inspect(payload: unknown, options?: InspectOptions): ReturnType<Renderer['inspect']>;
}

export const createRenderer = (options?: CreateRendererOptions) => libraryCreateRenderer(options) as AnyRenderer;
