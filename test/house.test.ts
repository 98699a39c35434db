// The house rules that a reader of the import lines can check: which room knows which, which rooms are pure, and where each
// package is met.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The rooms, from the bottom up: a room imports from those that it names, and from what they name in turn. */
const ROOMS: Readonly<Record<string, readonly string[]>> = {
  'detail-codes': [],
  errors: ['detail-codes'],
  'stage-budget': ['errors'],
  resources: [],
  host: [],
  'load-check': [],
  'package-urls': ['host'],
  'package-files': ['load-check', 'package-urls'],
  'wasm-module': [],
  geometry: [],
  unicode: [],
  locale: ['unicode'],
  kernels: ['host'],
  raster: ['geometry', 'kernels'],
  contract: ['errors', 'locale', 'raster', 'unicode'],
  text: ['geometry', 'raster', 'contract', 'unicode'],
  layout: ['text', 'stage-budget'],
  barcodes: ['contract', 'errors'],
  paint: ['text'],
  pdf: ['bytes', 'codecs', 'contract', 'errors', 'fonts', 'host', 'kernels', 'paint'],
  layers: ['layout', 'paint', 'contract', 'barcodes'],
  cache: ['errors', 'host'],
  net: ['cache', 'errors'],
  bytes: ['host'],
  codecs: ['raster', 'errors', 'kernels', 'bytes', 'unicode', 'stage-budget'],
  svg: ['bytes', 'codecs', 'fonts', 'paint'],
  fonts: ['codecs', 'contract', 'layout', 'text'],
  assets: ['cache', 'codecs', 'contract', 'fonts', 'net'],
  'node-host': ['assets', 'package-files'],
  charts: ['contract', 'locale'],
  data: ['cache', 'charts', 'contract'],
  icons: ['contract'],
  templates: ['assets', 'contract', 'data', 'icons', 'layers'],
  'load-data': ['charts', 'templates'],
  batch: ['contract', 'errors', 'templates'],
  settings: ['contract', 'errors', 'resources'],
  links: ['contract', 'errors'],
  client: ['contract', 'errors', 'links'],
  scanner: ['host', 'layers', 'raster'],
  findings: ['contract', 'errors', 'layers', 'scanner'],
  render: ['assets', 'barcodes', 'codecs', 'findings', 'fonts', 'layers', 'scanner', 'pdf', 'svg', 'templates'],
  store: ['cache', 'settings', 'contract', 'errors'],
  workers: ['node-host', 'render', 'resources'],
  jsx: ['contract'],
  options: ['codecs', 'contract', 'errors', 'fonts', 'templates'],
  'normalize-options': ['options'],
  'renderer-state': ['normalize-options', 'render'],
  'document-stream': ['load-data', 'renderer-state'],
  renderer: ['document-stream'],
  index: ['links', 'renderer', 'workers'],
  browser: ['bytes', 'links', 'package-urls', 'renderer', 'host'],
  'web-worker': ['browser'],
  og: ['browser', 'index', 'jsx', 'options'],
  service: ['batch', 'index', 'settings', 'store', 'workers'],
  dashboard: ['service', 'store'],
  cli: ['jsx', 'batch', 'client', 'dashboard', 'load-data', 'service', 'index', 'resources'],
  bin: ['cli'],
};

/**
 * The rooms of web/, whose code runs in browsers, and what they import: rooms of web/ and of lib/. From the contract the pages
 * take types alone; the engine's room runs the renderer in its worker.
 */
const WEB_ROOMS: Readonly<Record<string, { readonly web: readonly string[]; readonly lib: readonly string[] }>> = {
  app: { web: [], lib: [] },
  engine: { web: [], lib: ['browser', 'web-worker'] },
  ui: { web: ['app', 'engine'], lib: [] },
  json: { web: ['app', 'ui'], lib: [] },
  preview: { web: ['app', 'ui', 'engine', 'json'], lib: ['errors'] },
  // the editor: its document and commands, the canvas with the picture, and the panels around it
  document: { web: ['json'], lib: [] },
  canvas: { web: ['app', 'ui', 'engine', 'preview', 'document'], lib: ['geometry'] },
  panels: { web: ['app', 'ui', 'engine', 'json', 'preview', 'document', 'canvas'], lib: [] },
  pages: { web: ['app', 'ui', 'engine', 'json', 'preview', 'document', 'canvas', 'panels'], lib: [] },
  frame: { web: ['app', 'ui', 'pages'], lib: [] },
  // the documentation site, which has no page of the dashboard
  guide: { web: [], lib: ['errors', 'web-worker'] },
  main: { web: ['app', 'frame'], lib: [] },
};

