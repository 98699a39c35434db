// The host of browsers, workers and edge runtimes: everything comes by fetch, except what the program gives.
import { formatReceived } from '../contract/json/describe.js';
import { RenderError } from '../errors.js';
import { type Host, type Instantiate, setHost, type WasmName } from '../host.js';
import { type Fetch, fetchAsset } from './fetch-asset.js';

/** Sources of fonts and WebAssembly modules. All renderers of a page share them. */
export interface Sources {
  /** The folder of the bundled fonts: the package's `fonts`. */
  readonly fontsUrl?: string | URL;
  /** The folder of the WebAssembly files: the package's `dist/wasm`. */
  readonly wasmUrl?: string | URL;
  /** Compiled WebAssembly modules, for hosts that forbid to compile; files that are not given come from `wasmUrl`. */
  readonly wasm?: Readonly<Partial<Record<WasmName, WebAssembly.Module>>>;
  /** Replaces the global `fetch`. Images come by that of their renderer, or by the global one. */
  readonly fetch?: Fetch;
}

type UrlOption = 'fontsUrl' | 'wasmUrl';

export const WASM_NAMES: readonly WasmName[] = [
  'kernels',
  'harfbuzz',
  'harfbuzz-subset',
  'brotli',
  'jpeg-decoder',
  'webp-decoder',
  'webp-encoder',
  'avif-decoder',
  'avif-encoder',
  'resvg',
  'barcode-reader',
  'woff2-encoder',
];

/** The first bytes of a WebAssembly file. */
const WASM_MAGIC = [0, 97, 115, 109];
/** The first bytes of a file that gzip has packed. */
const GZIP_MAGIC = [0x1f, 0x8b];

/** The URL of each file of the package. Both throw, or return undefined, where it can't be told. */
export interface PackageUrls {
  fontUrl(path: string): URL | undefined;
  wasmUrl(name: WasmName): URL | undefined;
  translationUrl(name: WasmName): URL | undefined;
}

export interface BrowserHostOptions {
  /** The text of fonts/manifest.json. */
  readonly manifest: string;
  /** Loads the functions that tell the URLs of the package's files; absent if the sources are always named. */
  readonly packageUrls?: () => Promise<PackageUrls>;
}

/** Sets the host. The result takes the sources of another renderer; throws RenderError for those that differ. */
export function setBrowserHost({ manifest, packageUrls }: BrowserHostOptions): (sources: Sources) => void {
  /** The folders that renderers have named. */
  let fontsUrl: URL | undefined;
  let wasmUrl: URL | undefined;
  let fetch: Fetch | undefined;
  /** Whether a font or module has been loaded: from then on, the URLs can't change. */
  let isUsed = false;
  /** URLs that a renderer has given. Until something has been loaded, a failed load allows another. */
  const chosen = new Set<UrlOption>();
  const ownModules = new Map<WasmName, WebAssembly.Module>();
  const compiled = new Map<WasmName, Promise<WebAssembly.Module>>();
  const translated = new Map<WasmName, Instantiate>();
  /** The folders that the package's own files came from, where none was named. */
  const usedFolders = new Map<UrlOption, URL>();

  /** Loads a file from the folder that `option` names, or else from where the package has it. */
  async function load(option: UrlOption, path: string, packaged: (urls: PackageUrls) => URL | undefined) {
    const folder = option === 'fontsUrl' ? fontsUrl : wasmUrl;
    const code = option === 'fontsUrl' ? 'asset_failed' : 'render_failed';
    const hint = hintFor(option);
    const url = (folder ? new URL(path, folder) : await packagedUrl(packaged))?.href;
    if (url === undefined) throw new RenderError(code, `${path} can't be loaded: ${hint}`);
    const fail = (reason: string, cause?: unknown) => {
      chosen.delete(option);
      return new RenderError(code, `${url} can't be loaded (${reason}): ${hint}`, { cause });
    };
    const request = async () => {
      const response = await (fetch ?? globalThis.fetch)(url);
      return { response, bytes: new Uint8Array(await response.arrayBuffer()) };
    };
    const { response, bytes } = await request().catch((cause: unknown) => {
      throw fail("it can't be reached, or its server does not allow it", cause);
    });
    if (!response.ok) throw fail(`the server answered ${response.status}`);
    // many servers answer what they lack with the application's page; that it doesn't compile would look like a policy
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/html')) throw fail('the server answered with an HTML page');
    if (path.endsWith('.wasm') && !startsWith(bytes, WASM_MAGIC)) throw fail('it is no WebAssembly');
    isUsed = true;
    if (!folder) usedFolders.set(option, new URL(url.endsWith(path) ? url.slice(0, -path.length) : '.', url));
    return bytes;
  }

  /**
   * Bundlers for other formats than ES modules leave `import.meta.url` undefined, and then no URL can be made. What Turbopack
   * puts in place of a URL is relative to the page.
   */
  async function packagedUrl(find: (urls: PackageUrls) => URL | undefined): Promise<URL | undefined> {
    const urls = await packageUrls?.();
    try {
      const url = urls && find(urls);
      return url && new URL(url.href, baseUrl());
    } catch {
      return undefined;
    }
  }

  setHost({
    readFontFile: (path) => load('fontsUrl', path, (urls) => urls.fontUrl(path)),
    readManifest: () => manifest,
    fetchAsset: (url, policy) => fetchAsset(globalThis.fetch, url, policy),
    async digest(bytes) {
      // browsers offer WebCrypto in secure contexts alone
      const digest = globalThis.crypto?.subtle
        ? await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
        : (await import('@noble/hashes/sha2.js')).sha256(bytes);
      return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
    },
    loadWasm(name) {
      const module = ownModules.get(name);
      if (module) return Promise.resolve(module);
      let compiling = compiled.get(name);
      if (!compiling) {
        compiling = load('wasmUrl', `${name}.wasm`, (urls) => urls.wasmUrl(name)).then((bytes) =>
          WebAssembly.compile(bytes),
        );
        compiled.set(name, compiling);
        // don't cache a failure
        compiling.catch(() => compiled.delete(name));
      }
      return compiling;
    },
    async loadTranslation(name) {
      const known = translated.get(name);
      if (known) return known;
      const found = await runTranslation(
        name,
        await load('wasmUrl', `${name}.js.gz`, (urls) => urls.translationUrl(name)),
      );
      translated.set(name, found);
      return found;
    },
  } satisfies Host);

  function checkedUrl(option: UrlOption, value: string | URL | undefined, current: URL | undefined) {
    if (value === undefined) return current;
    const url = parseFolder(option, value);
    const known = current ?? usedFolders.get(option);
    if ((isUsed || chosen.has(option)) && known && url.href !== known.href) {
      const message = `received ${url.href}, but this page's renderers, which share what they load, use ${known.href}`;
      throw new RenderError('invalid_request', `${option}: ${message}`);
    }
    return url;
  }

  return (sources) => {
    const modules = Object.entries(sources.wasm ?? {});
    for (const [name, module] of modules) checkModule(name, module);
    const fonts = checkedUrl('fontsUrl', sources.fontsUrl, fontsUrl);
    wasmUrl = checkedUrl('wasmUrl', sources.wasmUrl, wasmUrl);
    fontsUrl = fonts;
    for (const option of ['fontsUrl', 'wasmUrl'] as const) if (sources[option] !== undefined) chosen.add(option);
    for (const [name, module] of modules) if (module) ownModules.set(name as WasmName, module);
    fetch = sources.fetch ?? fetch;
  };
}

