// Module hooks that resolve `./x.js` imports of TypeScript files to `x.ts`, and transpile TypeScript. They work both as
// synchronous hooks and on the hooks thread of older Node versions. The main module is replaced by its bundle, if there is one.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { findBundle } from './bundle.mjs';
import { transpile } from './transpile.mjs';

const isProjectSource = (url) => url?.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');

let isStarted = false;

export function resolve(specifier, context, next) {
  if (!isStarted && context.parentURL === undefined && isProjectSource(specifier)) {
    isStarted = true;
    const bundle = findBundle(fileURLToPath(specifier));
    if (bundle !== undefined) return { url: pathToFileURL(bundle).href, format: 'module', shortCircuit: true };
  }
  if (specifier.startsWith('.') && specifier.endsWith('.js') && isProjectSource(context.parentURL)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!isProjectSource(url)) return next(url, context);
  const path = fileURLToPath(url);
  return { format: 'module', source: transpile(readFileSync(path, 'utf8'), path), shortCircuit: true };
}