/** Files that pages may import besides: small, and without zod. */
const WEB_FILES = [
  /^lib\/contract\/json\/parse\.ts$/,
  /^lib\/templates\/pixel-diff\.ts$/,
  // which strings of a record have which placeholders, its sample sets, and its declared variables
  /^lib\/contract\/(?:messages\/closest-match|layers\/layer-strings|template\/(?:declaration|overrides|placeholders|samples))\.ts$/,
  // colours, gradients and lists of families as the renderer reads them
  /^lib\/contract\/css\/(?:font-family|gradient|parse-color)\.ts$/,
  // what the JSON editor completes, and what Playground and New template offer
  /^schema\.json$/,
  /^(?:data\/templates|examples)\/[\w-]+\.json$/,
];

/** Every room that a room may import from. */
function allowedFor(room: string): Set<string> {
  const allowed = new Set(ROOMS[room] ?? []);
  for (const below of allowed) for (const further of ROOMS[below]) allowed.add(further);
  return allowed;
}

/** The folders of the contract, from the bottom up: a file imports from its own and from those before it. The last is the top. */
const CONTRACT = ['json', 'messages', 'schema', 'css', 'layers', 'template', 'api', ''];

/** Types that rooms may know across or against the stream: the formats' names are the wire's too. */
const TYPES_ONLY = new Map([['contract', 'lib/codecs/codec.ts']]);

const PURE = [
  'geometry',
  'unicode',
  'raster',
  'text',
  'paint',
  'layout',
  'barcodes',
  'layers',
  'charts',
  'data',
  'locale',
  'templates',
  'contract',
  'icons',
];

/** The rooms that may import a package; one that isn't named here may be met in one room, whichever that is. */
const PACKAGES = new Map<string, readonly string[]>([
  ['harfbuzzjs', ['text']],
  ['bidi-js', ['text']],
  ['qrcode-generator', ['layers']],
  ['@jsquash/avif', ['codecs']],
  ['@jsquash/webp', ['codecs']],
  ['@resvg/resvg-wasm', ['codecs']],
  ['jpeg-js', ['codecs']],
  ['pngjs', ['codecs']],
  ['brotli-dec-wasm', ['fonts']],
  ['zxing-wasm', ['scanner']],
  ['@noble/hashes', ['browser']],
  ['zod', ['contract', 'settings']],
  ['lowdb', ['store']],
  ['pg', ['store']],
  ['pino', ['service']],
  ['rfc6902', ['findings']],
]);

interface Import {
  readonly specifier: string;
  readonly typesOnly: boolean;
}

interface SourceFile {
  /** From the root, with slashes. */
  readonly path: string;
  readonly room: string;
  /** The text without comments and without what stands in quotes. */
  readonly code: string;
  readonly imports: readonly Import[];
}

function roomOf(path: string): string {
  const [top, second, third] = path.split('/');
  if (top === 'bin') return 'bin';
  if (third !== undefined) return second;
  const name = second.replace(/\.tsx?$/, '');
  return name;
}

function importsOf(text: string): Import[] {
  const found: Import[] = [];
  const statement = /^(?:import|export)\s+(?:([\w$*{},\s]+?)\s+from\s+)?['"]([^'"]+)['"]/gm;
  for (const [, clause = '', specifier] of text.matchAll(statement)) {
    const names = clause.replace(/[{}]/g, '').split(',');
    const named = names.map((name) => name.trim()).filter((name) => name !== '');
    const typesOnly =
      /^\s*type\b/.test(clause) || (named.length > 0 && named.every((name) => name.startsWith('type ')));
    found.push({ specifier, typesOnly });
  }
  for (const [, specifier] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)) {
    found.push({ specifier, typesOnly: false });
  }
  return found;
}

