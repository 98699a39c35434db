// The options of `createImageHandler`, apart from the handler itself: browsers load that with the first request.

import { unknownOption } from '../contract/messages/closest-match.js';
import type { Template } from '../contract/payload.js';
import type { IMAGE_FORMATS } from './link.js';

export interface ImageHandlerOptions {
  /** The templates by the id that links name, or a function that finds one; what it does not find is 404. */
  readonly templates:
    | Readonly<Record<string, Template>>
    | ((id: string) => Template | undefined | Promise<Template | undefined>);
  /** The private key that signs the links: `lnk_live_` and 43 base64url characters. */
  readonly key: string;
  /** Seconds for which browsers and proxies keep an image; 86,400 by default. Never beyond a link's `expires`. */
  readonly maxAge?: number;
  /** The renderer, such as one with your own fonts; the library's `render` by default. */
  readonly renderer?: { readonly render: RenderTemplate };
}

/** The part of `render` that links need. */
export type RenderTemplate = (
  template: Template,
  options: {
    readonly variables: Readonly<Record<string, string>>;
    readonly format: (typeof IMAGE_FORMATS)[number];
    readonly quality: number;
    readonly theme?: string;
    readonly locale?: string;
    readonly signal: AbortSignal;
  },
) => Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly mimeType: string }>;

export type ImageHandler = (request: Request) => Promise<Response>;

const DEFAULT_MAX_AGE = 86_400;

const NAMES = ['templates', 'key', 'maxAge', 'renderer'] satisfies (keyof ImageHandlerOptions)[];

/** Throws TypeError for a bad one, and for an option that does not exist. */
export function maxAgeOf({ maxAge = DEFAULT_MAX_AGE, ...others }: ImageHandlerOptions): number {
  const unknown = Object.keys(others).find((name) => !(NAMES as string[]).includes(name));
  if (unknown !== undefined) throw new TypeError(`createImageHandler: ${unknownOption(unknown, NAMES)}`);
  if (!Number.isSafeInteger(maxAge) || maxAge < 0) {
    throw new TypeError('createImageHandler: maxAge: expected a whole number of at least 0');
  }
  return maxAge;
}
