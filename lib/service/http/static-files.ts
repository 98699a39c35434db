// Serves files of the package: all are listed when the server starts, and a path is looked up in that list: a path that is not
// in it opens no file. Requests for a file share its bytes, so that many slow readers hold them once.
import { extname } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';
import { SingleFlight } from '../../cache/single-flight.js';
import { matchesNone } from '../../contract/api/headers.js';
import type { Answer, ApiRequest } from '../request.js';
import { emptyAnswer } from './answer.js';
import { type FileSource, openFolder } from './file-source.js';

const TYPES: Readonly<Record<string, string>> = {
  '.bin': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};
/** Content encodings by the extension of the compressed twin, best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** Their names change with their content. */
export const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers keep them, and ask each time whether they have changed. */
export const REVALIDATED = 'public, no-cache';

export interface StaticFile {
  /** Route for the log, without the file's name. */
  readonly route: string;
  answer(request: ApiRequest): Promise<Answer>;
}

export interface FolderOptions {
  /** The folder, or where it would be beside its archive. */
  readonly folder: string;
  /** The path of the folder, with a slash at its end. */
  readonly base: string;
  /** The `Cache-Control` of the files. */
  readonly caching: string;
  /** The Content-Security-Policy of a file, by its name in the folder. */
  readonly policyOf: (name: string) => string;
}

/**
 * The files of a folder and the folders in it, by their paths. A file beside its compressed twins (`a.js.br`) is one file,
 * and so is a Brotli twin alone, which is sent in gzip or plain to clients that don't take it.
 */
export function listFolder({ folder, base, caching, policyOf }: FolderOptions): [path: string, file: StaticFile][] {
  const source = openFolder(folder);
  const names = new Set(source.names);
  const alone = Array.from(names, (name) => name.replace(/\.br$/, '')).filter((name) => !names.has(name));
  return [...names, ...alone].flatMap((name) => {
    const type = TYPES[extname(name)];
    if (type === undefined) return [];
    const options: FileOptions = {
      source,
      name,
      type,
      caching,
      policy: policyOf(name),
      twins: ENCODINGS.filter(([, extension]) => names.has(name + extension)),
      hasPlain: names.has(name),
    };
    return [[encodeURI(base + name), createFile(options, `${base}{file}`)]];
  });
}

interface FileOptions {
  readonly source: FileSource;
  readonly name: string;
  readonly type: string;
  readonly caching: string;
  readonly policy: string;
  /** Encodings and extensions of the compressed twins. */
  readonly twins: readonly (readonly [encoding: string, extension: string])[];
  /** Whether there is a file beside the twins. */
  readonly hasPlain: boolean;
}

type Convert = (bytes: Uint8Array) => Uint8Array;

/** The bytes of a file, which all who send it at the time share; they are read again once nobody holds them any more. */
class SharedBytes {
  private readonly held = new Map<string, WeakRef<Uint8Array>>();
  private readonly flights = new SingleFlight<Uint8Array>({ keepResults: false });

  /** Reads a file by `load`, once for all who ask for it. `version` changes with its content. */
  async read(version: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    return this.held.get(version)?.deref() ?? (await this.flights.run(version, () => this.load(version, load)));
  }

  private async load(version: string, load: () => Promise<Uint8Array>): Promise<Uint8Array> {
    const bytes = await load();
    this.held.set(version, new WeakRef(bytes));
    return bytes;
  }
}

function createFile({ source, name, type, caching, policy, twins, hasPlain }: FileOptions, route: string): StaticFile {
  const shared = new SharedBytes();
  /** The form of the file for a client: from which twin, and how it is labelled and made. */
  const form = (header: string | undefined) => {
    const [encoding, extension = ''] = twins.find(([name]) => accepts(header, name)) ?? [];
    if (encoding !== undefined || hasPlain) return { encoding, extension, label: extension, convert: asItIs };
    if (!accepts(header, 'gzip')) return { encoding, extension: '.br', label: '', convert: brotliDecompressSync };
    return {
      encoding: 'gzip',
      extension: '.br',
      label: '.gz',
      convert: (bytes: Uint8Array) => gzipSync(brotliDecompressSync(bytes)),
    };
  };
  return {
    route,
    async answer(request) {
      const { encoding, extension, label, convert } = form(request.header?.('accept-encoding'));
      const path = name + extension;
      const tag = `"${source.version(path)}${label}"`;
      const headers: [string, string][] = [
        ['Cache-Control', caching],
        ['Content-Security-Policy', policy],
        ['ETag', tag],
        ['Vary', 'Accept-Encoding'],
      ];
      if (matchesNone(request.ifNoneMatch, tag)) return emptyAnswer(304, headers);
      const body = await shared.read(tag, async () => convert(await source.read(path)));
      if (encoding !== undefined) headers.push(['Content-Encoding', encoding]);
      const typed = new Map([['Content-Type', type], ...headers]);
      return { status: 200, headers: typed, body, length: body.length, isShared: true };
    },
  };
}

const asItIs: Convert = (bytes) => bytes;

/** Whether `Accept-Encoding` names the coding without forbidding it (`;q=0`). */
function accepts(header = '', coding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
