// The licences of everything in the package that others made: production dependencies, packages in the bundles, libraries in
// WebAssembly files, fonts and data. scripts/supply.mjs writes them into THIRD-PARTY-LICENSES.txt.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WASM_FILES } from './wasm-files.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Lists of the files that esbuild read for each bundle; the build writes them. */
const METAFILES = ['lib', 'browser', 'dashboard', 'dashboard-engine'].map((name) => `dist/${name}.metafile.json`);
/** The compiler of our own WebAssembly, whose library code is in it. It is one of the tools of test/, and not installed for a build. */
const COMPILER = 'assemblyscript';
const LICENCE_NAME = /^(?:licen[cs]e|copying|notice)/i;
/** A title or a copyright notice above a licence's text. */
const HEAD_LINE =
  /^(?:\s*|(?:the )?(?:mit|isc|bsd(?: \d-clause)?) licen[cs]e(?: \((?:mit|isc)\))?|(?:all rights reserved|(?:©|\(c\)|copyright).*))$/i;
const RUST_FILES = ['@resvg/resvg-wasm/index_bg.wasm', 'brotli-dec-wasm/pkg/brotli_dec_wasm_bg.wasm'];
const WIDTH = 100;

const read = (...path) => readFileSync(join(ROOT, ...path), 'utf8');

/** Folders of the packages that are installed beside Platen, from the root: those of the lock file that are not for development. */
export function productionFolders() {
  const { packages } = JSON.parse(read('package-lock.json'));
  const isInstalled = ([path, { dev, devOptional, link }]) =>
    /node_modules\//.test(path) && !dev && !devOptional && !link;
  return Object.entries(packages)
    .filter(isInstalled)
    .map(([path]) => path);
}

/** The name, version and licence of the compiler of our own WebAssembly, from the lock file of the tools. */
export function compilerPackage() {
  const { version, license } = JSON.parse(read('test/package-lock.json')).packages[`node_modules/${COMPILER}`];
  return { name: COMPILER, version, license };
}

/** Folders of the packages whose code is in the bundles, or whose WebAssembly is, from the root. Needs a built dist/. */
export function bundledFolders() {
  const inputs = METAFILES.flatMap((path) => Object.keys(JSON.parse(read(path)).inputs));
  const folders = inputs.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const compiled = Object.values(WASM_FILES).map(({ specifier }) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier)[0]);
  const wasm = compiled.map((name) => `node_modules/${name}`);
  return [...new Set([...folders.filter(Boolean), ...wasm])].map((path) => relative(ROOT, join(ROOT, path)));
}

/**
 * The licences of a package, each with a title and a text. Throws if there is none.
 * @param {string} folder from the root
 * @param {Record<string, { version: string, file: string, notice?: string }>} others texts of packages that ship none
 */
export function packageLicence(folder, others) {
  const { name, version, license } = JSON.parse(read(folder, 'package.json'));
  const title = `${name} ${version} (${license})`;
  // the codecs of some packages have a separate licence
  const places = [folder, join(folder, 'codec')].filter((place) => existsSync(join(ROOT, place)));
  const texts = places.flatMap((place) =>
    readdirSync(join(ROOT, place))
      .filter((entry) => LICENCE_NAME.test(entry))
      .sort()
      .map((entry) => read(place, entry)),
  );
  const other = others[name];
  if (texts.length > 0 && other)
    throw new Error(`${name} ships its licence: remove it from data/licences/sources.json`);
  if (texts.length > 0) return texts.map((text) => ({ title, text }));
  if (!other) throw new Error(`${name} ${version} ships no licence text: add one to data/licences/sources.json`);
  if (other.version !== version) {
    throw new Error(`the licence of ${name} was looked up for ${other.version}, not for ${version}: see data/licences`);
  }
  return [{ title, text: `${other.notice ? `${other.notice}\n\n` : ''}${read('data/licences', other.file)}` }];
}

