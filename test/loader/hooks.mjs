// Module hooks: an import of `./x.js` from TypeScript finds `x.ts`, and TypeScript loads as JavaScript. They work both
// as synchronous hooks and on the hooks thread of older versions of Node.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { transpile } from './transpile.mjs';

const isOurs = (url) => url?.startsWith('file:') && url.endsWith('.ts') && !url.includes('/node_modules/');

export function resolve(specifier, context, next) {
  if (specifier.startsWith('.') && specifier.endsWith('.js') && isOurs(context.parentURL)) {
    const url = new URL(specifier.replace(/\.js$/, '.ts'), context.parentURL);
    if (existsSync(url)) return { url: url.href, format: 'module', shortCircuit: true };
  }
  return next(specifier, context);
}

export function load(url, context, next) {
  if (!isOurs(url)) return next(url, context);
  const path = fileURLToPath(url);
  return { format: 'module', source: transpile(readFileSync(path, 'utf8'), path), shortCircuit: true };
}
