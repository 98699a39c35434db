// `node test/loader/start.mjs FILE` runs a test file as tap's own command does, in a third of the time: it loads the bundle
// without module hooks, if there is one.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import './children.mjs';
import { findBundle } from './bundle.mjs';

const [node, , file] = process.argv;
const path = resolve(file);
process.argv = [node, path];
const bundle = findBundle(path);
if (bundle === undefined) await import('./register.mjs');
await import(pathToFileURL(bundle ?? path).href);
