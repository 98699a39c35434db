// The URL of an asset as a user wrote it → where its bytes come from. Decided before anything is fetched, and without
// touching the network or the disk, so that every bad URL of a payload is reported in one go.
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RenderError } from '../errors.js';

/** Where an asset's bytes are: on the web, in the URL itself, or (the command line alone) in a file. */
export type AssetSource =
  | { readonly kind: 'web'; readonly url: URL }
  | { readonly kind: 'data'; readonly url: string }
  | { readonly kind: 'file'; readonly path: string };

export interface AssetSourceOptions {
  /** The folder that relative paths start from. Only where it is given may a URL be a local path or `file:`. */
  readonly baseDirectory?: string;
}

/** Longer URLs than this are cut in messages. */
const SHOWN = 80;
/**
 * Characters of a host and its port; a name that can be looked up has 253. Names of other scripts are encoded in time that
 * grows with the square of their length: one of 300,000 characters took 7 s, in the server's own process.
 */
const MAX_HOST = 512;

/**
 * Where the bytes of `url` come from. Throws RenderError `render_failed`, naming the scheme and what is allowed, when
 * it is no URL, has another scheme, carries a user name or a password, or is a `data:` URL without data.
 */
export function parseAssetUrl(url: string, { baseDirectory }: AssetSourceOptions = {}): AssetSource {
  const scheme = schemeOf(url);
  if (scheme === 'data') {
    if (!url.includes(',')) throw refuse('a data: URL needs a comma before its data');
    return { kind: 'data', url };
  }
  if (scheme === 'http' || scheme === 'https') {
    const parsed = parse(url);
    if (parsed.username !== '' || parsed.password !== '') {
      throw refuse('a URL with a user name or password is not fetched');
    }
    return { kind: 'web', url: parsed };
  }
  if (baseDirectory === undefined) {
    if (scheme === undefined) throw refuse(`received ${quote(url)}, expected an http:, https: or data: URL`);
    throw refuse(`the scheme ${scheme}: is not supported, expected http:, https: or data:`);
  }
  if (scheme === 'file') return { kind: 'file', path: pathOf(url) };
  if (scheme === undefined || isAbsolute(url)) return { kind: 'file', path: localPath(url, baseDirectory) };
  throw refuse(`the scheme ${scheme}: is not supported, expected http:, https:, data: or a file's path`);
}

/**
 * The scheme as the WHATWG parser would see it: it drops tabs, newlines and leading blanks. A data: URL may hold many
 * megabytes, so only its beginning is looked at.
 */
function schemeOf(url: string): string | undefined {
  const start = url
    .slice(0, 256)
    .replace(/[\t\n\r]/g, '')
    .replace(/^[\0-\x20]+/, '');
  return /^([a-z][a-z0-9+.-]*):/i.exec(start)?.[1].toLowerCase();
}

function parse(url: string): URL {
  if (url.length > MAX_HOST && hostLength(url) > MAX_HOST) {
    throw refuse(`${quote(url)} names a host of more than ${MAX_HOST} characters`);
  }
  try {
    return new URL(url);
  } catch (cause) {
    throw new RenderError('render_failed', `${quote(url)} is not a valid URL`, { cause });
  }
}

/** Characters between the scheme's slashes and the path, as the WHATWG parser parts them. */
function hostLength(url: string): number {
  const rest = url.replace(/[\t\n\r]/g, '').replace(/^[\0-\x20]*[a-z][a-z0-9+.-]*:[/\\]*/i, '');
  const end = rest.search(/[/\\?#]/);
  return end === -1 ? rest.length : end;
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new RenderError('render_failed', `${quote(url)} is not a valid file: URL`, { cause });
  }
}

function localPath(url: string, baseDirectory: string): string {
  if (url === '' || url.includes('\0')) throw refuse(`${quote(url)} is not a file's path`);
  return resolve(baseDirectory, url);
}

function refuse(message: string): RenderError {
  return new RenderError('render_failed', message);
}

/** The URL as messages show it: one line, cut where it is long. */
function quote(url: string): string {
  return JSON.stringify(url.length > SHOWN ? `${url.slice(0, SHOWN)}…` : url);
}
