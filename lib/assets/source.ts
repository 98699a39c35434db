// Parses the URL of an asset into its source: web, data: URL, local file, memory or asset. It touches neither network nor disk, so a
// payload's invalid URLs are all reported together, before anything is fetched.
import { assetIdOf } from '../contract/layers/asset-references.js';
import { closestMatch } from '../contract/messages/closest-match.js';
import { RenderError } from '../errors.js';
import { host, type LocalFiles } from '../host.js';

/**
 * The source of an asset's bytes: the web, the URL itself, a file, (library only) the program's memory, or (service only) the
 * assets of the caller's workspace.
 */
export type AssetSource =
  | { readonly kind: 'web'; readonly url: URL }
  | { readonly kind: 'data'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'memory'; readonly bytes: Uint8Array }
  | { readonly kind: 'asset'; readonly id: string };

export interface AssetSourceOptions {
  /** The folder that relative paths are resolved against. Without it, local paths and `file:` URLs are rejected. */
  readonly baseDirectory?: string;
  /** Images that `memory:NAME` refers to. Without it, `memory:` URLs are rejected. */
  readonly images?: ReadonlyMap<string, Uint8Array> | undefined;
  /** Whether `asset:ID` names an asset of a workspace. Without it, `asset:` URLs are rejected. */
  readonly hasAssets?: boolean;
}

/** Characters of a URL that messages quote; the rest is cut. */
const MAX_QUOTED_LENGTH = 80;
/**
 * Characters of a host and its port; a DNS name has at most 253. Punycode encoding of non-ASCII names takes quadratic time:
 * a name of 300,000 characters took 7 s, in the server's own process.
 */
const MAX_HOST_LENGTH = 512;

/**
 * Parses `url` into its source. Throws RenderError `render_failed`, naming the scheme and what is allowed, if it is not a
 * URL, has another scheme, contains a user name or a password, or is a `data:` URL without data.
 */
export function parseAssetUrl(
  url: string,
  { baseDirectory, images, hasAssets = false }: AssetSourceOptions = {},
): AssetSource {
  const scheme = findScheme(url);
  if (scheme === 'data') {
    if (!url.includes(',')) throw invalidUrl('a data: URL needs a comma before its data');
    return { kind: 'data', url };
  }
  if (scheme === 'http' || scheme === 'https') {
    const parsed = parse(url);
    if (parsed.username !== '' || parsed.password !== '') {
      throw invalidUrl('a URL with a user name or password is not fetched');
    }
    return { kind: 'web', url: parsed };
  }
  if (scheme === 'memory' && images) return { kind: 'memory', bytes: findImage(url, images) };
  if (scheme === 'asset') return { kind: 'asset', id: findAssetId(url, hasAssets) };
  const { files } = host();
  if (baseDirectory === undefined || !files) {
    if (scheme === undefined) throw invalidUrl(`received ${quote(url)}, expected an http:, https: or data: URL`);
    throw invalidUrl(`the scheme ${scheme}: is not supported, expected http:, https: or data:`);
  }
  if (scheme === 'file') return { kind: 'file', path: fileUrlToPath(url, files) };
  if (scheme === undefined || files.isAbsolute(url)) {
    return { kind: 'file', path: resolveLocalPath(url, baseDirectory, files) };
  }
  throw invalidUrl(`the scheme ${scheme}: is not supported, expected http:, https:, data: or a file's path`);
}

function findAssetId(url: string, hasAssets: boolean): string {
  if (!hasAssets) {
    throw invalidUrl(`${quote(url)} is an asset of a workspace: only the service that stores it can render it`);
  }
  const id = assetIdOf(url);
  if (id === undefined) throw invalidUrl(`received ${quote(url)}, expected asset: and the id of an asset (asset_…)`);
  return id;
}

function findImage(url: string, images: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const name = url.slice(url.indexOf(':') + 1);
  const bytes = images.get(name);
  if (bytes) return bytes;
  const meant = closestMatch(name, images.keys());
  const hint = meant === undefined ? '' : `; did you mean ${quote(`memory:${meant}`)}?`;
  throw invalidUrl(`the option images has no ${quote(name)}${hint}`);
}

/**
 * The scheme as the WHATWG URL parser finds it: it drops tabs, newlines and leading whitespace. Only the first 256
 * characters are searched, because a data: URL may be many megabytes long.
 */
function findScheme(url: string): string | undefined {
  const start = url
    .slice(0, 256)
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\0-\x20]+/, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(start)?.[1].toLowerCase();
}

function parse(url: string): URL {
  if (url.length > MAX_HOST_LENGTH && hostLength(url) > MAX_HOST_LENGTH) {
    throw invalidUrl(`${quote(url)} names a host of more than ${MAX_HOST_LENGTH} characters`);
  }
  try {
    return new URL(url);
  } catch (cause) {
    throw new RenderError('render_failed', `${quote(url)} is not a valid URL`, { cause });
  }
}

/** Characters between the scheme's slashes and the path, split as by the WHATWG URL parser. */
function hostLength(url: string): number {
  const rest = url.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]*[a-z][a-z0-9+.-]*:[/\\]*/i, '');
  const end = rest.search(/[/\\?#]/);
  return end === -1 ? rest.length : end;
}

function fileUrlToPath(url: string, files: LocalFiles): string {
  try {
    return files.fromUrl(url);
  } catch (cause) {
    throw new RenderError('render_failed', `${quote(url)} is not a valid file: URL`, { cause });
  }
}

function resolveLocalPath(url: string, baseDirectory: string, files: LocalFiles): string {
  if (url === '' || url.includes('\0')) throw invalidUrl(`${quote(url)} is not a file's path`);
  return files.resolve(baseDirectory, url);
}

function invalidUrl(message: string): RenderError {
  return new RenderError('render_failed', message);
}

/** The URL as messages quote it: on one line, truncated. */
function quote(url: string): string {
  return JSON.stringify(url.length > MAX_QUOTED_LENGTH ? `${url.slice(0, MAX_QUOTED_LENGTH)}…` : url);
}