/**
 * Runs the file of a translation as a script. Content security policies without `script-src blob:` forbid that; without
 * `unsafe-eval`, they leave no other way to run a script that was packed.
 */
async function runTranslation(name: WasmName, bytes: Uint8Array): Promise<Instantiate> {
  let url: string | undefined;
  try {
    const script = new Blob(['export default ', ...(await unpack(bytes))], { type: 'text/javascript' });
    url = URL.createObjectURL(script);
    const found: { readonly default: Instantiate } = await import(url);
    return found.default;
  } catch (cause) {
    const message = `${name}.js.gz, for browsers without WebAssembly, can't run: it is damaged, or the page's policy lacks script-src blob:`;
    throw new RenderError('render_failed', message, { cause });
  } finally {
    if (url !== undefined) URL.revokeObjectURL(url);
  }
}

/** The parts of a file that gzip has packed, or the file itself: servers may have browsers unpack it. */
async function unpack(bytes: Uint8Array): Promise<BlobPart[]> {
  const file = bytes as Uint8Array<ArrayBuffer>;
  if (!startsWith(file, GZIP_MAGIC)) return [file];
  const reader = new Blob([file]).stream().pipeThrough(new DecompressionStream('gzip')).getReader();
  const parts: BlobPart[] = [];
  for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
  return parts;
}

const startsWith = (bytes: Uint8Array, magic: readonly number[]) => magic.every((byte, i) => bytes[i] === byte);

const hintFor = (option: UrlOption) =>
  `${option} must be the URL of the package's folder ${option === 'fontsUrl' ? 'fonts' : 'dist/wasm'}`;

/** The URL of the page or worker; edge functions have none. */
const baseUrl = (): string | undefined =>
  (globalThis as { readonly location?: { readonly href: string } }).location?.href;

/** The URL of a folder, relative to the page or worker. */
function parseFolder(option: string, value: string | URL): URL {
  const text = String(value);
  const base = baseUrl();
  if (!URL.canParse(text, base)) {
    throw new RenderError(
      'invalid_request',
      `${option}: received ${formatReceived(value)}, expected the URL of a folder`,
    );
  }
  const url = new URL(text, base);
  if (!url.pathname.endsWith('/')) url.pathname += '/';
  return url;
}

function checkModule(name: string, module: unknown): void {
  if (!(WASM_NAMES as readonly string[]).includes(name)) {
    throw new RenderError('invalid_request', `wasm.${name}: expected one of ${WASM_NAMES.join(', ')}`);
  }
  if (module === undefined || module instanceof WebAssembly.Module) return;
  const message = `wasm.${name}: received ${formatReceived(module)}, expected a WebAssembly.Module`;
  throw new RenderError('invalid_request', message);
}
