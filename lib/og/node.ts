// `platen/og` on Node, Deno and Bun.
import { createRenderer } from '../index.js';
import { imageResponseOf } from './image-response.js';

export type { FontFile, ImageResponseOptions, OgFont } from './image-response.js';

/** Markup may have as many nodes as it likes, within its own bounds. */
const MAX_LAYERS = 10_000;

/** A web Response with the picture of an element: swap the import of `@vercel/og`. */
export const ImageResponse = imageResponseOf((fonts) => createRenderer({ fonts, maxLayers: MAX_LAYERS }));
