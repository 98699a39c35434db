// Serves the files of the dashboard: scripts and styles of its pages, the bundled fonts and the engine's WebAssembly. All
// files are listed when the server starts, and a path is looked up in that list: a path that is not in it opens no file.
// Requests for a file share its bytes, so that many slow readers hold them once.
import { readdirSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { SingleFlight } from '../../cache/single-flight.js';
import { matchesNone } from '../../contract/api/headers.js';
import { FONTS_FOLDER, PAGES_FOLDER, WASM_FOLDER } from '../../package-files.js';
import { emptyAnswer } from '../../service/http/answer.js';
import type { Answer, ApiRequest } from '../../service/request.js';
import { PAGE_POLICY, WORKER_POLICY } from '../headers.js';

const TYPES: Readonly<Record<string, string>> = {
  '.bin': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};
/** Content encodings by the extension of the compressed twin, best first. */
const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const;
/** Their names change with their content. */
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Browsers keep them, and ask each time whether they have changed. */
const REVALIDATED = 'public, no-cache';

export interface StaticFile {
  /** For the log: without the file's name. */
  readonly route: string;
  answer(request: ApiRequest): Promise<Answer>;
}

export interface Folders {
  readonly pages: string;
  readonly fonts: string;
  readonly wasm: string;
}

const FOLDERS: Folders = { pages: join(PAGES_FOLDER, 'files'), fonts: FONTS_FOLDER, wasm: WASM_FOLDER };

/** The files by their paths. `workers`: names of scripts that run as workers. */
export function listFiles(workers: readonly string[], folders = FOLDERS): ReadonlyMap<string, StaticFile> {
  const found = new Map<string, StaticFile>();
  const add = (folder: string, base: string, options: Omit<FileOptions, 'file' | 'twins'>) => {
    const names = new Set(namesIn(folder));
    for (const name of names) {
      const type = TYPES[extname(name)];
      if (type === undefined) continue;
      const twins = ENCODINGS.filter(([, extension]) => names.has(name + extension));
      const file = join(folder, name);
      const policy = workers.includes(name) ? WORKER_POLICY : options.policy;
      found.set(encodeURI(base + name), createFile({ ...options, policy, file, type, twins }, `${base}{file}`));
    }
  };
  const shared = { type: '', policy: PAGE_POLICY };
  add(folders.pages, '/dashboard/files/', { ...shared, caching: IMMUTABLE });
  add(folders.fonts, '/dashboard/fonts/', { ...shared, caching: REVALIDATED });
  add(folders.wasm, '/dashboard/wasm/', { ...shared, caching: REVALIDATED });
  return found;
}

/** Paths of the files in a folder, with slashes; none if there is no such folder. */
function namesIn(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    return names.filter((name) => statSync(join(folder, name)).isFile()).map((name) => name.split(sep).join('/'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

interface FileOptions {
  readonly file: string;
  readonly type: string;
  readonly caching: string;
  readonly policy: string;
  /** Encodings and extensions of the compressed twins. */
  readonly twins: readonly (readonly [encoding: string, extension: string])[];
}

/** The bytes of a file, which all who send it at the time share; they are read again once nobody holds them any more. */
class SharedBytes {
  private readonly held = new Map<string, WeakRef<Uint8Array>>();
  private readonly flights = new SingleFlight<Uint8Array>({ keepResults: false });

  /** `version`: changes with the content. */
  async read(file: string, version: string): Promise<Uint8Array> {
    return this.held.get(version)?.deref() ?? (await this.flights.run(version, () => this.load(file, version)));
  }

  private async load(file: string, version: string): Promise<Uint8Array> {
    const bytes = await readFile(file);
    this.held.set(version, new WeakRef(bytes));
    return bytes;
  }
}

function createFile({ file, type, caching, policy, twins }: FileOptions, route: string): StaticFile {
  const shared = new SharedBytes();
  return {
    route,
    async answer(request) {
      const [encoding, extension = ''] =
        twins.find(([name]) => accepts(request.header?.('accept-encoding'), name)) ?? [];
      const { size, mtimeMs } = statSync(file + extension);
      const tag = `"${size.toString(36)}-${Math.trunc(mtimeMs).toString(36)}${extension}"`;
      const headers: [string, string][] = [
        ['Cache-Control', caching],
        ['Content-Security-Policy', policy],
        ['ETag', tag],
        ['Vary', 'Accept-Encoding'],
      ];
      if (matchesNone(request.ifNoneMatch, tag)) return emptyAnswer(304, headers);
      const body = await shared.read(file + extension, tag);
      if (encoding !== undefined) headers.push(['Content-Encoding', encoding]);
      const typed = new Map([['Content-Type', type], ...headers]);
      return { status: 200, headers: typed, body, length: body.length, isShared: true };
    },
  };
}

/** Whether `Accept-Encoding` names the coding without forbidding it (`;q=0`). */
function accepts(header = '', coding: string): boolean {
  return header.split(',').some((part) => {
    const [name, ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