function read(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name).split(sep).join('/'))
    .filter((path) => /\.tsx?$/.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const code = text
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/(^|[^:'"`\\])\/\/.*$/gm, '$1')
        .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g, "''");
      // declarations for packages without types import nothing
      const imports = path.endsWith('.d.ts') ? [] : importsOf(text);
      return { path, room: roomOf(path), code, imports };
    });
}

const files = [...read('lib'), ...read('bin')];
/** Files of the pages and the engine's worker, which run in browsers. */
const webFiles = read('web');

/** `@scope/name/file.js` → `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** The file that an import line names; undefined for a package. */
function targetOf(path: string, { specifier }: Import): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  return join(dirname(path), specifier.replace(/\.js$/, '.ts')).split(sep).join('/');
}

/** Entries of the package: their exports are the public names of what other rooms have. */
const ENTRIES = ['browser', 'client', 'index', 'renderer'];

t.test('no two rooms export a type of the same name', (t) => {
  const rooms = new Map<string, Set<string>>();
  for (const { room, code } of files) {
    if (ENTRIES.includes(room)) continue;
    for (const [, name] of code.matchAll(/^export (?:abstract )?(?:interface|type|class|enum) (\w+)/gm)) {
      rooms.set(name, (rooms.get(name) ?? new Set()).add(room));
    }
  }
  t.ok(rooms.size > 500, `${rooms.size} types`);
  const shared = [...rooms].filter(([, each]) => each.size > 1).map(([name, each]) => `${name}: ${[...each]}`);
  t.same(shared, []);
  t.end();
});

t.test('the files are found, and their import lines read', (t) => {
  t.ok(files.length > 50);
  const line = files.find(({ path }) => path === 'lib/render.ts');
  t.ok(line?.imports.some(({ specifier }) => specifier === './layers/composite.js'));
  t.same(importsOf("import { a,\n  type B } from './c.js';\nimport type { D } from 'e';\nawait import('f');"), [
    { specifier: './c.js', typesOnly: false },
    { specifier: 'e', typesOnly: true },
    { specifier: 'f', typesOnly: false },
  ]);
  t.same(importsOf("export type { G } from './h.js';\nimport 'i';"), [
    { specifier: './h.js', typesOnly: true },
    { specifier: 'i', typesOnly: false },
  ]);
  t.end();
});

t.test('imports run one way', (t) => {
  for (const { path, room, imports } of files) {
    t.ok(Object.hasOwn(ROOMS, room), `${path} is in a room that the house knows`);
    const allowed = allowedFor(room);
    for (const { specifier, typesOnly } of imports) {
      if (!specifier.startsWith('.')) continue;
      const target = targetOf(path, { specifier, typesOnly }) ?? '';
      const other = roomOf(target);
      const excepted = typesOnly && TYPES_ONLY.get(room) === target;
      if (other !== room && !excepted) t.ok(allowed.has(other), `${path} imports ${target}`);
    }
  }
  t.end();
});

t.test('the contract is in layers: its folders import those below them, and never the files above the folders', (t) => {
  const folderOf = (path: string) => path.split('/').slice(2, -1)[0] ?? '';
  const levelOf = (path: string) => CONTRACT.indexOf(folderOf(path));
  const top = new Set<string>();
  for (const { path, room, imports } of files) {
    if (room !== 'contract') continue;
    t.not(levelOf(path), -1, `${path} is in a folder that the house knows`);
    if (folderOf(path) === '') top.add(path);
    for (const line of imports) {
      const target = targetOf(path, line);
      if (target?.startsWith('lib/contract/')) t.ok(levelOf(target) <= levelOf(path), `${path} imports ${target}`);
    }
  }
  t.ok(top.size > 0 && top.size <= 12, `${top.size} files above the folders`);
  t.end();
});

