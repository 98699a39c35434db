// Runs a file of JSX or TSX for the element that it exports by default. esbuild, which the project has, translates it.
import { createRequire } from 'node:module';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { RenderError } from '../errors.js';
import type { LoadedPayload } from './payload.js';
import type { CliContext } from './stdio.js';

/** The part of esbuild that is used. */
interface Bundler {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>;
}

/** Elements are plain objects: nothing has to be installed for them. */
const RUNTIME = `const __platenFragment = Symbol.for('react.fragment');
const __platenElement = (type, props, ...children) => ({
  type, props: children.length === 0 ? { ...props } : { ...props, children: children.length === 1 ? children[0] : children } });`;

/**
 * Loads the element tree that `source` exports by default; a component is an element without props. Its code runs.
 * @throws RenderError `invalid_request` in one line: without esbuild, for code that does not run, without a default export.
 */
export async function loadMarkupModule(source: string, { directory }: CliContext): Promise<LoadedPayload> {
  const path = resolve(directory, source);
  const bundler = await findBundler(source, path);
  const code = await bundle(bundler, source, path);
  const url = `data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
  const { default: exported } = await attempt(
    source,
    async () => (await import(url)) as { readonly default?: unknown },
  );
  if (exported === undefined) throw failure(source, 'has no default export, expected an element or a component');
  const value = typeof exported === 'function' ? { type: exported, props: {} } : exported;
  return { value, baseDirectory: dirname(path) };
}

async function findBundler(source: string, path: string): Promise<Bundler> {
  let found: string;
  try {
    found = createRequire(path).resolve('esbuild');
  } catch (cause) {
    const hint = `npm install --save-dev esbuild, or write the element tree as JSON in ${basename(source)}.json`;
    throw failure(source, `needs esbuild, which is not installed in its project: ${hint}`, cause);
  }
  const module = (await import(pathToFileURL(found).href)) as { readonly default?: Bundler } & Bundler;
  return module.default ?? module;
}

async function bundle(bundler: Bundler, source: string, path: string): Promise<string> {
  const require = `import { createRequire as __platenRequire } from 'node:module';
const require = __platenRequire(${JSON.stringify(pathToFileURL(path).href)});`;
  const { outputFiles } = await attempt(source, () =>
    bundler.build({
      entryPoints: [path],
      bundle: true,
      write: false,
      platform: 'node',
      format: 'esm',
      jsx: 'transform',
      jsxFactory: '__platenElement',
      jsxFragment: '__platenFragment',
      logLevel: 'silent',
      banner: { js: `${require}\n${RUNTIME}` },
    }),
  );
  const [{ text }] = outputFiles;
  return text;
}

async function attempt<Result>(source: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (cause) {
    throw failure(source, reasonOf(cause), cause);
  }
}

/** One line: esbuild's first error with its place, or the message. */
function reasonOf(cause: unknown): string {
  const [first] = (cause as { readonly errors?: readonly BuildError[] }).errors ?? [];
  if (first) {
    const { text, location } = first;
    return location ? `${text} (line ${location.line}, column ${location.column + 1})` : text;
  }
  return (cause instanceof Error ? cause.message : String(cause)).split('\n', 1)[0];
}

interface BuildError {
  readonly text: string;
  readonly location?: { readonly line: number; readonly column: number } | null;
}

function failure(source: string, message: string, cause?: unknown): RenderError {
  return new RenderError('invalid_request', `${source}: ${message}`, cause === undefined ? {} : { cause });
}