/** The licences of the libraries in the WebAssembly files of packages, and in our own. */
function libraryLicences(libraries) {
  return Object.entries(libraries).map(([name, { package: owner, version, licence, file }]) => {
    const isOwn = owner === COMPILER;
    const installed = isOwn
      ? compilerPackage().version
      : JSON.parse(read('node_modules', owner, 'package.json')).version;
    if (installed !== version) {
      throw new Error(
        `the licence of ${name} was looked up for ${owner} ${version}, not ${installed}: see data/licences`,
      );
    }
    const place = isOwn ? `by ${owner} ${version} into lib/kernels` : `into ${owner} ${version}`;
    return { title: `${name}, compiled ${place} (${licence})`, text: read('data/licences', file) };
  });
}

/** The licences of bundled fonts, line breaking dictionaries, locales, icons and Unicode's data. */
function dataLicences() {
  const folders = readdirSync(join(ROOT, 'fonts'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const fonts = folders.map(({ name }) => ({ title: `fonts/${name}`, text: read('fonts', name, 'LICENSE.txt') }));
  const unicode = 'Unicode character data in lib/unicode, lib/layout and fonts/languages.txt';
  return [...fonts, { title: unicode, text: read('LICENSE.unicode') }];
}

/** Rust crates that are named in a WebAssembly file of Rust, which contains the paths of their sources. */
function cratesIn(path) {
  const names = readFileSync(join(ROOT, path), 'latin1').matchAll(
    /index\.crates\.io-[0-9a-f]+\/([\w-]+-\d+\.\d+\.\d+)/g,
  );
  return [...new Set(Array.from(names, ([, name]) => name))].sort();
}

/** Groups licences whose texts differ only in titles, copyright notices and white space. */
function group(licences) {
  const groups = new Map();
  for (const { title, text } of licences) {
    const lines = text.replaceAll('\r', '').trim().split('\n');
    const start = lines.findIndex((line) => !HEAD_LINE.test(line.trim()));
    const notices = lines.slice(0, start).filter((line) => /copyright|©|\(c\)/i.test(line));
    const body = lines
      .slice(start)
      .map((line) => line.trimEnd())
      .join('\n');
    const key = body.replace(/\s+/g, ' ');
    if (!groups.has(key)) groups.set(key, { body, owners: [] });
    groups.get(key).owners.push([title, ...notices.map((line) => `    ${line.trim()}`)].join('\n'));
  }
  return [...groups.values()].map(({ owners, body }) => `${owners.join('\n')}\n\n${body}\n`);
}

const section = (title, licences) =>
  [`${'='.repeat(WIDTH)}\n${title}\n${'='.repeat(WIDTH)}\n`, group(licences).join(`\n${'-'.repeat(WIDTH)}\n\n`)].join(
    '\n',
  );

/** The text of THIRD-PARTY-LICENSES.txt. Throws if a package has no licence text. Needs a built dist/. */
export function licenceFile() {
  const { packages, libraries } = JSON.parse(read('data/licences/sources.json'));
  const folders = [...new Set([...productionFolders(), ...bundledFolders()])].sort();
  const unused = Object.keys(packages).filter(
    (name) => !folders.some((folder) => folder.endsWith(`node_modules/${name}`)),
  );
  if (unused.length > 0) throw new Error(`data/licences/sources.json: nothing uses ${unused.join(', ')}`);
  const crates = RUST_FILES.map((path) => {
    const names = cratesIn(`node_modules/${path}`).map((name) => `    ${name}\n`);
    return `${path} is compiled from Rust. It names these crates, whose licences are at https://crates.io:\n${names.join('')}`;
  });
  return [
    'Licences of what Platen contains or installs and others made. Platen itself is under the licence in LICENSE.',
    'Written by scripts/supply.mjs: not to be edited. A text stands once below all that it applies to.\n',
    section(
      'Packages',
      folders.flatMap((folder) => packageLicence(folder, packages)),
    ),
    section('Libraries in WebAssembly files', libraryLicences(libraries)),
    crates.join('\n'),
    section('Fonts and data', dataLicences()),
  ].join('\n');
}