t.test('no two files import each other, directly or through others', (t) => {
  const imported = new Map(
    [...files, ...webFiles].map(({ path, imports }) => [
      path.replace(/x$/, ''),
      imports.flatMap((line) => targetOf(path, line) ?? []),
    ]),
  );
  /** Files whose imports have all been followed, and the files on the way from the first to the present one. */
  const done = new Set<string>();
  const way: string[] = [];
  const cycles: string[] = [];
  const follow = (path: string) => {
    if (way.includes(path)) cycles.push([...way.slice(way.indexOf(path)), path].join(' → '));
    if (done.has(path) || way.includes(path)) return;
    way.push(path);
    for (const target of imported.get(path) ?? []) follow(target);
    way.pop();
    done.add(path);
  };
  for (const path of imported.keys()) follow(path);
  t.same(cycles, []);
  t.end();
});

t.test('pure rooms import no node: module and wait for nothing', (t) => {
  for (const { path, room, imports, code } of files) {
    if (!PURE.includes(room)) continue;
    const node = imports.filter(({ specifier }) => specifier.startsWith('node:'));
    t.same(node, [], `${path} imports no node: module`);
    t.notOk(/\b(async|await)\b/.test(code), `${path} holds no async`);
    t.notOk(/(?<![.\w])(process|Buffer|require|setTimeout)[.(]/.test(code), `${path} uses none of Node's globals`);
  }
  t.end();
});

/** Functions of Math that every engine computes alike; geometry/math.ts has the rest. */
const EXACT_MATH = /^(?:abs|min|max|floor|ceil|round|trunc|sign|sqrt|fround|imul|clz32|PI|LN2|SQRT1_2|SQRT2)$/;
/** Files of these rooms that draw nothing: times that the API takes. */
const WITH_DATES = ['lib/contract/api/query.ts'];
/** Reports how long each stage took. */
const WITH_CLOCK = ['lib/render.ts', 'lib/render/paint-scene.ts'];

t.test('rooms that draw use nothing that differs from engine to engine, or from run to run', (t) => {
  const found = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].map(([text]) => text);
  for (const { path, room, code } of files) {
    if (![...PURE, 'codecs', 'kernels', 'fonts', 'render'].includes(room)) continue;
    const names = [...code.matchAll(/\bMath\.(\w+)|\{([^{}]*)\} = Math\b/g)].flatMap(([, one, several]) =>
      one === undefined ? several.split(',').map((name) => name.trim()) : [one],
    );
    const inexact = names.filter((name) => !EXACT_MATH.test(name));
    t.same(inexact, [], `${path} takes functions that round from geometry/math.ts`);
    // powers of two are exact everywhere
    const powers = found(code, /[\w.)\]]+\s*\*\*/g).filter((power) => !/^2\s/.test(power));
    t.same(powers, [], `${path} raises to a power only the number 2, by a whole number`);
    if (!WITH_DATES.includes(path)) t.same(found(code, /\bDate\b/g), [], `${path} does not ask for the time`);
    if (!WITH_CLOCK.includes(path))
      t.same(found(code, /\bperformance\b/g), [], `${path} does not ask how long it takes`);
    t.same(found(code, /\b(?:localeCompare|toLocale\w+|Intl)\b/g), [], `${path} knows no locale`);
    const unicode = found(code, /\\[pP]\{|\b(?:toUpperCase|toLowerCase|normalize)\(/g);
    if (room !== 'unicode')
      t.same(unicode, [], `${path} takes the properties and cases of characters from lib/unicode`);
  }
  t.end();
});

/** The awaits outside functions, which would keep CommonJS from requiring a module. */
function topLevelAwaits(path: string): number {
  let count = 0;
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isAwaitExpression(node) || (ts.isForOfStatement(node) && node.awaitModifier)) count++;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(join(ROOT, path), 'utf8'), ts.ScriptTarget.ES2022));
  return count;
}

t.test('no module of the library waits while it is imported', (t) => {
  t.equal(topLevelAwaits('bin/render.ts'), 1, 'the entry point may');
  for (const { path } of files) if (path.startsWith('lib/')) t.equal(topLevelAwaits(path), 0, path);
  t.end();
});

