// An asset's bytes together with what is derived from them, once: the format, the image header and the digest.
import type { InputFormat } from '../codecs/codec.js';
import { type ImageHeader, readHeader } from '../codecs/header.js';
import { sniff } from '../codecs/sniff.js';
import type { RenderError } from '../errors.js';
import { host } from '../host.js';

/** Shared: nobody may modify the bytes. */
export class AssetFile {
  readonly bytes: Uint8Array;
  #format: { readonly value: InputFormat | undefined } | undefined;
  #header: ImageHeader | undefined;
  #headerError: RenderError | undefined;
  #digest: Promise<string> | undefined;

  /** `digest` is that of the bytes, if it is known. */
  constructor(bytes: Uint8Array, digest?: string) {
    this.bytes = bytes;
    this.#digest = digest === undefined ? undefined : Promise.resolve(digest);
  }

  /** The image format by the content; undefined if it is no image. */
  get format(): InputFormat | undefined {
    this.#format ??= { value: sniff(this.bytes) };
    return this.#format.value;
  }

  /** The image's header. Throws RenderError `render_failed` if the bytes are not an image or the header is malformed. */
  get header(): ImageHeader {
    if (this.#headerError) throw this.#headerError;
    try {
      this.#header ??= readHeader(this.bytes, this.format);
    } catch (error) {
      this.#headerError = error as RenderError;
      throw error;
    }
    return this.#header;
  }

  /** SHA-256 of the bytes. */
  digest(): Promise<string> {
    this.#digest ??= host().digest(this.bytes);
    return this.#digest;
  }
}
