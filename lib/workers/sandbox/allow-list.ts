// The files that a render process reads: the package's code and fonts, and its dependencies. Nothing else is visible to it.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packagePaths } from '../../package-files.js';

export interface AllowList {
  /** Real paths of files and folders. */
  readonly paths: readonly string[];
  /** Symbolic links by their paths: where they lead. */
  readonly links: ReadonlyMap<string, string>;
}

/** Dependencies that only the server and the commands load. */
const SERVER_PACKAGES = new Set(['csv-parse', 'lowdb', 'pg', 'pino', 'prom-client']);

/** Lists the files that a process running `entry` reads. `execArgv` are Node's options for it, which may name a loader. */
export function allowListOf(entry: string, execArgv: readonly string[]): AllowList {
  const paths = new Set<string>();
  const links = new Map<string, string>();
  const add = (path: string): string => {
    const real = realpathSync(path);
    // a folder above it may be a link too, such as that of a scope of packages
    for (let at = path; dirname(at) !== at; at = dirname(at)) {
      const link = join(realpathSync(dirname(at)), basename(at));
      const target = realpathSync(at);
      if (link !== target) links.set(link, target);
    }
    paths.add(real);
    return real;
  };
  const { root, own } = packagePaths();
  for (const path of own) if (existsSync(path)) add(path);
  if (entry.endsWith('.ts')) {
    // TypeScript runs from a checkout, through a loader
    for (const name of ['bin', 'lib', 'node_modules', 'tsconfig.json']) {
      if (existsSync(join(root, name))) add(join(root, name));
    }
    for (const option of execArgv) {
      const [, url] = /^--import=(file:.*)$/.exec(option) ?? [];
      if (url !== undefined) add(dirname(fileURLToPath(url)));
    }
  } else addDependencies(root, add, new Set());
  const main = realpathSync(entry);
  if (!isWithin(main, paths)) add(dirname(main));
  return { paths: outermost(paths), links };
}

/** Adds the dependencies of the package in `folder`, and theirs. */
function addDependencies(folder: string, add: (path: string) => string, seen: Set<string>): void {
  seen.add(folder);
  for (const name of dependenciesOf(folder)) {
    const path = findPackage(name, folder);
    if (path === undefined) continue;
    const real = add(path);
    if (!seen.has(real)) addDependencies(real, add, seen);
  }
}

function dependenciesOf(folder: string): string[] {
  try {
    const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    return Object.keys(dependencies).filter((name) => !SERVER_PACKAGES.has(name));
  } catch {
    return [];
  }
}

/** The folder of a package as Node finds it. `package.json` itself may not be among its exports. */
function findPackage(name: string, from: string): string | undefined {
  const folders = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

function isWithin(path: string, folders: Iterable<string>): boolean {
  for (const folder of folders) if (path === folder || path.startsWith(folder + sep)) return true;
  return false;
}

/** Leaves out what is within another path. */
function outermost(paths: ReadonlySet<string>): string[] {
  return [...paths].filter((path) => !isWithin(dirname(path), paths));
}
