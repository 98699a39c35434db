// Finds the seed files: in the repository and in installed packages.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { unpackFont } from '../../lib/fonts/container.js';
import '../../lib/node-host.js';
import { SFNT, WOFF } from './sfnt.js';

export interface Seed {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface SeedOptions {
  /** The repository. */
  readonly root: string;
  /** Whether installed packages are looked into: their files differ from machine to machine. */
  readonly packages: boolean;
  /** Folders of the caller's own. */
  readonly folders?: readonly string[];
}

/** Debian: golang-1.19-src (PngSuite, Go's pictures), golang-golang-x-image-dev, libsdl2-image-tests, fonts-*. */
const INSTALLED = [
  '/usr/share/go-1.19/src/image',
  '/usr/share/gocode/src/golang.org/x/image',
  '/usr/libexec/installed-tests/SDL2_image',
  '/usr/share/fonts',
  '/usr/share/icons/Adwaita/scalable/devices',
  '/usr/share/icons/Adwaita/16x16/status',
];

/** Larger files are slow to change and to read, and say no more. */
const MAX_BYTES = 64 * 1024;
/** So many of one kind, spread over all that there are. */
const MAX_SEEDS = 120;

/** The files whose name matches, below the folders of the repository and those of packages, in the order of their names. */
export function findSeeds(
  { root, packages, folders = [] }: SeedOptions,
  own: readonly string[],
  pattern: RegExp,
  mostBytes = MAX_BYTES,
): Seed[] {
  const places = [...own.map((folder) => join(root, folder)), ...folders, ...(packages ? INSTALLED : [])];
  const paths = places.flatMap((folder) => filesBelow(folder).filter((path) => pattern.test(path)));
  const fitting = paths.filter((path) => statSync(path).size <= mostBytes);
  const step = Math.max(1, fitting.length / MAX_SEEDS);
  const chosen = Array.from({ length: Math.min(fitting.length, MAX_SEEDS) }, (_, i) => fitting[Math.floor(i * step)]);
  return chosen.map((path) => ({ name: path, bytes: Uint8Array.from(readFileSync(path)) }));
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
      .sort();
  } catch {
    return [];
  }
}

/** Bundled faces are WOFF2; the same tables make TTF and WOFF files of them. */
export async function fontSeeds(options: SeedOptions, kind: 'sfnt' | 'woff' | 'woff2'): Promise<Seed[]> {
  const bundled = findSeeds(options, ['fonts/lato', 'fonts/bebas-neue', 'fonts/noto-sans-hebrew'], /\.woff2$/);
  if (kind === 'woff2') return bundled;
  const unpacked = await Promise.all(
    bundled.slice(0, 4).map(async ({ name, bytes }) => ({ name, bytes: await unpackFont(bytes) })),
  );
  const installed = findSeeds(options, [], /\.(ttf|otf|ttc)$/i, 2 * MAX_BYTES);
  const all = [...unpacked, ...installed];
  return kind === 'sfnt' ? all : all.flatMap(({ name, bytes }) => packed(name, bytes));
}

function packed(name: string, bytes: Uint8Array): Seed[] {
  try {
    return [{ name, bytes: WOFF.join(SFNT.split(bytes)) }];
  } catch {
    return [];
  }
}
