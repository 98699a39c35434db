// Module hooks that resolve `./x.js` imports of TypeScript files to `x.ts`, and transpile TypeScript. They work both as
// synchronous hooks and on the hooks thread of older Node versions. The main module is replaced by its bundle, if there is one.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readBundle } from './bundle.mjs';
import { transpile } from './transpile.mjs';

const isProjectSource = (url) => url?.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');

/** The URL of the main module. */
let main;

export function resolve(specifier, context, next) {
  if (context.parentURL === undefined && specifier.endsWith('.ts')) main ??= specifier;
  if (specifier.startsWith('.') && specifier.endsWith('.js') && isProjectSource(context.parentURL)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!isProjectSource(url)) return next(url, context);
  const path = fileURLToPath(url);
  const bundle = url === main ? readBundle(path) : undefined;
  if (bundle !== undefined) return { format: 'module', source: bundle, shortCircuit: true };
  return { format: 'module', source: transpile(readFileSync(path, 'utf8'), path), shortCircuit: true };
}