t.test('a package is met in one room', (t) => {
  const rooms = new Map<string, Set<string>>();
  for (const { room, imports } of files) {
    for (const { specifier } of imports) {
      if (specifier.startsWith('.') || specifier.startsWith('node:')) continue;
      const name = packageOf(specifier);
      rooms.set(name, (rooms.get(name) ?? new Set()).add(room));
    }
  }
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  for (const [name, met] of rooms) {
    t.ok(Object.hasOwn({ ...dependencies, ...devDependencies }, name), `${name} is installed`);
    const allowed = PACKAGES.get(name);
    if (allowed)
      t.same(
        [...met].filter((room) => !allowed.includes(room)),
        [],
        `${name} is met in ${allowed} only`,
      );
    else t.equal(met.size, 1, `${name} is met in one room, not in ${[...met]}`);
  }
  t.end();
});

t.test('the packages of the pages are for development: what is installed has them in its bundle', (t) => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const packages = webFiles
    .filter(({ room }) => room !== 'engine')
    .flatMap(({ imports }) => imports.filter(({ specifier }) => !specifier.startsWith('.')))
    .map(({ specifier }) => packageOf(specifier));
  t.ok(packages.includes('preact'));
  for (const name of new Set(packages)) {
    t.ok(Object.hasOwn(devDependencies, name), `${name} is a development dependency`);
    t.notOk(Object.hasOwn(dependencies, name), `${name} is none of the package's`);
  }
  t.end();
});

t.test('the pages import one way, and nothing of lib but types of the contract; the engine runs the renderer', (t) => {
  t.ok(webFiles.length > 20);
  for (const { path, room, imports } of webFiles) {
    t.ok(Object.hasOwn(WEB_ROOMS, room), `${path} is in a room that the house knows`);
    const { web, lib } = WEB_ROOMS[room];
    const allowedInLib = new Set(lib.flatMap((name) => [name, ...allowedFor(name)]));
    for (const line of imports) {
      const target = targetOf(path, line);
      if (target === undefined) {
        t.notOk(line.specifier.startsWith('node:'), `${path} imports no node: module`);
        continue;
      }
      const [top] = target.split('/');
      if (WEB_FILES.some((file) => file.test(target))) continue;
      const other = roomOf(target);
      if (top === 'web') t.ok(other === room || web.includes(other), `${path} imports ${target}`);
      else t.ok(allowedInLib.has(other) || (line.typesOnly && other === 'contract'), `${path} imports ${target}`);
    }
  }
  t.end();
});

t.test('a file opens with what it does, and does not look at NODE_ENV', (t) => {
  for (const { path, room, code } of [...files, ...webFiles]) {
    t.notOk(code.includes('NODE_ENV'), `${path} does not look at NODE_ENV`);
    if (room !== 'bin') t.match(readFileSync(join(ROOT, path), 'utf8'), /^(\/\/|\/\*)/, `${path} opens with a comment`);
  }
  t.end();
});

t.test('a render process loads neither zod nor the templates: what it gets has been checked', (t) => {
  const byPath = new Map(files.map((file) => [file.path, file]));
  const reached = new Set(['lib/workers/child.ts']);
  const packages = new Set<string>();
  for (const path of reached) {
    for (const { specifier, typesOnly } of byPath.get(path)?.imports ?? []) {
      if (typesOnly) continue;
      if (specifier.startsWith('.'))
        reached.add(join(dirname(path), specifier.replace(/\.js$/, '.ts')).split(sep).join('/'));
      else packages.add(packageOf(specifier));
    }
  }
  t.ok(reached.has('lib/render.ts'));
  t.notOk(packages.has('zod'));
  t.same(
    [...reached].filter((path) => path.startsWith('lib/templates/')),
    [],
  );
  t.end();
});

t.test('the client has no import that is left at run time', (t) => {
  const inside = files.filter(({ room }) => room === 'client');
  t.ok(inside.length > 2);
  for (const { path, imports } of inside) {
    for (const line of imports) {
      const target = targetOf(path, line) ?? '';
      // a file of one idea, without imports
      const isSigning = target === 'lib/links/sign.ts';
      if (isSigning) t.same(files.find((file) => file.path === target)?.imports, []);
      t.ok(
        line.typesOnly || isSigning || roomOf(target) === 'client',
        `${path} imports only types from ${line.specifier}`,
      );
    }
  }
  t.end();
});
