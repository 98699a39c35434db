// Everything that the engine reaches outside itself: fonts, web assets, digests, WebAssembly modules. Each entry of the
// library sets the host of its surroundings before anything renders: node-host.ts on Node, browser.ts elsewhere.

/** The WebAssembly modules: our kernels, HarfBuzz and the codecs. */
export type WasmName =
  | 'kernels'
  | 'harfbuzz'
  | 'harfbuzz-subset'
  | 'brotli'
  | 'jpeg-decoder'
  | 'webp-decoder'
  | 'webp-encoder'
  | 'avif-decoder'
  | 'avif-encoder'
  | 'resvg'
  | 'barcode-reader'
  | 'woff2-encoder';

/** Makes an instance of a module, with a memory of its own: its exports. */
export type Instantiate = (
  imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
) => Readonly<Record<string, unknown>>;

/** Called for every address before connecting. `hostname` is the URL's (without the brackets of an IPv6 literal). */
export type AllowAddress = (address: string, hostname: string, port: number) => boolean;

/** Resolves a host name to its addresses, best first. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface FetchPolicy {
  /** Milliseconds for the whole fetch: name resolution, redirects and body. */
  readonly timeoutMs: number;
  /** Bytes of the body, before and after content decoding. */
  readonly maxBytes: number;
  /** Called for every address before connecting; if one of a host's addresses is not allowed, neither is the host. All are by default. */
  readonly allowAddress?: AllowAddress | undefined;
  readonly resolve?: Resolve;
  /** Called with the number of decoded bytes as they arrive; an exception aborts the fetch. */
  readonly reserve?: (bytes: number) => void;
  /** Aborts the fetch, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Whether error messages say why a fetch failed. Never set for untrusted clients: see net/fetch-reason.ts. */
  readonly explain?: boolean;
}

/** A response body, and the milliseconds for which it may be reused, counted from when its request was sent. */
export interface Fetched {
  readonly bytes: Uint8Array;
  readonly freshMs: number;
}

/** Access to local files, where there are any. */
export interface LocalFiles {
  isAbsolute(path: string): boolean;
  /** The absolute path of `path`, which is relative to `folder` unless it is absolute. */
  resolve(folder: string, path: string): string;
  /** The path of a `file:` URL. Throws if it names none. */
  fromUrl(url: string): string;
  /** Reads a whole file. Rejects with the system's error. */
  readWhole(path: string): Promise<Uint8Array>;
  /** Reads a file as an asset. Throws RenderError `asset_failed` if it can't be read or has more than `maxBytes`. */
  read(path: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array>;
}

export interface Host {
  /** Reads a file of the package's fonts folder, by its path there, with slashes. */
  readFontFile(path: string): Promise<Uint8Array>;
  /** The text of the fonts' manifest.json, at once. */
  readManifest(): string;
  /** The text of the fonts' coverage.txt, at once; absent where it is read like a font. */
  readonly readCoverage?: () => string;
  /** The text of a file of the folder locales in that of the fonts, at once; absent where it is read like a font. */
  readonly readLocale?: (name: string) => string;
  /** The text of a JSON file of the folder icons in that of the fonts, at once; absent where it is read like a font. */
  readonly readIcons?: (name: string) => string;
  /** A set of patterns of the package hyphen, by its name; absent where they can't be loaded. */
  readonly readHyphenation?: (name: string) => unknown;
  /** Fetches a web asset within the policy's limits. Throws RenderError `asset_failed`. */
  fetchAsset(url: URL, policy: FetchPolicy): Promise<Fetched>;
  /** SHA-256 in hex. */
  digest(bytes: Uint8Array): Promise<string>;
  /** The compiled module of a WASM file. Rejects if there is none. */
  loadWasm(name: WasmName): Promise<WebAssembly.Module>;
  /** The module translated to JavaScript, for hosts that don't run WebAssembly. Rejects if there is none. */
  loadTranslation(name: WasmName): Promise<Instantiate>;
  /** The kernels' module, compiled at once; absent where modules are only loaded asynchronously. */
  readonly compileKernels?: () => WebAssembly.Module;
  /** The host's native zlib, faster than the portable code; absent in browsers. Older versions have no `crc32`. */
  readonly zlib?: Zlib;
  /** Native functions that are faster than portable code; absent in browsers. */
  readonly native?: Native;
  /** Absent where there are no local files. */
  readonly files?: LocalFiles;
}

export interface Native {
  /** Decodes base64 and skips what is invalid; undefined if `text` is not ASCII. */
  decodeBase64(text: string): Uint8Array | undefined;
  /** A function that compares `count` words from `a` on with those from `b` on. */
  rowComparison(words: Uint32Array): (a: number, b: number, count: number) => boolean;
}

/** The part of node:zlib that is used. Its types would need those of Node, which a page's project does not have. */
export interface Zlib {
  inflateSync(compressed: Uint8Array, options: Limit): Uint8Array;
  inflateRawSync(compressed: Uint8Array, options: Limit & { chunkSize: number; finishFlush: number }): Uint8Array;
  brotliDecompressSync(compressed: Uint8Array, options: Limit): Uint8Array;
  crc32?(bytes: Uint8Array, start?: number): number;
  readonly constants: { readonly Z_SYNC_FLUSH: number };
}
interface Limit {
  readonly maxOutputLength: number;
}

let current: Host | undefined;

/** Sets the host of this realm. */
export function setHost(host: Host): void {
  current = host;
}

/** The host of this realm. */
export function host(): Host {
  if (!current) throw new Error('no host is set: import platen, or platen/browser, instead of a module inside it');
  return current;
}
